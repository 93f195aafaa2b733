// Every failure of a run, in order. Pure.
import type { FailureContract } from '@tandem/contract/failure'
import { programsIn, type RunProgram } from '../../policy/shell/run-programs.ts'
import { atOnce, type SlicedWork } from '../../scheduler/slices.ts'
import { type CallFact, isFailedCall, type RunFacts } from '../rule/run-facts.ts'
import { type Help, helpAfter } from './aftermath.ts'
import { conditionOf } from './condition.ts'
import { errorLines, outerLines } from './error-lines.ts'
import { isExpected } from './expected.ts'
import { withInherited } from './inherited.ts'
import { isNeeded } from './needed.ts'
import { reachedLimit } from './reached-limit.ts'
import { findRepairs, type ReadCall, type Repair, type Repairs } from './repair.ts'
import { safeText, safeTokens, type Tokens } from './template.ts'
import { noTrail, readTrails, type Trail, type Trails } from './trail.ts'

export interface FailureFact {
  /** A call that failed, one that did not run because it was refused, an `error` step, or the end of the run. */
  readonly kind: 'call' | 'refused' | 'error' | 'run'
  readonly step_id: string
  readonly seq: number
  readonly call_id: string | null
  readonly tool: string | null
  readonly failure_contract: FailureContract | null
  readonly exit_code: number | null
  readonly timed_out: boolean
  /** The program that failed, if it was a command. */
  readonly program: string | null
  readonly words: readonly string[]
  /** What went wrong, the most telling line first, without secrets. Raw text: evidence, never content. */
  readonly lines: readonly string[]
  /** Of the most telling line, without its variable parts. */
  readonly tokens: Tokens
  /** A row of the table of conditions. */
  readonly condition: string | null
  /** It is a result, such as a search that finds nothing. */
  readonly expected: boolean
  readonly repair: Repair | null
  /** What was done before it was repaired. */
  readonly help: Help | null
  /** What the run did next about it. */
  readonly trail: Trail
}

/** Of a run. The first ones caused the others, and more of the same say nothing new. */
const mostFailures = 500

export function failuresIn(facts: RunFacts): readonly FailureFact[] {
  return atOnce(findFailures(facts))
}

export function* findFailures(facts: RunFacts): SlicedWork<readonly FailureFact[]> {
  const read: ReadCall[] = []
  for (const call of facts.calls) {
    read.push({ call, programs: programsOf(call), written: writtenPrograms(call), given: argumentsOf(call.arguments) })
    yield
  }
  const next = { repairs: findRepairs(read), trails: readTrails(read, facts.trigger === 'completed') }
  const calls: FailureFact[] = []
  for (const call of facts.calls.filter((one) => one.outcome === 'denied' || isFailedCall(one)).slice(0, mostFailures)) {
    calls.push(failedCall(call, next, facts))
    yield
  }
  const errors = facts.errors
    .slice(0, mostFailures)
    .map(({ step_id, seq, failure_contract }) => withoutCall('error', { step_id, seq, failure_contract }))
  const all = [...withInherited(calls), ...errors].sort((left, right) => left.seq - right.seq)
  const { failure_contract, step_id } = facts
  if (failure_contract === null || errors.some((error) => error.step_id === step_id)) return all
  return [...all, withoutCall('run', { step_id, seq: Number.MAX_SAFE_INTEGER, failure_contract })]
}

function withoutCall(
  kind: 'error' | 'run',
  { step_id, seq, failure_contract }: { readonly step_id: string; readonly seq: number; readonly failure_contract: FailureContract },
): FailureFact {
  const lines = safeLines(contractLines(failure_contract))
  const ended = { reason_code: failure_contract.reason_code, exit_code: null, timed_out: false, program: null, lines }
  return {
    ...{ kind, step_id, seq, failure_contract, lines, tokens: safeTokens(lines[0] ?? '') },
    ...{ call_id: null, tool: null, exit_code: null, timed_out: false, program: null, words: [] },
    ...{ condition: conditionOf(ended), expected: false, repair: null, help: null, trail: noTrail },
  }
}

function failedCall(
  call: CallFact,
  { repairs, trails }: { readonly repairs: Repairs; readonly trails: Trails },
  facts: RunFacts,
): FailureFact {
  const { step_id, seq, call_id, tool, command, failure_contract } = call
  const kind = call.outcome === 'denied' ? 'refused' : 'call'
  const output = command?.output ?? ''
  const said = failure_contract ? contractLines(failure_contract) : errorLines(output)
  const failed = failedProgram(call, said)
  // The name of a program is text of a model: it can be a secret, too.
  const [name = '', ...lines] = safeLines([failed?.program ?? '', ...said])
  const program = /^[\w.+[-]{1,60}$/.test(name) ? name : null
  const words = failed?.words ?? []
  const timed_out = call.outcome === 'timed_out' || (command?.timed_out ?? false) || isStoppedByTimeout(call)
  const ended = { exit_code: command?.exit_code ?? null, timed_out, program, lines }
  const compared = comparesExpectation(failed, ended.exit_code)
  const more = failure_contract ? {} : { more: () => outerLines(output), signal: command?.signal ?? null }
  const found = compared ? 'failed_test' : conditionOf({ ...ended, ...more, reason_code: failure_contract?.reason_code ?? null })
  const condition = knownFrom(found, call, lines)
  const repair = repairs.after(call, condition)
  return {
    ...{ kind, step_id, seq, call_id, tool, failure_contract, words, ...ended, condition, tokens: safeTokens(lines[0] ?? '') },
    expected: kind === 'call' && failure_contract === null && !compared && isExpected({ ...ended, words, output, condition }),
    ...{ repair, help: helpAfter({ seq, repair }, facts), trail: trails.after(call, failure_contract?.details.message ?? output) },
  }
}

/** What the text alone does not say: what the call named, and how long it took. */
function knownFrom(found: string | null, call: CallFact, lines: readonly string[]): string | null {
  if (call.failure_contract !== null) return found
  // What a script or a makefile starts is installed as a package; what the agent wrote itself may be a mistake.
  if (found === 'missing_command') return startsOther(call, lines) ? 'missing_dependency' : found
  if (found === 'missing_file' || found === null) {
    if (isNeeded(lines, call.arguments)) return 'missing_dependency'
  }
  return found === null && reachedLimit(call.duration_ms, call.arguments, lines) ? 'timed_out' : found
}

function contractLines({ details }: FailureContract): readonly string[] {
  return errorLines(details.message.slice(0, 2_000))
}

/** Masked together, which takes less time than one by one. */
function safeLines(lines: readonly string[]): readonly string[] {
  return safeText(lines.join('\n'), 4_000).split('\n')
}

/** The last one that can have failed: the one that an error line names, or the last. */
function failedProgram(call: CallFact, lines: readonly string[]): RunProgram | null {
  const programs = programsOf(call)
  return programs.find(({ program }) => lines.some((line) => line.startsWith(`${program}: `))) ?? programs.at(-1) ?? null
}

/** The program `timeout` ends others with these exit codes. */
function isStoppedByTimeout({ arguments: json, command }: CallFact): boolean {
  const isEnded = command !== null && (command.exit_code === null || [124, 137, 143].includes(command.exit_code))
  return isEnded && /\btimeout\s/.test(json)
}

/** The program that was not found is not one that the command names. */
function startsOther(call: CallFact, lines: readonly string[]): boolean {
  const written = writtenPrograms(call)
  const last = written.at(-1)
  if (last !== undefined && packageManagers.has(last.program) && /^(?:run|run-script|test|start|exec|t)$/.test(last.words[0] ?? ''))
    return true
  const missing = lines.flatMap((line) => notFound.exec(line)?.[1] ?? [])
  return missing.length > 0 && missing.every((name) => !written.some(({ program, words }) => program === name || words.includes(name)))
}

const notFound = /(?:^|[\s:"'‘»„])([\w.+-]+)["'’«“]?: (?:command not found|not found|kommando nicht gefunden|befehl nicht gefunden)/i

/** A comparison with what is expected is a test, and not a search for differences. */
function comparesExpectation(failed: RunProgram | null, exit_code: number | null): boolean {
  if (failed === null || exit_code !== 1 || !['diff', 'cmp'].includes(failed.program)) return false
  return failed.words.some((word) => /(?:^|[/._-])(?:expected|golden|reference|snapshot|baseline|erwartet|soll|referenz)/i.test(word))
}

const packageManagers: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun'])

function programsOf({ tool, arguments: json, command }: CallFact): readonly RunProgram[] {
  const given = argumentsOf(json)
  if (tool === 'script.run') {
    const words = [given.path, ...(Array.isArray(given.args) ? given.args : [])].filter((word) => typeof word === 'string')
    return typeof given.language === 'string' ? [{ program: given.language, words }] : []
  }
  return writtenPrograms({ arguments: json }).flatMap((one) => {
    const script = packageManagers.has(one.program) ? scriptIn(command?.output ?? '') : null
    const inside = script === null ? [] : programsIn(script)
    return inside.length > 0 ? inside : [one]
  })
}

function writtenPrograms({ arguments: json }: Pick<CallFact, 'arguments'>): readonly RunProgram[] {
  const { command } = argumentsOf(json)
  return typeof command === 'string' ? programsIn(command) : []
}

/** npm prints the name of a script and then its command, each after `> `. */
function scriptIn(output: string): string | null {
  const lines = output.slice(0, 4_000).split('\n')
  const at = lines.findLastIndex((line) => /^> \S+@\S+ \S/.test(line) || /^> \S+$/.test(line))
  const command = lines.slice(at + 1, at + 3).find((line) => line.startsWith('> '))
  return at >= 0 && command !== undefined ? command.slice(2) : null
}

function argumentsOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
  } catch {
    // A model can write anything; text that is not JSON names no program.
    return {}
  }
}
