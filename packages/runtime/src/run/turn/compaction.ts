// Making room: what is old is summed up, what is recent stays as it was said. Nothing is deleted; the model is told less.
import type { TodoItem } from '@tandem/contract/sync'
import { type Facts, planIn } from './facts.ts'
import { estimateTokens } from './tokens.ts'
import { type Entry, type Position, toMessages } from './transcript.ts'

export interface Window {
  /** What the model can take in all. */
  readonly tokens: number
  /** Kept free for its answer. */
  readonly reserved: number
}

/** Past this share of the window there is no room for a large result. */
const fullAt = 0.8
/** What stays word for word; less at the second try. */
const keptShares = [0.3, 0.1] as const

export function isFull(tokens: number, window: Window): boolean {
  return tokens > (window.tokens - window.reserved) * fullAt
}

export interface Split {
  readonly old: readonly Entry[]
  readonly recent: readonly Entry[]
  readonly through: Position
}

/** Where to cut: never between a call and its result. Null when there is nothing old to sum up. */
export function split(entries: readonly Entry[], window: Window, attempt: number, model?: string): Split | null {
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
  // A summary alone is not worth summing up again: that is how compaction runs in circles.
  if (!last || old.every(({ kind }) => kind === 'summary')) return null
  return { old, recent: entries.slice(cut), through: last.at }
}

/** What is known for certain and must not depend on how well a model sums up. */
export interface KnownFacts extends Facts {
  readonly todos: readonly TodoItem[]
  readonly openApprovals: readonly string[]
}

const most = 40
const mostCharacters = 60_000

/** What is known comes first in the room there is; what a model told gets the rest. */
export function summaryText(told: string, known: KnownFacts, window: Window): string {
  // About a third of the window: with what stays word for word it must leave room, or it would be summed up again at once.
  const room = Math.min(mostCharacters, Math.floor((window.tokens - window.reserved) * 1.4))
  const list = (title: string, lines: readonly string[]) => section(title, lines, Math.floor(room / 8))
  const open = known.todos.filter(({ state }) => state !== 'deleted').map(({ title, state }) => `[${state}] ${title}`)
  const request = known.request.slice(0, Math.min(8_000, Math.floor(room / 4)))
  const facts = [
    planIn(told) === '' && known.plan !== '' ? `## Decided plan\n${known.plan.slice(0, Math.floor(room / 8))}` : '',
    list('Attempts that failed (do not repeat them unchanged)', known.failedAttempts),
    list('Files touched', known.touchedFiles),
    list('Waiting for a person', known.openApprovals),
    list('Todos', open),
  ]
  const before = [
    'This is a summary of the conversation so far; what it says was decided is decided.',
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
  'Sum up the conversation above for yourself, so that you can go on without it.',
  'Write under these headings, briefly: «What the user wants» (in their own words where it matters), «Decided plan» (what was decided, marked as decided, and why),',
  '«Done» (what was done and found, with paths, names and numbers), «Next» (the next steps in order).',
  'Do not call tools. Do not invent anything. Leave out what no longer matters.',
].join(' ')

/** What can be said without a model, when none answers. */
export function plainSummary(old: readonly Entry[]): string {
  const lines = old.flatMap((entry) => {
    if (entry.kind === 'user') return [`The user said: ${entry.text.slice(0, 2_000)}`]
    if (entry.kind === 'summary') return [entry.text.slice(0, 20_000)]
    if (entry.kind === 'assistant' && entry.text !== '') return [`You said: ${entry.text.slice(0, 500)}`]
    return []
  })
  return lines.join('\n')
}
