// Compaction: old messages are summarized, recent ones stay as they are. Nothing is deleted; the model gets less.
import type { TodoItem } from '@tandem/contract/sync'
import { planIn, type TranscriptFacts } from './facts.ts'
import { estimateTokens } from './tokens.ts'
import { type Entry, type Position, toMessages } from './transcript.ts'

export interface ContextSpace {
  /** The context window of the model. */
  readonly tokens: number
  /** Reserved for its response. */
  readonly reserved: number
}

/** Above this share of the context window, there is no space for a large result. */
const fullAt = 0.8
/** What stays verbatim; less at the second attempt. */
const keptShares = [0.3, 0.1] as const

export function isFull(tokens: number, window: ContextSpace): boolean {
  return tokens > (window.tokens - window.reserved) * fullAt
}

export interface Split {
  readonly old: readonly Entry[]
  readonly recent: readonly Entry[]
  readonly through: Position
}

/** Where to split: never between a call and its result. Null if there is nothing old to summarize. */
export function split(entries: readonly Entry[], window: ContextSpace, attempt: number, model?: string): Split | null {
  const share = keptShares[Math.min(attempt, keptShares.length - 1)] ?? 0.1
  const budget = (window.tokens - window.reserved) * share
  let cut = entries.length
  let kept = 0
  for (let index = entries.length - 1; index > 0; index -= 1) {
    const entry = entries[index]
    if (!entry) break
    kept += estimateTokens(toMessages([entry], model === undefined ? {} : { model }))
    if (kept > budget) break
    if (entry.kind !== 'result') cut = index
  }
  const old = entries.slice(0, cut)
  const last = old.at(-1)
  // A summary alone is not summarized again: that would be an endless loop.
  if (!last || old.every(({ kind }) => kind === 'summary')) return null
  return { old, recent: entries.slice(cut), through: last.at }
}

/** What is known for certain and must not depend on how well a model summarizes. */
export interface KnownFacts extends TranscriptFacts {
  readonly todos: readonly TodoItem[]
  readonly openApprovals: readonly string[]
}

const most = 40
const mostCharacters = 60_000

/** Known facts come first; the model's text gets the remaining space. */
export function summaryText(told: string, known: KnownFacts, window: ContextSpace): string {
  // About a third of the context window: together with the verbatim part it must leave space, or it would be compacted again immediately.
  const room = Math.min(mostCharacters, Math.floor((window.tokens - window.reserved) * 1.4))
  const list = (title: string, lines: readonly string[]) => section(title, lines, Math.floor(room / 8))
  const open = known.todos.filter(({ state }) => state !== 'deleted').map(({ title, state }) => `[${state}] ${title}`)
  const request = known.request.slice(0, Math.min(8_000, Math.floor(room / 4)))
  const facts = [
    planIn(told) === '' && known.plan !== '' ? `## Decided plan\n${known.plan.slice(0, Math.floor(room / 8))}` : '',
    list('Failed attempts (do not repeat them unchanged)', known.failedAttempts),
    list('Files touched', known.touchedFiles),
    list('Waiting for the user', known.openApprovals),
    list('Todos', open),
  ]
  const before = [
    'This is a summary of the conversation so far; decisions in it are final.',
    request === '' ? '' : `## The request you are working on, in the user's words\n${request}`,
  ]
  const taken = [...before, ...facts].reduce((sum, part) => sum + part.length + 2, 0)
  return [...before, told.slice(0, Math.max(0, Math.min(30_000, room - taken))), ...facts].filter((part) => part.trim() !== '').join('\n\n')
}

/** The newest lines that fit. */
function section(title: string, lines: readonly string[], room: number): string {
  const shown: string[] = []
  let taken = 0
  for (const line of lines.slice(-most).reverse()) {
    const one = `- ${line.slice(0, 300)}`
    taken += one.length + 1
    if (taken > room) break
    shown.unshift(one)
  }
  if (shown.length === 0) return ''
  return [`## ${title}`, ...(lines.length > shown.length ? [`(the last ${shown.length} of ${lines.length})`] : []), ...shown].join('\n')
}

export const summaryRequest = [
  'Summarize the conversation above for yourself, so that you can continue without it.',
  'Write briefly under these headings: "What the user wants" (in their own words where it matters), "Decided plan" (what was decided, marked as decided, and why),',
  '"Done" (what was done and found, with paths, names and numbers), "Next" (the next steps in order).',
  'Do not call tools. Do not invent anything. Leave out what no longer matters.',
].join(' ')

/** A summary without a model, if none responds. */
export function plainSummary(old: readonly Entry[]): string {
  const lines = old.flatMap((entry) => {
    if (entry.kind === 'user') return [`The user said: ${entry.text.slice(0, 2_000)}`]
    if (entry.kind === 'summary') return [entry.text.slice(0, 20_000)]
    if (entry.kind === 'assistant' && entry.text !== '') return [`You said: ${entry.text.slice(0, 500)}`]
    return []
  })
  return lines.join('\n')
}
