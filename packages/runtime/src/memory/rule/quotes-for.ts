// Where the user said what an agent wants to remember: the sentences of the user that share most of its words, and do not deny what it
// affirms. Pure.
import type { MemoryQuote } from '@tandem/contract/memory'
import { ownSentences } from './extract/own-words.ts'
import { wordStandings } from './negation.ts'
import { statementWords } from './resolve/same.ts'

/** A question states nothing, unless it asks for something to be done: "can you always answer in German?". */
const asks =
  /^\W*(?:(?:and|so|but|ok|okay|hey|hi|well|then)\W+)*(?:who|whose|whom|what|which|when|where|why|how(?! about you\b)|do(?! you mind\b)|does|did|is|are|am|was|were|should|shall|has|have|had|may|might|can I|could I|would it)\b.*\?\W*$/isu

/** "Do not use tabs, ok?" asks for a yes to what it states. */
const asksForYes = /[,;:]\s*(?:ok|okay|alright|all right|please|got it|understood|will you|would you|yeah|yes)\s*\?\W*$/iu

const instructs = /^\W*(?:(?:and|so|but|ok|okay|hey|hi|well|then)\W+)*(?:do not|don['’]t|when(?:ever)? (?:you|i|we))\b/iu

function isQuestion(sentence: string): boolean {
  return asks.test(sentence) && !(instructs.test(sentence) && asksForYes.test(sentence))
}

/** The share of the words of a memory that a sentence must contain. */
const least = 0.5
const most = 3

export function quotesFor(content: string, messages: readonly { readonly message_id: string; readonly text: string }[]): MemoryQuote[] {
  const wanted = tellingStandings(content)
  if (wanted.size === 0) return []
  const found = messages.flatMap(({ message_id, text }) =>
    ownSentences(text).flatMap((sentence) => {
      if (isQuestion(sentence.text)) return []
      const said = tellingStandings(sentence.text)
      const agreeing = [...wanted].filter(([word, standings]) => !standings.isDisjointFrom(said.get(word) ?? new Set()))
      const share = agreeing.length / wanted.size
      return share >= least ? [{ message_id, excerpt: sentence.text.slice(0, 2_000), share }] : []
    }),
  )
  return found
    .toSorted((left, right) => right.share - left.share)
    .slice(0, most)
    .map(({ message_id, excerpt }) => ({ message_id, excerpt }))
}

/** Without words that most statements have. */
export function tellingWords(content: string): readonly string[] {
  return [...new Set(statementWords(content).filter(isTelling).map(stem))]
}

function tellingStandings(content: string): ReadonlyMap<string, ReadonlySet<'affirmed' | 'denied'>> {
  const told = new Map<string, ReadonlySet<'affirmed' | 'denied'>>()
  for (const [word, standings] of wordStandings(content))
    if (isTelling(word)) told.set(stem(word), standings.union(told.get(stem(word)) ?? new Set()))
  return told
}

const common = new Set(
  'user users they their them he she his her prefers prefer wants want likes like is are was were be been has have had to of in on at for with by and or not no do does it its as this that'.split(
    ' ',
  ),
)

function isTelling(word: string): boolean {
  return !common.has(word) && word.length > 1
}

export function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/u, '') : word
}
