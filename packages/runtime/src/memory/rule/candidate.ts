// Whether something may become a memory, and whose words it rests on. Everything that becomes a memory passes here: rules, models, tools,
// imports. Pure.
import type { Memory, MemoryDropReason, MemoryQuote } from '@tandem/contract/memory'
import { authorityOfConclusion } from './authority.ts'
import { isCopied } from './copied.ts'
import { ownLines } from './extract/foreign-lines.ts'
import { ownSentences } from './extract/own-words.ts'
import { isInverted } from './inverted.ts'
import { hasSecretIn } from './secret/memory-secrets.ts'
import { isReadableInCode, isSmallTalk } from './worthless.ts'

export interface Candidate extends Pick<Memory, 'memory_kind' | 'subject' | 'content'> {
  readonly quotes: readonly MemoryQuote[]
  readonly tags?: Memory['tags']
  readonly procedure?: Memory['procedure']
  /** The memory whose text it changes. It is replaced, or contradicted if it counts more. */
  readonly updates?: Memory | null
}

/** What was said around it. */
export interface Said {
  /** The text of a message of the user; undefined if there is none with this id, or others wrote it. */
  persons(message_id: string): string | undefined
  /** Everything the user wrote in the conversation. */
  readonly person: readonly string[]
  /** What tools returned in the conversation: pages, files, output. Absent if there was none. */
  readonly tools?: readonly string[]
  /** What memory gave to the agent in the conversation: in its prompts, and in searches. Absent if there was nothing. */
  readonly recalled?: readonly string[]
  readonly workspace: string | null
}

export type RefusalReason = Exclude<MemoryDropReason, 'not_remembered' | 'forgotten' | 'malformed'>

export type Verdict =
  | { readonly ok: true; readonly authority: Memory['authority']; readonly quotes: readonly MemoryQuote[] }
  | { readonly ok: false; readonly reason: RefusalReason }

export function judge(candidate: Candidate, said: Said): Verdict {
  const { content, memory_kind, subject, procedure = null } = candidate
  if (content.trim() === '') return { ok: false, reason: 'empty' }
  if (hasSecretIn(candidate)) return { ok: false, reason: 'secret' }
  const quotes = candidate.quotes.filter(({ message_id, excerpt }) => isSaid(excerpt, said.persons(message_id)))
  if (candidate.quotes.length > 0 && quotes.length === 0) return { ok: false, reason: 'quote_not_found' }
  if (quotes.length > 0) {
    const words = quotes.map(({ message_id }) => ownText(said.persons(message_id) ?? ''))
    if (!restsOn(content, words)) return { ok: false, reason: 'not_in_quote' }
    if (procedure === null && isInverted(content, quotes.map((quote) => sentencesWith(quote, said)).join(' ')))
      return { ok: false, reason: 'not_in_quote' }
    // What is quoted may be harmless and what is concluded from it not.
    const isNamed = isTrusted(content, said)
    const isForeign = !isCopied(content, words) && isFromTool(content, said)
    return { ok: true, authority: isNamed && !isForeign ? 'person' : 'untrusted', quotes }
  }
  if (memory_kind === 'preference' || memory_kind === 'decision') return { ok: false, reason: 'only_from_user' }
  if (subject === 'user') return { ok: false, reason: 'about_user' }
  if (isSmallTalk(content)) return { ok: false, reason: 'small_talk' }
  if (isReadableInCode(memory_kind, content)) return { ok: false, reason: 'in_code' }
  if (isFromTool(content, said)) return { ok: false, reason: 'from_tool' }
  if (isRecalled(candidate, said)) return { ok: false, reason: 'recalled' }
  return { ok: true, authority: isTrusted(content, said) ? 'agent' : 'untrusted', quotes: [] }
}

/** Whether a tool returned these words, and the user did not write them. What tools returned is read only if needed. */
function isFromTool(content: string, said: Said): boolean {
  const { tools = [] } = said
  return tools.length > 0 && isCopied(content, tools) && !isCopied(content, said.person.map(ownText))
}

/** What was remembered is no new conclusion. A procedure is named after a request, and a change repeats most of what it changes. */
function isRecalled({ content, procedure = null, updates = null }: Candidate, { recalled = [] }: Said): boolean {
  return procedure === null && updates === null && recalled.length > 0 && isCopied(content, recalled)
}

/** Whether the user named what is sensitive in it, in their own words. */
function isTrusted(content: string, said: Said): boolean {
  const own = {
    workspace: said.workspace,
    get person() {
      return said.person.map(ownPassages)
    },
  }
  return authorityOfConclusion(content, own) === 'agent'
}

/** Line by line: a command may have marks at which sentences end. */
function ownPassages(text: string): string {
  return ownLines(text)
    .map((line) => line.text)
    .join('\n')
}

/** Whether the words occur in what the user wrote themselves, not in a quoted block, code or a pasted passage. */
function isSaid(excerpt: string, text: string | undefined): boolean {
  if (text === undefined) return false
  const wanted = normal(excerpt)
  return wanted !== '' && normal(ownText(text)).includes(wanted)
}

/** A quote may leave out the "not" of its sentence. */
function sentencesWith({ message_id, excerpt }: MemoryQuote, said: Said): string {
  const wanted = normal(excerpt)
  const sentences = ownSentences(said.persons(message_id) ?? '').map(({ text }) => text)
  const around = sentences.filter((text) => ` ${normal(text)} `.includes(` ${wanted} `) || ` ${wanted} `.includes(` ${normal(text)} `))
  return around.length === 0 ? excerpt : around.join(' ')
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
