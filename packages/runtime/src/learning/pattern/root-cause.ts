// The failure that caused the others. Not the first one: some failures were repaired, some are results, some only follow. Pure.
import { atOnce, type SlicedWork } from '../../scheduler/slices.ts'
import { isSlip, oftenFollows } from './condition.ts'
import type { FailureFact } from './failures.ts'
import { matches } from './template.ts'

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
const downloaders: readonly (string | null)[] = ['curl', 'wget', 'git', 'npm', 'pip', 'scp', 'rsync']

/** The first rule that applies, and of the failures to which it applies the first one. */
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
    name: 'not_installed',
    reason: 'What could not be installed is missing.',
    applies: (later, earlier) => missing.includes(later.condition) && isInstall(earlier),
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
  const caused = new Set([...causes].filter(([later]) => !isHarmless(later)).map(([, earlier]) => earlier))
  const repaired = new Set(real.flatMap((failure) => repairedCause(failure, causes)))
  const hasFailed = real.some(({ kind }) => kind === 'run')
  const roots = real
    .filter((failure) => !causes.has(failure) && !repaired.has(failure))
    .filter((failure) => hasFailed || caused.has(failure) || !isHarmless(failure))
    .toSorted((left, right) => rankOf(left, caused) - rankOf(right, caused) || left.seq - right.seq)
  return roots[0] ?? null
}

/** Nothing follows from a failure after it was repaired. */
function causeIn(before: readonly FailureFact[], later: FailureFact): FailureFact | null {
  const open = before.filter(({ repair }) => repair === null || repair.seq > later.seq)
  for (const { applies } of consequenceRules) {
    const earlier = open.find((one) => applies(later, one))
    if (earlier) return earlier
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
function rankOf(failure: FailureFact, caused: ReadonlySet<FailureFact>): number {
  if (failure.kind === 'run') return 5
  if (isHarmless(failure)) return 4
  const isKnown = failure.condition !== null && !oftenFollows(failure.condition)
  if (caused.has(failure)) return isKnown ? 0 : 1
  return isKnown ? 2 : 3
}

/** A refused call, a mistake in a command, or a call that only looked for something. */
function isHarmless(failure: FailureFact): boolean {
  return failure.kind === 'refused' || isSlip(failure.condition) || (failure.condition === 'missing_file' && isLookup(failure))
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

const readers: readonly (string | null)[] = 'cat head tail ls stat wc file less find grep rg sed awk jq du'.split(' ')

/** It only looked for something, so nothing depends on it. */
function isLookup({ tool, program, condition }: FailureFact): boolean {
  return (
    readers.includes(program) ||
    /^(?:fs\.(?:read|list|search)|web\.|kb\.|memory\.)/.test(tool ?? '') ||
    (program !== null && condition === 'missing_file' && program === 'test')
  )
}
