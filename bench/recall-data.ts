// The histories that retrieval is measured with, and any number of texts for measuring time.
import { readFileSync } from 'node:fs'
import type { RecallText } from '../packages/runtime/src/recall/text.ts'

export const kinds = ['single', 'several', 'time', 'changed', 'unknown'] as const
export type Kind = (typeof kinds)[number]

export interface Question {
  readonly id: string
  readonly kind: Kind
  readonly question: string
  readonly evidence: readonly string[]
  /** Messages with earlier values of a fact that has changed. */
  readonly outdated?: readonly string[]
  /** One of the listed messages is sufficient. */
  readonly any?: boolean
}

interface Message {
  readonly id: string
  readonly session: string
  readonly at: string
  readonly speaker: string
  readonly text: string
}

export const scope = 'history/all'

export function history(half: 'tuning' | 'held-out'): { readonly texts: readonly RecallText[]; readonly questions: readonly Question[] } {
  const read = <Line>(name: string) =>
    readFileSync(new URL(`./recall-history/${half}/${name}.jsonl`, import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  const texts = read<Message>('messages').map(({ id, session, at, speaker, text }) => {
    return { id, scope, text, at: Date.parse(at), speaker, group: session }
  })
  return { texts, questions: read<Question>('questions') }
}

/** The share of the evidence in the first `k` results. */
export function recallAt(ids: readonly string[], { evidence, any }: Question, k: number): number {
  const found = evidence.filter((id) => ids.slice(0, k).includes(id)).length
  return any ? Math.min(1, found) : found / evidence.length
}

/** Sentences of the histories, mixed with words of realistic frequency: a few are very common, most are rare. */
export function manyTexts(count: number): readonly RecallText[] {
  const sentences = [...history('tuning').texts, ...history('held-out').texts]
  const random = seeded(11)
  return Array.from({ length: count }, (_, no) => {
    const { text = '', speaker = null } = sentences[no % sentences.length] ?? {}
    const words = text.split(' ')
    for (let at = 0; at < words.length; at += 4) words[at] = `term${Math.floor(20_000 * random() ** 3)}`
    const group = `session ${Math.floor(no / 15)}`
    return { id: `t${no}`, scope, text: words.join(' '), at: 1_700_000_000_000 + no * 60_000, speaker, group }
  })
}

/** Questions as users ask them, and some words of a text: rare and common ones. */
export function queriesFor(texts: readonly RecallText[]): readonly string[] {
  const asked = [...history('tuning').questions, ...history('held-out').questions].map(({ question }) => question)
  const random = seeded(9)
  return Array.from({ length: 210 }, (_, no) => {
    if (no % 2 === 0) return asked[no % asked.length] ?? ''
    const words = (texts[Math.floor(random() * texts.length)]?.text ?? '').split(' ')
    return words.slice(0, 6).join(' ')
  })
}

export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
