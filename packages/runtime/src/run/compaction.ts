// Making room: what is old is summed up, what is recent stays as it was said. Nothing is deleted; the model is told less.
import type { TodoItem } from '@tandem/contract/sync'
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
export function split(entries: readonly Entry[], window: Window, attempt: number): Split | null {
  const share = keptShares[Math.min(attempt, keptShares.length - 1)] ?? 0.1
  const budget = (window.tokens - window.reserved) * share
  let cut = entries.length
  let kept = 0
  for (let index = entries.length - 1; index > 0; index -= 1) {
    const entry = entries[index]
    if (!entry) break
    kept += estimateTokens(toMessages([entry]))
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
export interface KnownFacts {
  /** What the user asked for last, when nothing that stays says it. */
  readonly lastRequest: string
  readonly todos: readonly TodoItem[]
  readonly failedAttempts: readonly string[]
  readonly openApprovals: readonly string[]
  readonly touchedFiles: readonly string[]
}

const most = 40

export function summaryText(told: string, { lastRequest, todos, failedAttempts, openApprovals, touchedFiles }: KnownFacts): string {
  const open = todos.filter(({ state }) => state !== 'deleted').map(({ title, state }) => `[${state}] ${title}`)
  return [
    'This is a summary of the conversation so far; what it says was decided is decided.',
    lastRequest === '' ? '' : `## The request you are working on, in the user's words\n${lastRequest.slice(0, 8_000)}`,
    told.slice(0, 30_000),
    section('Attempts that failed (do not repeat them unchanged)', failedAttempts),
    section('Files touched', touchedFiles),
    section('Waiting for a person', openApprovals),
    section('Todos', open),
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
    .slice(0, 60_000)
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  const shown = lines.slice(-most).map((line) => `- ${line.slice(0, 300)}`)
  return [`## ${title}`, ...(lines.length > most ? [`(the last ${most} of ${lines.length})`] : []), ...shown].join('\n')
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

/** What the older part shows of itself: which calls failed, which files were touched. */
export function factsOf(entries: readonly Entry[]): Pick<KnownFacts, 'failedAttempts' | 'touchedFiles'> {
  const failedAttempts: string[] = []
  const touched = new Set<string>()
  const calls = new Map(entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.calls.map((call) => [call.id, call] as const) : [])))
  for (const entry of entries) {
    if (entry.kind !== 'result') continue
    const call = calls.get(entry.wire_id)
    if (entry.failed) failedAttempts.push(`${entry.tool} ${call?.function.arguments.slice(0, 150) ?? ''}: ${entry.text.slice(0, 200)}`)
    else if (/^fs\.(?:write|edit|move|delete|mkdir)$/.test(entry.tool))
      for (const path of pathsIn(call?.function.arguments)) touched.add(path)
  }
  return { failedAttempts, touchedFiles: [...touched] }
}

function pathsIn(args: string | undefined): string[] {
  try {
    const { path, from, to } = JSON.parse(args ?? '{}') as Record<string, unknown>
    return [path, from, to].filter((value) => typeof value === 'string')
  } catch {
    return []
  }
}
