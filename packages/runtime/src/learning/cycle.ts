// `record_run_learning_cycle()`: evaluates a run that has ended or was restored, reflects on it, clusters its failures, and proposes what
// follows from it. All of it is one transaction with the event that starts the evolution of skills, so it happens once, or not at all.
import { type OutcomeEvaluation, type Reflection, reflectionRecommendations } from '@tandem/contract/learning'
import type { Events } from '../event/events.ts'
import type { Lifecycle } from '../event/lifecycle/lifecycle.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { BackgroundModel } from '../memory/extract-with-model.ts'
import type { Store } from '../store/store.ts'
import type { PolicyCandidates } from './candidate/open-candidates.ts'
import { crashPoint } from './crashpoint.ts'
import { type FailureFact, failuresIn } from './pattern/failures.ts'
import type { Patterns } from './pattern/patterns.ts'
import { rootCauseOf } from './pattern/root-cause.ts'
import { type ReadRunPorts, readRun } from './read-run.ts'
import type { Evaluations } from './record/evaluations.ts'
import type { LearningExclusions } from './record/exclusions.ts'
import type { Reflections } from './record/reflections.ts'
import type { Writebacks } from './record/writebacks.ts'
import { evaluate, type Outcome } from './rule/outcome.ts'
import { type Cause, reflect } from './rule/reflect.ts'
import type { RunFacts } from './rule/run-facts.ts'
import { askForOpinion } from './second-opinion.ts'

export interface CyclePorts extends ReadRunPorts {
  readonly store: Store
  readonly events: Events
  readonly lifecycle: Pick<Lifecycle, 'record'>
  readonly evaluations: Evaluations
  readonly reflections: Reflections
  readonly writebacks: Writebacks
  readonly patterns: Patterns
  readonly candidates: Pick<PolicyCandidates, 'after' | 'recommend' | 'create' | 'advance'>
  readonly exclusions: LearningExclusions
  readonly background: BackgroundModel
  log(line: string): void
}

export interface Cycle {
  /** For the end of a run or a restore: the id of its step. Doing it again changes nothing. */
  record(run_id: string, step_id: string, signal: AbortSignal): Promise<void>
}

interface Recorded {
  readonly evaluation: OutcomeEvaluation
  readonly reflection: Reflection
}

const day_ms = 24 * 60 * 60 * 1_000

export function openCycle(ports: CyclePorts): Cycle {
  const { store, events, lifecycle, journal, evaluations, reflections, writebacks, patterns, candidates, exclusions, background, log } =
    ports

  /** Called after the failures were clustered. */
  function causeOf(failure: FailureFact | null | undefined): Cause | null {
    const pattern = failure && patterns.ofStep(failure.step_id)
    if (!failure || !pattern) return null
    const { summary, stage, taxonomy, template, runs, helped } = pattern
    const { tool, program, repair } = failure
    const help = helped.find(({ call_id }) => call_id !== repair?.call_id)
    return { summary, stage, taxonomy, tool, program, template, runs, repaired: repair !== null, helped: help?.summary ?? null }
  }

  /** Null if this step has been recorded. */
  function recordOnce(facts: RunFacts, run: RunRecord, outcome: Outcome): Recorded | null {
    return store.transaction(() => {
      const evaluation = evaluations.add(facts, outcome)
      if (!evaluation) return null
      const { run_id, agent_id, conversation_id, trigger } = facts
      const { id: evaluation_id, verdict, score } = evaluation
      events.emit('outcome_scored', { run }, { evaluation_id, trigger, verdict, score })
      const failures = failuresIn(facts)
      const reflection_id = store.newId()
      candidates.after(facts)
      const update = candidates.recommend(agent_id)
      const clustered = patterns.cluster(failures, { facts, reflection_id })
      const reflection = reflections.add({
        ...{ id: reflection_id, run_id, agent_id, conversation_id, evaluation_id },
        ...reflect(facts, verdict, {
          root: causeOf(rootCauseOf(failures)),
          repaired: causeOf(failures.findLast(({ repair, expected }) => repair !== null && !expected)),
        }),
        recommended_policy_update: update && { title: update.title, rationale: update.rationale, changes: [...update.changes] },
      })
      proposeMemory(reflection)
      tell(run, reflection, clustered)
      if (update) candidates.create(update, { reflection_id, run })
      lifecycle.record({
        event: 'learning_cycle_recorded',
        event_id: evaluation_id,
        data: { run_id, conversation_id, agent_id, cycle_id: evaluation_id },
      })
      crashPoint('cycle_recording')
      return { evaluation, reflection }
    })
  }

  /** The same lesson is proposed once. */
  function proposeMemory({ id: reflection_id, recommended_memory_writeback: memory, ...of }: Reflection): void {
    if (!memory || writebacks.isKnown(of.agent_id, memory.content)) return
    const { run_id, agent_id, conversation_id } = of
    writebacks.add({ run_id, agent_id, conversation_id, reflection_id, ...memory })
  }

  function tell(run: RunRecord, reflection: Reflection, clustered: ReturnType<Patterns['cluster']>): void {
    const { id: reflection_id, evaluation_id, root_cause, affected_subsystem } = reflection
    const recommendations = reflectionRecommendations.filter((field) => reflection[field] !== null)
    events.emit('reflection_generated', { run }, { reflection_id, evaluation_id, root_cause, affected_subsystem, recommendations })
    if (clustered.length === 0) return
    const found = clustered.map(({ pattern: { id: pattern_id, signature, occurrences }, first_seen }) => {
      return { pattern_id, signature, occurrences, first_seen }
    })
    events.emit('failure_pattern_clustered', { run }, { reflection_id, patterns: found })
  }

  /** What the user writes next is known only when the next run ends. */
  async function reviseEarlier({ conversation, no }: RunRecord): Promise<void> {
    const earlier = journal.runsOf(conversation).findLast((one) => one.no < no)
    const evaluation = earlier && evaluations.ofRun(earlier.run_id)
    if (!earlier || !evaluation || !ports.isCorrected(earlier)) return
    const facts = await readRun(ports, earlier, evaluation.step_id)
    if (!facts) return
    const outcome = evaluate(facts)
    if (outcome.score < evaluation.score) store.transaction(() => evaluations.revise(evaluation.id, outcome))
  }

  /** Runs of last month must not use up the tokens of today. */
  function isRecent({ updated_at }: RunRecord): boolean {
    return store.clock.now() - updated_at < day_ms
  }

  async function addOpinion(facts: RunFacts, run: RunRecord, outcome: Outcome, signal: AbortSignal): Promise<void> {
    const recorded = evaluations.ofStep(facts.step_id, 'rules')
    const reflection = recorded && reflections.ofEvaluation(recorded.id)
    if (!reflection || !isRecent(run) || evaluations.ofStep(facts.step_id, 'model') || background.current() === null) return
    const question = { facts, outcome, root_cause: reflection.root_cause, evidence: evidenceOf(facts, outcome, reflection) }
    const opinion = await askForOpinion(background, question, signal)
    if (!opinion.ok) {
      log(`learning: the second opinion on run ${run.run_id} was dropped: ${opinion.reason}`)
      return
    }
    store.transaction(() => {
      const second = evaluations.addOpinion(facts, opinion.outcome, opinion.model)
      if (second && opinion.root_cause !== null) reflections.reword(reflection.id, opinion.root_cause)
      crashPoint('opinion_recording')
    })
    crashPoint('opinion_recorded')
  }

  return {
    async record(run_id, step_id, signal) {
      const run = journal.run(run_id)
      if (!run || exclusions.has(run.agent_id, run.conversation_id)) return
      const facts = await readRun(ports, run, step_id)
      if (!facts) return
      const outcome = evaluate(facts)
      recordOnce(facts, run, outcome)
      crashPoint('cycle_recorded')
      await candidates.advance(run.agent_id, 'scheduler')
      await reviseEarlier(run)
      await addOpinion(facts, run, outcome, signal)
    },
  }
}

/** The fields that a model's wording may take names from. What a program printed is not among them. */
function evidenceOf(
  { calls, failure_contract, errors, ...facts }: RunFacts,
  { scores }: Outcome,
  reflection: Reflection,
): readonly string[] {
  const failures = [failure_contract, ...errors.map((error) => error.failure_contract), ...calls.map((call) => call.failure_contract)]
  return [
    reflection.root_cause,
    ...scores.map(({ reason }) => reason),
    ...calls.flatMap(({ tool, command }) => [tool, command?.exit_code === undefined ? '' : `exit code ${command.exit_code}`]),
    ...failures.flatMap((failure) => (failure ? [failure.reason_code, failure.stage, failure.source] : [])),
    `${calls.length} calls, ${facts.turns} turns, ${facts.open_todos} todos, ${facts.restores} restores`,
  ]
}
