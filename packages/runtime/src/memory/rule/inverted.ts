// Whether a statement says the opposite of the words that it rests on: it affirms what they deny, or exchanges what they compare. Pure.
import { isNegated, wordStandings } from './negation.ts'
import { stem, tellingWords } from './quotes-for.ts'

/** They say only that something is affirmed, so a statement that adds one of them adds nothing. */
const affirming = new Set(
  [
    'always choose chose enjoy enjoys favor favors favour favours keep keeps like likes love loves need needs often prefer prefers should use used uses using want wants work works',
    'consistently definitely generally must usually',
  ]
    .join(' ')
    .split(' ')
    .map(stem),
)

export function isInverted(content: string, quoted: string): boolean {
  const words = telling(content)
  const known = new Set([...telling(quoted), ...affirming])
  // What has words of its own says more, and may say it in another way: "allergic to nuts", "cannot eat nuts".
  if (words.some((word) => !known.has(word))) return isExchanged(content, quoted)
  return isDenied(words, content, quoted) || isExchanged(content, quoted) || (!isNegated(content) && isRejected(words, quoted))
}

/** Its words with how they stand in a text. */
function standingsIn(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, ReadonlySet<string>>()
  for (const [word, standings] of wordStandings(text)) all.set(stem(word), standings.union(all.get(stem(word)) ?? new Set()))
  return all
}

function isDenied(words: readonly string[], content: string, quoted: string): boolean {
  const [own, said] = [standingsIn(content), standingsIn(quoted)]
  return words.some((word) => {
    const [here, there] = [own.get(word), said.get(word)]
    return here !== undefined && there !== undefined && !affirming.has(word) && here.isDisjointFrom(there)
  })
}

interface Comparison {
  readonly marker: string
  readonly first: ReadonlySet<string>
  readonly second: ReadonlySet<string>
}

const preferring = '(?:over|rather than|instead of|in place of|and not|ahead of)'
const between = new RegExp(String.raw`^(.+?)(?:\b${preferring}\b|,\s*not\b)(.+)$`, 'isu')
const ahead = /^\W*(?:instead of|rather than|in place of)\s+([^,]+),\s*(.+)$/isu
const degree = /^(.+?)\b((?:more|less|fewer|better|worse|\p{L}+er)\b[^,.;]*?)\s+than\b(.+)$/isu

/** "A over B" and "B instead of A" are compared by what comes first in them; "A is faster than B" only with "faster than". */
function comparisonIn(text: string): Comparison | null {
  const [clause = ''] = text.split(/[.;!?]\s|[.;!?]$/u)
  const turned = ahead.exec(clause)
  if (turned) return { marker: 'prefers', first: set(turned[2]), second: set(turned[1]) }
  const preferred = between.exec(clause)
  if (preferred) return { marker: 'prefers', first: set(preferred[1]), second: set(preferred[2]) }
  const compared = degree.exec(clause)
  return compared ? { marker: `${compared[2]}`.trim().toLowerCase(), first: set(compared[1]), second: set(compared[3]) } : null
}

function isExchanged(content: string, quoted: string): boolean {
  const [own, said] = [comparisonIn(content), comparisonIn(quoted)]
  if (!own || !said || own.marker !== said.marker) return false
  const [first, second] = [said.first.difference(said.second), said.second.difference(said.first)]
  return !own.first.isDisjointFrom(second) && !own.second.isDisjointFrom(first) && own.first.isDisjointFrom(first)
}

/** "I prefer spaces over tabs" says nothing in favor of tabs. */
function isRejected(words: readonly string[], quoted: string): boolean {
  const said = comparisonIn(quoted)
  if (said?.marker !== 'prefers') return false
  const own = words.filter((word) => !affirming.has(word))
  const [first, second] = [said.first.difference(said.second), said.second.difference(said.first)]
  return own.some((word) => second.has(word)) && !own.some((word) => first.has(word))
}

const set = (text = ''): ReadonlySet<string> => new Set(telling(text).filter((word) => !affirming.has(word)))

function telling(text: string): readonly string[] {
  return tellingWords(text).filter((word) => !fillers.has(word))
}

/** Words that hold a sentence together, and those that deny. */
const fillers = new Set(
  'also but can could everything everywhere from i if into just me mine my never none nothing nor only please really so some than then there these those to too us very we when will would you your'
    .split(' ')
    .map(stem),
)
