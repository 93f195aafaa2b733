// Whether a later call did what a failed one was for. Pure.

import type { RunProgram } from '../../policy/shell/run-programs.ts'
import { type CallFact, isFailedCall } from '../rule/run-facts.ts'

/** The later call. */
export interface Repair {
  readonly call_id: string
  readonly step_id: string
  readonly seq: number
}

export interface ReadCall {
  readonly call: CallFact
  readonly programs: readonly RunProgram[]
  /** As the command names them: `npm` and not what its script runs. */
  readonly written: readonly RunProgram[]
  readonly given: Readonly<Record<string, unknown>>
}

export interface Repairs {
  after(call: CallFact, condition: string | null): Repair | null
}

/** Conditions that a wrong word in the command can have. */
const mistakes: readonly (string | null)[] = [
  'missing_script',
  'missing_command',
  'missing_file',
  'not_on_server',
  'unknown_revision',
  null,
]

/** Of one program after a failure. */
const mostCompared = 200

export function findRepairs(calls: readonly ReadCall[]): Repairs {
  const scripts = new Map<ReadCall, ReadonlySet<string>>()
  function wordsOf(one: ReadCall): ReadonlySet<string> | null {
    if (typeof one.given.source !== 'string') return null
    const words = scripts.get(one) ?? wordsIn(one.given.source)
    scripts.set(one, words)
    return words
  }
  const read = new Map(calls.map((one) => [one.call.call_id, one]))
  const successes = calls.filter(({ call }) => call.outcome === 'succeeded' && !isFailedCall(call))
  const byPurpose = new Map<string, ReadCall[]>()
  const byProgram = new Map<string, ReadCall[]>()
  for (const one of successes) {
    for (const purpose of purposesOf(one)) add(byPurpose, purpose, one)
    add(byProgram, programKey(one), one)
  }
  return {
    after(call, condition) {
      const failed = read.get(call.call_id)
      if (!failed) return null
      const same = purposesOf(failed).flatMap((purpose) => after(byPurpose.get(purpose) ?? [], call)[0] ?? [])
      const similar = after(byProgram.get(programKey(failed)) ?? [], call)
        .slice(0, mostCompared)
        .find((one) => isRewritten(wordsOf(failed), wordsOf(one)) || (mistakes.includes(condition) && isCorrected(failed, one)))
      const found = [...same, ...(similar ? [similar] : [])].sort((left, right) => left.call.seq - right.call.seq)
      const first = found[0]?.call
      return first ? { call_id: first.call_id, step_id: first.step_id, seq: first.seq } : null
    },
  }
}

/** In order, as the calls are. */
function after(list: readonly ReadCall[], { seq }: CallFact): readonly ReadCall[] {
  const at = list.findIndex((one) => one.call.seq > seq)
  return at < 0 ? [] : list.slice(at)
}

function add(lists: Map<string, ReadCall[]>, key: string, one: ReadCall): void {
  const list = lists.get(key)
  if (list) list.push(one)
  else lists.set(key, [one])
}

/** Calls with an equal purpose can stand in for each other. */
function purposesOf({ call, programs, given }: ReadCall): readonly string[] {
  if (typeof given.command === 'string') {
    const whole = programs.map(({ program, words }) => [program, ...words].join(' '))
    const operands = programs.map(({ program, words }) => [program, ...words.filter(isOperand).map(baseName)].join(' '))
    return [`${call.tool} ${whole.join(' && ')}`, `${call.tool} ~ ${operands.join(' && ')}`]
  }
  // A file that was looked for in the wrong folder has the same name in the right one.
  if (typeof given.path === 'string') return [`${call.tool} ~ ${baseName(given.path)}`]
  return [`${call.tool} ${call.arguments}`]
}

function programKey({ call, written }: ReadCall): string {
  return `${call.tool} ${written.at(-1)?.program ?? ''}`
}

/** Options and their numbers do not change what a command is for. */
function isOperand(word: string): boolean {
  return !word.startsWith('-') && !/^\d+[a-z]?$/.test(word)
}

function baseName(path: string): string {
  return path.slice(path.replace(/\/+$/, '').lastIndexOf('/') + 1)
}

/** The same script with changes. */
function isRewritten(before: ReadonlySet<string> | null, after: ReadonlySet<string> | null): boolean {
  if (before === null || after === null) return false
  const shared = [...before].filter((word) => after.has(word)).length
  return shared >= 3 && shared * 2 >= before.size + after.size - shared
}

function wordsIn(source: string): ReadonlySet<string> {
  return new Set(source.slice(0, 20_000).match(/\w+/g) ?? [])
}

/** The same command with one word spelled in another way. */
function isCorrected({ written: failed }: ReadCall, { written: later }: ReadCall): boolean {
  const [before, after] = [failed.at(-1)?.words ?? [], later.at(-1)?.words ?? []]
  if (before.length !== after.length) return false
  const different = before.flatMap((word, at) => (word === after[at] ? [] : [[word, after[at] ?? ''] as const]))
  return different.length === 1 && different.every(([left, right]) => areSpelledAlike(left, right))
}

const longestSpelled = 200

/** At most two letters between an equal beginning and an equal end. */
function areSpelledAlike(left: string, right: string): boolean {
  if (left.length > longestSpelled || right.length > longestSpelled) return false
  let [start, end] = [0, 0]
  const shorter = Math.min(left.length, right.length)
  while (start < shorter && left[start] === right[start]) start += 1
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1
  return Math.max(left.length, right.length) - start - end <= 2 && shorter > 3
}
