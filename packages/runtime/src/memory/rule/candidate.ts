// Whether something may become a memory, and whose words it rests on. Everything that becomes a memory passes here: rules, models, tools,
// imports. Pure.
import type { Memory, MemoryQuote } from '@tandem/contract/memory'
import { authorityOfConclusion, sensitiveNames } from './authority.ts'
import { ownSentences } from './extract/own-words.ts'
import { hasSecret } from './secret/secrets.ts'

export interface Candidate extends Pick<Memory, 'memory_kind' | 'subject' | 'content'> {
  readonly quotes: readonly MemoryQuote[]
}

/** What was said around it. */
export interface Said {
  /** The text of a message of the user; undefined if there is none with this id, or others wrote it. */
  persons(message_id: string): string | undefined
  /** Everything the user wrote in the conversation. */
  readonly person: readonly string[]
  readonly workspace: string | null
}

export const refusalReasons = ['secret', 'empty', 'quote_not_found', 'not_in_quote', 'only_from_user', 'about_user'] as const
export type RefusalReason = (typeof refusalReasons)[number]

export type Verdict =
  | { readonly ok: true; readonly authority: Memory['authority']; readonly quotes: readonly MemoryQuote[] }
  | { readonly ok: false; readonly reason: RefusalReason }

export function judge(candidate: Candidate, said: Said): Verdict {
  const { content, memory_kind, subject } = candidate
  if (content.trim() === '') return { ok: false, reason: 'empty' }
  if (hasSecret(content) || candidate.quotes.some(({ excerpt }) => hasSecret(excerpt))) return { ok: false, reason: 'secret' }
  const quotes = candidate.quotes.filter(({ message_id, excerpt }) => isSaid(excerpt, said.persons(message_id)))
  if (candidate.quotes.length > 0 && quotes.length === 0) return { ok: false, reason: 'quote_not_found' }
  if (quotes.length > 0) {
    const words = quotes.map(({ message_id }) => ownText(said.persons(message_id) ?? ''))
    if (!restsOn(content, words)) return { ok: false, reason: 'not_in_quote' }
    // What is quoted may be harmless and what is concluded from it not.
    const isNamed = areNamed(sensitiveNames(content, said.workspace), said)
    return { ok: true, authority: isNamed ? 'person' : 'untrusted', quotes }
  }
  if (memory_kind === 'preference' || memory_kind === 'decision') return { ok: false, reason: 'only_from_user' }
  if (subject === 'user') return { ok: false, reason: 'about_user' }
  return { ok: true, authority: authorityOfConclusion(content, said), quotes: [] }
}

/** Whether the user named all of them. A long conversation is read only if there is something to look for. */
function areNamed(names: readonly string[], said: Said): boolean {
  if (names.length === 0) return true
  const named = said.person.map(ownText).join('\n').toLowerCase()
  return names.every((name) => named.includes(name.toLowerCase()))
}

/** Whether the words occur in what the user wrote themselves, not in a quoted block, code or a pasted passage. */
function isSaid(excerpt: string, text: string | undefined): boolean {
  if (text === undefined) return false
  const wanted = normal(excerpt)
  return wanted !== '' && normal(ownText(text)).includes(wanted)
}

function ownText(text: string): string {
  return ownSentences(text)
    .map((sentence) => sentence.text)
    .join(' ')
}

/** Whether at least a third of the words of a statement occur in the text it rests on. */
function restsOn(content: string, texts: readonly string[]): boolean {
  const words = wordsOf(content)
  const there = new Set(texts.flatMap(wordsOf))
  return words.length === 0 || words.filter((word) => there.has(word)).length * 3 >= words.length
}

function normal(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim()
}

/** Words of four letters or more by their first five, so that "prefers" and "prefer" are one; numbers whole. */
function wordsOf(text: string): readonly string[] {
  return normal(text)
    .split(' ')
    .filter((word) => word.length >= 4 || /\d/.test(word))
    .map((word) => (/\d/.test(word) ? word : word.slice(0, 5)))
}
