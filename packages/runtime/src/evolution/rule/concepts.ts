// What a sentence is about: its telling words, German ones in English, without their endings. Pure.
import { maskSecrets } from '../../memory/rule/secret/secrets.ts'
import { glossOf, isGerman } from './glossary.ts'

/** Words without which a sentence is still about the same. */
const empty: ReadonlySet<string> = new Set(
  (
    'a an the this that these those it its is are was were be been being am do does did done have has had having will would can could should may might must ' +
    'i you he she we they me my mine your our us him her them his their myself yourself of to in on at by for from with without into onto over under about as and or ' +
    'but so if then than too very just also please not no never none always ever every each all any some only wherever whatever whenever when where what which who how ' +
    'why there here again still yet now more most once much many way keep put make let use write like want need rather prefer be own usual thing things everything anything something nothing ' +
    'der die das den dem des ein eine einen einem einer eines und oder aber sondern auch noch schon mal bitte nicht kein keine keinen keinem keiner nie niemals nichts irgendetwas etwas ' +
    'immer jede jeden jedes jeder alle alles nur ist sind war waren sei sein bin hat habe haben hatte hätte wird werden wurde würde kann kannst könnte soll sollen sollte ' +
    'muss müssen darf dürfen mag will wollen ich du er sie es wir ihr mich mir dich dir uns euch ihm ihn ihnen mein meine dein deine unser unsere in im an am auf aus bei ' +
    'mit nach von vom vor zu zum zur für über unter ohne durch gegen um als wie wenn dass ob da dann denn doch so hier dort wo was wer welche welcher welches gern gerne ' +
    'dabei davon dazu damit wieder einfach schreib schreibe mach mache nimm lass dann zuerst first zwar beim diese dieser dieses diesen diesem give get gib up after front vorn exactly whole ganz genau'
  ).split(' '),
)

export interface Concept {
  readonly name: string
  /** Names, numbers and paths say more than words that many sentences have. */
  readonly weight: number
}

/** Words of work that many sentences have, whatever they are about. */
const weak: ReadonlySet<string> = new Set(
  'answer change stay file folder ask before name line save copy list time type word long person'.split(' '),
)

/** Sorted, each once. */
export function conceptsOf(text: string): readonly Concept[] {
  const found = new Map<string, number>()
  const plain = maskSecrets(text)
    .normalize('NFKC')
    .replace(/\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./](?:\d{4}\b|\d{2}\b|(?!\d))/g, () => {
      found.set('date', 1)
      return ' '
    })
  for (const sentence of plain.split(/(?<=[.!?])\s+/)) {
    const german = isGerman(sentence)
    for (const raw of sentence.match(/[\p{L}\p{N}_/.:@#'’-]*[\p{L}\p{N}]/gu) ?? []) add(found, raw, german)
  }
  return [...found].map(([name, weight]) => ({ name, weight })).toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

function add(found: Map<string, number>, raw: string, german: boolean): void {
  const isPath = /[/\\]|^\.\w|\w\.\w/.test(raw)
  const word =
    raw
      .replace(/^[^\p{L}\p{N}.]+/u, '')
      .split('/')[0]
      ?.toLowerCase() ?? ''
  if (word === '' || empty.has(word)) return
  if (/^v?\d[\d.:-]*$/.test(word)) {
    if (word.length >= 2) found.set(word, 1.5)
    return
  }
  const glossed = german && !isPath ? glossOf(word) : null
  for (const one of (glossed ?? word).split(' ')) {
    const name = stem(one)
    if (name.length >= 2 && !empty.has(one)) found.set(name, weak.has(one) ? 0.5 : isPath ? 1.5 : 1)
  }
}

/** Endings of both languages, and "un-": a rough one is enough to compare. */
function stem(word: string): string {
  const plain = word.replace(/^un(?=\p{L}{6})/u, '')
  if (plain.length <= 4) return plain
  return plain.replace(/(?:ations?|ungen|ings|ions?|ing|ung|ern|est|ies|ted|en|er|em|es|ed|ly|e|s|n|t)$/u, '')
}

/** What is known of the sentences of a group: how many, and how many of them have a concept. */
export interface ConceptGroup {
  readonly size: number
  readonly counts: ReadonlyMap<string, number>
}

const leastLikeness = 0.4

/** From 0 to 1; 0 if the sentence does not belong to the group. */
export function belongs(sentence: readonly Concept[], { size, counts }: ConceptGroup): number {
  if (size <= 0) return 0
  let [shared, all, strong] = [0, 0, 0]
  for (const { name, weight } of sentence) {
    const share = (counts.get(name) ?? 0) / size
    all += weight
    shared += weight * share
    if (weight >= 1) strong = Math.max(strong, share)
  }
  if (all === 0 || strong < 0.5) return 0
  const score = shared / Math.min(all, 2)
  return score >= leastLikeness ? Math.min(1, score) : 0
}
