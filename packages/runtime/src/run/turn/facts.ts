// Facts that follow from the transcript itself: the request, failed attempts, changed files, the decided plan.
import type { Entry } from './transcript.ts'

export interface TranscriptFacts {
  /** The user's last request, in their own words. */
  readonly request: string
  readonly failedAttempts: readonly string[]
  readonly touchedFiles: readonly string[]
  /** From the last summary; empty if it had none. */
  readonly plan: string
}

export const noFacts: TranscriptFacts = { request: '', failedAttempts: [], touchedFiles: [], plan: '' }

/** Older ones are no longer useful, and a conversation may continue for years. */
const mostKept = 1_000

/** Adds the facts of `entries` to those before them. */
export function transcriptFacts(entries: readonly Entry[], before: TranscriptFacts = noFacts): TranscriptFacts {
  const failedAttempts = [...before.failedAttempts]
  const touched = new Set(before.touchedFiles)
  let { request, plan } = before
  const calls = new Map(entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.calls.map((call) => [call.id, call] as const) : [])))
  for (const entry of entries) {
    if (entry.kind === 'user') request = entry.text
    if (entry.kind === 'summary') plan = planIn(entry.text) || plan
    if (entry.kind !== 'result') continue
    const call = calls.get(entry.wire_id)
    if (entry.failed) failedAttempts.push(`${entry.tool} ${call?.function.arguments.slice(0, 150) ?? ''}: ${entry.text.slice(0, 200)}`)
    else if (/^fs\.(?:write|edit|move|delete|mkdir)$/.test(entry.tool))
      for (const path of pathsIn(call?.function.arguments)) {
        touched.delete(path)
        touched.add(path)
      }
  }
  return { request, failedAttempts: failedAttempts.slice(-mostKept), touchedFiles: [...touched].slice(-mostKept), plan }
}

const headings = ['What the user wants', 'Decided plan', 'Done', 'Next']

/** The lines under "Decided plan", up to the next heading of a summary. */
export function planIn(summary: string): string {
  const lines = summary.split('\n')
  const begin = lines.findIndex((line) => headingOf(line) === 'Decided plan')
  if (begin < 0) return ''
  const length = lines.slice(begin + 1).findIndex((line) => line.startsWith('## ') || headingOf(line) !== undefined)
  const [first = '', ...rest] = lines.slice(begin, length < 0 ? undefined : begin + 1 + length)
  // A plan may start on the line of its heading.
  const beside = first.slice(first.indexOf('Decided plan') + 'Decided plan'.length).replace(/^[^\p{L}\p{N}]+/u, '')
  return [beside, ...rest].join('\n').trim()
}

function headingOf(line: string): string | undefined {
  const bare = line.replace(/^[^\p{L}\p{N}]+/u, '')
  return headings.find((heading) => bare.startsWith(heading) && /^[»"'*_)\s]*(?::|$)/.test(bare.slice(heading.length)))
}

function pathsIn(args: string | undefined): string[] {
  try {
    const { path, from, to } = JSON.parse(args ?? '{}') as Record<string, unknown>
    return [path, from, to].filter((value) => typeof value === 'string')
  } catch {
    return []
  }
}
