// What is learned from a run. Pure. Its texts are made of names and counts from the records and of mined templates, never of raw output.
import type { FailureStage } from '@tandem/contract/failure'
import type { GapKind, OutcomeVerdict, Reflection } from '@tandem/contract/learning'
import { checkpointedTools } from '@tandem/contract/tool'
import { type CallFact, isFailedCall, isFailure, type JudgedRun, type RunFacts } from './run-facts.ts'
import { subsystemOf } from './subsystem.ts'

/** The failure that caused the others, and what is known of its pattern. */
export interface Cause {
  /** One or two sentences, without raw output. */
  readonly summary: string
  readonly stage: FailureStage | (string & {})
  readonly taxonomy: string
  readonly tool: string | null
  readonly program: string | null
  /** How it is recognized, after "fails"; null if nothing of it may be repeated in a text. */
  readonly because: string | null
  /** It succeeded later in the run. */
  readonly repaired: boolean
  /** What was done in between, with placeholders; null if nothing stands out. */
  readonly helped: string | null
  /** In how many runs of this agent it occurred, including this one. */
  readonly runs: number
}

export type Learned = Pick<
  Reflection,
  | 'root_cause'
  | 'affected_subsystem'
  | 'recommended_memory_writeback'
  | 'recommended_workflow_extraction'
  | 'recommended_skill_gap_analysis'
>

/** A run with fewer steps is not worth a workflow. */
const fewestSteps = 4
const mostSteps = 500
/** A failure that occurred in this many runs will occur again. */
const recurs = 3
const longestContent = 500

export interface Causes {
  readonly root: Cause | null
  /** The last failure that was repaired. */
  readonly repaired: Cause | null
}

export function reflect(facts: JudgedRun, verdict: OutcomeVerdict, { root, repaired }: Causes): Learned {
  const cause = root ?? repaired
  const workflow = workflowFrom(facts, verdict)
  return {
    root_cause: rootCause(facts, cause),
    affected_subsystem: cause ? subsystemOf(cause) : 'none',
    recommended_memory_writeback: repaired ? lessonFrom(repaired) : null,
    recommended_workflow_extraction: workflow,
    recommended_skill_gap_analysis: gapFrom(facts, cause, workflow !== null),
  }
}

export function rootCause(
  run: Pick<JudgedRun, 'trigger' | 'calls' | 'corrected' | 'restores' | 'expected'>,
  cause: Pick<Cause, 'summary' | 'repaired'> | null,
): string {
  const { trigger, calls, corrected, restores } = run
  if (cause) return cause.repaired ? `${cause.summary} It was repaired during the run.` : cause.summary
  const denied = calls.filter(({ outcome, approval }) => outcome === 'denied' && approval?.answer === 'no').length
  if (denied > 0) return `You denied ${denied === 1 ? 'a call' : `${denied} calls`}.`
  if (trigger === 'canceled') return 'You canceled the run.'
  if (restores > 0) return 'You restored an earlier point.'
  if (corrected) return 'You corrected the result.'
  return calls.some((call) => isFailure(call, run))
    ? 'Some calls failed, but the run did not need them or repaired them.'
    : 'Nothing failed.'
}

/** A lesson needs something that helped: that something fails is no knowledge. */
function lessonFrom({ tool, program, because, helped, runs }: Cause): Reflection['recommended_memory_writeback'] {
  if (helped === null || because === null) return null
  const content = `When ${program ?? tool ?? 'a run'} fails ${because}: ${helped}`
  if (content.length > longestContent) return null
  return { memory_kind: 'semantic', content, confidence: Math.min(0.9, 0.4 + runs / 10) }
}

function workflowFrom({ calls, asked_by_person }: RunFacts, verdict: OutcomeVerdict): Reflection['recommended_workflow_extraction'] {
  if (verdict !== 'success' || !asked_by_person) return null
  const steps = calls.filter((call) => call.outcome === 'succeeded' && !isFailedCall(call) && !call.undone)
  const effects = steps.filter(({ tool }) => (checkpointedTools as readonly string[]).includes(tool))
  if (steps.length < fewestSteps || effects.length === 0) return null
  return {
    title: 'Make a workflow from this run',
    rationale: `${counted(steps, 'step')} succeeded, ${effects.length} of them could change files, and you did not object to any.`,
    tools: steps.slice(0, mostSteps).map(({ tool }) => tool),
    step_ids: steps.slice(0, mostSteps).map(({ step_id }) => step_id),
  }
}

interface GapRule {
  readonly gap_kind: GapKind
  find(facts: RunFacts, cause: Cause | null, hasWorkflow: boolean): string | null
}

/** The first row that applies decides. */
const gapRules: readonly GapRule[] = [
  {
    gap_kind: 'policy_gap',
    find: (_facts, cause) =>
      cause?.taxonomy === 'policy_failure' && cause.runs >= recurs ? `The policy refused it in ${cause.runs} runs.` : null,
  },
  {
    gap_kind: 'knowledge_gap',
    find: ({ corrected }) => (corrected ? 'You corrected what the run said or did.' : null),
  },
  {
    gap_kind: 'skill_gap',
    find: (_facts, cause) => (cause && cause.runs >= recurs && !cause.repaired ? `The same failure occurred in ${cause.runs} runs.` : null),
  },
  { gap_kind: 'workflow_gap', find: (_facts, _cause, hasWorkflow) => (hasWorkflow ? 'Its steps could run as a workflow.' : null) },
]

function gapFrom(facts: RunFacts, cause: Cause | null, hasWorkflow: boolean): Reflection['recommended_skill_gap_analysis'] {
  for (const { gap_kind, find } of gapRules) {
    const rationale = find(facts, cause, hasWorkflow)
    if (rationale !== null) return { gap_kind, rationale }
  }
  return null
}

function counted(calls: readonly CallFact[], noun: string): string {
  return `${calls.length} ${noun}${calls.length === 1 ? '' : 's'}`
}
