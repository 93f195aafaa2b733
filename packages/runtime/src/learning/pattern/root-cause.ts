// The failure that caused the others. Not the first one: some failures were repaired, some are results, some only follow, and some the run
// did without. Pure.
import { atOnce, type SlicedWork } from '../../scheduler/slices.ts'
import { isSlip, oftenFollows } from './condition.ts'
import type { FailureFact } from './failures.ts'
import { isLookup, isOneLiner } from './lookup.ts'
import { matches } from './template.ts'
import { nameSame } from './trail.ts'

interface ConsequenceRule {
  readonly name: string
  readonly reason: string
  /** `later` would not have failed without `earlier`. */
  applies(later: FailureFact, earlier: FailureFact): boolean
}

const missing: readonly (string | null)[] = ['missing_dependency', 'missing_command', 'missing_file', 'missing_script', 'not_cached']
const afterMerge: readonly (string | null)[] = [
  'syntax_error',
  'failed_test',
  'local_changes',
  'push_rejected',
  'detached_head',
  'invalid_json',
]
const cutOff: readonly (string | null)[] = ['timed_out', 'connection_lost', 'connection_refused', 'disk_full']
const notFetched: readonly (string | null)[] = ['connection_refused', 'unknown_host', 'connection_lost', 'certificate', 'unauthorized']
const downloaders: readonly (string | null)[] = ['curl', 'wget', 'git', 'npm', 'pip', 'scp', 'rsync']

/** The first rule that applies; of the failures to which it applies, the first that names the same thing, or that is known, or the first. */
export const consequenceRules: readonly ConsequenceRule[] = [
  {
    name: 'repeated_condition',
    reason: 'The same condition was found again.',
    applies: (later, earlier) => later.condition !== null && later.condition === earlier.condition && !oftenFollows(later.condition),
  },
  {
    name: 'repeated_failure',
    reason: 'The same program failed again with the same text.',
    applies: (later, earlier) =>
      later.condition === null && later.program === earlier.program && later.tool === earlier.tool && matches(earlier.tokens, later.tokens),
  },
  {
    name: 'same_thing',
    reason: 'It names the same thing.',
    applies: (later, earlier) =>
      nameSame(later, earlier) &&
      !isHarmless(earlier) &&
      (isWeak(later) || earlier.condition === null) &&
      !(isLookup(later) && isLookup(earlier)),
  },
  {
    name: 'tried_otherwise',
    reason: 'Something unknown failed right before it, and nothing succeeded in between.',
    applies: (later, earlier) =>
      earlier.condition === null &&
      earlier.kind === 'call' &&
      !isHarmless(earlier) &&
      earlier.trail.avoided === null &&
      earlier.trail.next_success > later.seq &&
      !isWeak(later) &&
      !isHarmless(later),
  },
  {
    name: 'not_installed',
    reason: 'What could not be installed or fetched is missing.',
    applies: (later, earlier) => missing.includes(later.condition) && (isInstall(earlier) || notFetched.includes(earlier.condition)),
  },
  {
    name: 'not_started',
    reason: 'The server to connect to did not start.',
    applies: (later, earlier) =>
      later.condition === 'connection_refused' &&
      earlier.condition !== 'connection_refused' &&
      earlier.kind === 'call' &&
      canServe(earlier),
  },
  {
    name: 'other_server',
    reason: 'Another server answers on the port.',
    applies: (later, earlier) =>
      earlier.condition === 'port_in_use' && ['not_on_server', 'server_error', 'unauthorized'].includes(later.condition ?? ''),
  },
  {
    name: 'not_produced',
    reason: 'The step that should have produced the file failed.',
    applies: (later, earlier) =>
      later.condition === 'missing_file' && earlier.kind === 'call' && !isLookup(earlier) && !isSlip(earlier.condition),
  },
  {
    name: 'unresolved_merge',
    reason: 'The files still contain both sides of a merge.',
    applies: (later, earlier) => earlier.condition === 'merge_conflict' && afterMerge.includes(later.condition),
  },
  {
    name: 'incomplete_download',
    reason: 'The download of the archive was cut off.',
    applies: (later, earlier) =>
      later.condition === 'damaged_archive' && cutOff.includes(earlier.condition) && downloaders.includes(earlier.program),
  },
  {
    name: 'repeated_symptom',
    reason: 'The same condition was found again.',
    applies: (later, earlier) => later.condition !== null && later.condition === earlier.condition,
  },
  {
    name: 'end_of_run',
    reason: 'The run ended because of it.',
    applies: (later, earlier) => later.kind === 'run' && earlier.kind !== 'run',
  },
]

/** Null if nothing failed, or what failed was repaired, or nothing came of it. */
export function rootCauseOf(failures: readonly FailureFact[]): FailureFact | null {
  return atOnce(findRootCause(failures))
}

export function* findRootCause(failures: readonly FailureFact[]): SlicedWork<FailureFact | null> {
  const real = failures.filter(({ expected }) => !expected)
  const causes = new Map<FailureFact, FailureFact>()
  for (const [at, later] of real.entries()) {
    const earlier = causeIn(real.slice(0, at), later)
    if (earlier) causes.set(later, causes.get(earlier) ?? earlier)
    yield
  }
  const followers = Map.groupBy(
    [...causes].filter(([later]) => !isHarmless(later)),
    ([, cause]) => cause,
  )
  const repaired = new Set(real.flatMap((failure) => repairedCause(failure, causes)))
  const hasFailed = real.some(({ kind }) => kind === 'run')
  const roots = real
    .filter((failure) => !causes.has(failure) && !repaired.has(failure))
    .map((failure) => ({ failure, later: (followers.get(failure) ?? []).map(([later]) => later) }))
    .filter(({ failure, later }) => hasFailed || later.length > 0 || !isHarmless(failure))
    .filter(({ failure, later }) => !failure.trail.completed || isOpen(failure, later, real))
    .toSorted(
      (left, right) => rankOf(left.failure, left.later) - rankOf(right.failure, right.later) || left.failure.seq - right.failure.seq,
    )
  return roots[0]?.failure ?? null
}

/** In a run that completed: it is known, or others followed from it, or the run ended with it, and nothing was done after that. */
function isOpen(failure: FailureFact, later: readonly FailureFact[], all: readonly FailureFact[]): boolean {
  if (later.length === 0 && isWeak(failure) && failure.trail.next_success < Number.POSITIVE_INFINITY) return false
  const last = Math.max(failure.seq, ...later.map(({ seq }) => seq))
  const same = [failure, ...later.filter((one) => one.condition === failure.condition || nameSame(one, failure))]
  if (same.some(({ trail }) => trail.last_success !== null && trail.last_success > last)) return false
  // What only made up for another failure did nothing about this one.
  const others = new Set(all.filter((one) => !same.includes(one)).flatMap(({ repair, trail }) => [repair?.seq, trail.avoided]))
  return !failure.trail.actions.some((seq) => seq > last && !others.has(seq))
}

/** Nothing follows from a failure after it was repaired. Of several that can be the cause, one that names the same thing. */
function causeIn(before: readonly FailureFact[], later: FailureFact): FailureFact | null {
  const open = before.filter(
    (one) =>
      (one.repair === null || one.repair.seq > later.seq) &&
      (one.trail.avoided === null || nameSame(one, later) || one.condition === later.condition),
  )
  for (const { applies } of consequenceRules) {
    const found = open.filter((one) => applies(later, one))
    if (found.length > 0) return found.find((one) => nameSame(one, later)) ?? found.find((one) => !isWeak(one)) ?? found[0] ?? null
  }
  return null
}

/** If the same condition no longer occurs where it occurred, its cause is gone. */
function repairedCause(failure: FailureFact, causes: ReadonlyMap<FailureFact, FailureFact>): readonly FailureFact[] {
  if (failure.repair === null) return []
  const cause = causes.get(failure) ?? failure
  return cause === failure || cause.condition === failure.condition ? [cause] : []
}

/** The lower, the more likely it is the cause. */
function rankOf(failure: FailureFact, later: readonly FailureFact[]): number {
  if (failure.kind === 'run') return 6
  if (isHarmless(failure)) return 5
  const isPursued = later.length > 0
  if (isPursued) return isWeak(failure) ? 1 : 0
  if (failure.trail.avoided !== null) return 4
  return isWeak(failure) ? 3 : 2
}

/** Its text says nothing that is known, or what is often only a consequence. */
function isWeak({ condition }: FailureFact): boolean {
  return condition === null || oftenFollows(condition)
}

/** A refused call, a mistake in a command, or a call that only looked for something. */
function isHarmless(failure: FailureFact): boolean {
  const { kind, condition } = failure
  if (kind === 'refused' || isSlip(condition)) return true
  if (condition === 'missing_file' || condition === null) return isLookup(failure) || isOneLiner(failure)
  return condition === 'syntax_error' && isOneLiner(failure)
}

const serverless: readonly (string | null)[] =
  'git cp mv rm mkdir touch chmod ln sort cut tr diff cmp patch tar gzip gunzip unzip zip xz curl wget rsync scp sqlite3 psql cmake gcc javac'.split(
    ' ',
  )

/** A lookup, a download or a mistake in a command starts no server. */
function canServe(failure: FailureFact): boolean {
  return !isLookup(failure) && !isSlip(failure.condition) && !serverless.includes(failure.program)
}

const installs: readonly string[] = ['install', 'ci', 'i', 'add', 'sync', 'update', 'download', 'restore']

function isInstall({ program, words }: FailureFact): boolean {
  const managers = ['npm', 'pnpm', 'yarn', 'bun', 'pip', 'uv', 'poetry', 'pipenv', 'cargo', 'go', 'gem', 'bundle', 'apt', 'apt-get', 'brew']
  return program !== null && managers.includes(program) && (words.length === 0 || words.some((word) => installs.includes(word)))
}
