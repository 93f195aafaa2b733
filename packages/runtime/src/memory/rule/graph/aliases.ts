// Second names given in words: "Harbour Trust, HT for short". Pure.
import { memoized } from '../memoized.ts'
import { properName } from './people.ts'

export interface AliasPair {
  readonly name: string
  readonly alias: string
}

const called = String.raw`(?:(?:also |usually |mostly |often )?(?:called|known as|nicknamed|named|goes by|or just|or)|a\.?k\.?a\.?|aka|(?:which |whom |that )?(?:everyone|everybody|we|I|they|people|friends) (?:all )?(?:mostly |usually |just )?calls? (?:him|her|it|them)?|short)`
const quote = '["“”\'’]?'

const forms: readonly { readonly words: string; readonly order: 'name_first' | 'alias_first' }[] = [
  { words: `(${properName}),? (?:or )?${quote}(${properName})${quote},? for short`, order: 'name_first' },
  { words: `(${properName}),? \\(?${called} ${quote}(${properName})`, order: 'name_first' },
  {
    words: `(${properName}) (?:is|are) (?:also |usually |mostly )?(?:called|known as|nicknamed) ${quote}(${properName})`,
    order: 'name_first',
  },
  {
    words: `(${properName}) (?:is|was|stands|,|\\()+ ?(?:short|an abbreviation|the abbreviation|for) ?(?:for|of)? (?:the )?(${properName})`,
    order: 'alias_first',
  },
]
const bracketed = `(${properName}) \\(${quote}(${properName})${quote}\\)`

/** At its first use: compiling them would delay every start. */
const patternOf = memoized((words) => new RegExp(`(?<![\\p{L}\\p{N}])${words}`, 'gu'))

export function aliasExpressions(): readonly RegExp[] {
  return [...forms.map(({ words }) => words), bracketed].map(patternOf)
}

export function aliasesIn(text: string): readonly AliasPair[] {
  const pairs = forms.flatMap(({ words, order }) =>
    [...text.matchAll(patternOf(words))].map(([, left = '', right = '']) =>
      order === 'name_first' ? pair(left, right) : pair(right, left),
    ),
  )
  const brackets = [...text.matchAll(patternOf(bracketed))].map(([, name = '', alias = '']) => pair(name, alias)).filter(isAbbreviation)
  const seen = new Set<string>()
  return [...pairs, ...brackets].filter(
    ({ name, alias }) => name !== alias && !seen.has(`${name}\n${alias}`) && seen.add(`${name}\n${alias}`),
  )
}

function pair(name: string, alias: string): AliasPair {
  return { name: name.replace(/^(?:The|An?|Our|My) /, ''), alias }
}

/** In brackets may be anything; only the initials of the name are surely the same thing. */
function isAbbreviation({ name, alias }: AliasPair): boolean {
  const initials = (words: readonly string[]) => words.map((word) => word.charAt(0)).join('')
  const words = name.split(/[ -]/)
  const short = alias.replaceAll('.', '')
  return (
    short.length > 1 &&
    [initials(words), initials(words.filter((word) => /^\p{Lu}/u.test(word)))].some((one) => one.toLowerCase() === short.toLowerCase())
  )
}
