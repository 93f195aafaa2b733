// Whether a candidate passes its shadow: what it targets would have been different, and nothing good would have been lost.
import type { PolicyCandidate, PolicyCandidateValidation } from '@tandem/contract/policy-candidate'
import type { Fate } from './judge.ts'
import { idOf } from './judge.ts'
import { runs } from './recommended.ts'
import { groupBy, isCutOff, isDeniedByPerson, isSuccess, type RecordedCall } from './recorded-call.ts'
import { isOnlyOutOfScope } from './refused-host.ts'
import { repetitions } from './repeated-call.ts'

export interface ComparedCall {
  readonly call: RecordedCall
  /** As recorded. */
  readonly decided: Fate | null
  /** With the candidate. */
  readonly would: Fate | null
}

export interface ShadowResult
  extends Pick<PolicyCandidateValidation, 'runs_checked' | 'calls_checked' | 'calls_unjudged' | 'divergences' | 'summary'> {
  readonly verdict: 'passed' | 'failed' | 'too_few'
}

export type ShadowedCandidate = Pick<PolicyCandidate, 'rule' | 'evidence' | 'widens'>

const neededCalls = 5
const neededRuns = 3

export function weigh(candidate: ShadowedCandidate, compared: readonly ComparedCall[]): ShadowResult {
  const judged = compared.filter(({ decided, would }) => decided !== null && would !== null)
  const different = judged.filter(({ decided, would }) => decided !== would)
  const runs_checked = new Set(judged.map(({ call }) => call.run_id)).size
  const targets = targetsOf(candidate, compared)
  const lost = different.filter(({ call, would }) => isLost(call, would) && !(isLoop(candidate) && targets.has(idOf(call))))
  const allowed = candidate.widens ? different.filter(({ call, would }) => would === 'runs' && isUnwanted(candidate, call)) : []
  const checked = `${judged.length} recorded calls from ${runs(runs_checked)} were checked.`
  const found = {
    runs_checked,
    calls_checked: judged.length,
    calls_unjudged: compared.length - judged.length,
    // What failed the candidate comes first.
    divergences: [...new Set([...lost, ...allowed, ...different.toReversed()])].map(divergenceOf),
  }
  const result = (verdict: ShadowResult['verdict'], summary: string): ShadowResult => ({
    ...found,
    verdict,
    summary: `${checked} ${summary}`,
  })
  if (lost.length > 0) return result('failed', `${lost.length} of them succeeded and would have been refused or stopped.`)
  if (allowed.length > 0) return result('failed', `${allowed.length} of them were denied or blocked and would have been allowed.`)
  if (judged.length < neededCalls || runs_checked < neededRuns)
    return result('too_few', `At least ${neededCalls} calls from ${neededRuns} runs are needed.`)
  if (!isEffective(candidate, compared, targets)) return result('failed', 'The calls that led to this candidate would have ended the same.')
  return result(
    'passed',
    `${different.length} of them would have been decided differently, and no call that succeeded would have been lost.`,
  )
}

function isLost(call: RecordedCall, would: Fate | null): boolean {
  return isSuccess(call) && (would === 'refused' || would === 'stopped')
}

/** What a person approved and only the scope refused is what the candidate is for. */
function isUnwanted({ rule }: ShadowedCandidate, call: RecordedCall): boolean {
  if (rule === 'refused_host' && isOnlyOutOfScope(call)) return false
  return isDeniedByPerson(call) || call.taxonomy !== 'none'
}

/** Calls that were repeated for nothing are what it is for. */
function isLoop({ rule }: ShadowedCandidate): boolean {
  return rule === 'repeated_call'
}

function targetsOf(candidate: ShadowedCandidate, compared: readonly ComparedCall[]): ReadonlySet<string> {
  if (isLoop(candidate)) return new Set([...repetitions(compared.map(({ call }) => call))].map(idOf))
  const evidence = new Set(candidate.evidence.map(idOf))
  const targets = compared.filter(({ call }) => evidence.has(idOf(call)) && (candidate.rule !== 'short_time_limit' || isCutOff(call)))
  return new Set(targets.map(({ call }) => idOf(call)))
}

/** In every run with such calls, at least one of them would have been different. */
function isEffective({ rule }: ShadowedCandidate, compared: readonly ComparedCall[], targets: ReadonlySet<string>): boolean {
  // The person asked for it, so that no call like this is made.
  if (rule === 'forbidden_path') return true
  const targeted = compared.filter(({ call }) => targets.has(idOf(call)))
  // A call that was stopped would have had more time: how it would have ended is not known.
  const isDifferent = ({ decided, would }: ComparedCall) =>
    rule === 'short_time_limit' ? would !== 'stopped' : would !== null && decided !== would
  return targeted.length > 0 && [...groupBy(targeted, ({ call }) => call.run_id).values()].every((group) => group.some(isDifferent))
}

const fates: Readonly<Record<Fate, string>> = {
  runs: 'allowed without asking',
  asks: 'needs your approval',
  refused: 'refused',
  stopped: 'stopped by its time limit',
}

function divergenceOf({ call, decided, would }: ComparedCall): PolicyCandidateValidation['divergences'][number] {
  const { run_id, call_id, tool } = call
  // The person is still asked: only what came after the approval would have been different.
  const would_decide =
    would === 'runs' && isRefusedByScope(call) && decided === 'asks' ? 'carried out after your approval' : fates[would ?? 'asks']
  return { run_id, call_id, tool, decided: decidedText(call, decided), would_decide }
}

function decidedText(call: RecordedCall, decided: Fate | null): string {
  if (decided === 'asks' && isDeniedByPerson(call)) return 'denied by you'
  if (decided === 'asks') return isRefusedByScope(call) ? `approved by you, then refused: ${call.reason_code}` : 'approved by you'
  if (decided === 'refused') return call.reason_code === null ? 'refused' : `refused: ${call.reason_code}`
  return decided === 'runs' ? 'allowed' : 'stopped by its time limit'
}

function isRefusedByScope({ reason_code }: RecordedCall): boolean {
  return reason_code === 'path_out_of_scope' || reason_code === 'host_out_of_scope'
}
