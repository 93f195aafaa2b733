// One recorded run, and the files it is stored in.
import { readFileSync } from 'node:fs'
import type { FailureContract } from '../../packages/contract/src/failure/index.ts'

export const halves = ['tuning', 'held-out'] as const

/** The halves, and a third and a fourth part, each written after the others had been measured. */
export const parts = [...halves, 'third', 'fourth'] as const
export type Part = (typeof parts)[number]

/** The parts that the rules were tuned with. The fourth is only measured. */
export const tunedParts = [...halves, 'third'] as const

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

export const causeKeys = [
  'missing_dependency',
  'port_in_use',
  'merge_conflict',
  'registry_refused',
  'permission_denied',
  'truncated_archive',
  'wrong_constant',
  'time_limit',
] as const
export type CauseKey = (typeof causeKeys)[number]

/** How a command ended. */
export interface CommandResult {
  readonly exit_code: number | null
  readonly signal: string | null
  readonly timed_out: boolean
  readonly output: string
}

export interface Call {
  readonly call_id: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly duration_ms: number
  /** The failure that caused the others. */
  readonly root?: true
  readonly result?: CommandResult
  readonly text?: string
  readonly failure?: FailureContract
}

export interface Run {
  readonly id: string
  readonly language: Language
  readonly request: string
  readonly cause: CauseKey | null
  /** The kind of project, and what the run does in it. */
  readonly scene: string
  /** The program whose failure is the root. */
  readonly program: string | null
  readonly repaired?: true
  readonly calls: readonly Call[]
  readonly end: 'completed' | 'failed' | 'canceled'
  readonly answer: string
  readonly correction: string | null
}

export function runsOf(part: Part): readonly Run[] {
  return readFileSync(fileOf(part), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Run)
}

export const fileOf = (part: Part) => new URL(`./${part}.jsonl`, import.meta.url)

export const failed = ({ result, failure }: Call) =>
  failure !== undefined || (result !== undefined && (result.exit_code !== 0 || result.timed_out))
