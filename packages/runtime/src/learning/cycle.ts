// `record_run_learning_cycle()`: evaluates a run that has ended or was restored, reflects on it, clusters its failures, and proposes what
// follows from it. All of it is one transaction with the event that starts the evolution of skills, so it happens once, or not at all.
import { type OutcomeEvaluation, type Reflection, reflectionRecommendations } from '@tandem/contract/learning'
import { canonicalJson } from '@tandem/contract/sync'
import type { Events } from '../event/events.ts'
import type { Lifecycle } from '../event/lifecycle/lifecycle.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { BackgroundModel } from '../memory/extract-with-model.ts'
import { compileSecretPatterns } from '../memory/rule/secret/secrets.ts'
import { inSlices, openQueue, othersFirst, type SlicedWork } from '../scheduler/slices.ts'
import type { Store } from '../store/store.ts'
import type { PreparedCalls } from './candidate/call-records.ts'
import type { PolicyCandidates } from './candidate/open-candidates.ts'
import { crashPoint } from './crashpoint.ts'
import { questionAbout } from './opinion/question.ts'
import { askForOpinion } from './opinion/second-opinion.ts'
import { causeFrom } from './pattern/cause.ts'
import { compileConditions } from './pattern/condition.ts'
import { type FailureFact, findFailures } from './pattern/failures.ts'
import type { Patterns } from './pattern/patterns.ts'
import { findRootCause } from './pattern/root-cause.ts'
import { type ReadRunPorts, readRun } from './read-run.ts'
import type { Evaluations } from './record/evaluations.ts'
import type { LearningExclusions } from './record/exclusions.ts'
import type { Reflections } from './record/reflections.ts'
import type { Writebacks } from './record/writebacks.ts'
import { evaluate, type Outcome } from './rule/outcome.ts'
import { type Cause, reflect, rootCause } from './rule/reflect.ts'
import type { JudgedRun, RunFacts } from './rule/run-facts.ts'

export interface CyclePorts extends Omit<ReadRunPorts, 'elapsed'> {
  readonly store: Store
  readonly events: Events
  readonly lifecycle: Pick<Lifecycle, 'record'>
  readonly evaluations: Evaluations
  readonly reflections: Reflections
  readonly writebacks: Writebacks
  readonly patterns: Patterns
  readonly candidates: Pick<PolicyCandidates, 'prepare' | 'after' | 'recommend' | 'create' | 'advance' | 'isOnTrial' | 'undo'>
  readonly exclusions: LearningExclusions
  readonly background: BackgroundModel
  readonly life: 'resident' | 'errand'
  log(line: string): void
}

export interface Cycle {
  /** For the end of a run or a restore: the id of its step. Doing it again changes nothing. */
  record(run_id: string, step_id: string, signal: AbortSignal): Promise<void>
  /** The user corrected the run by a command. */
  revise(run_id: string): Promise<void>
}

interface Recorded {
  readonly evaluation: OutcomeEvaluation
  readonly reflection: Reflection
}

/** Everything that is computed before anything is written. */
interface Findings {
  readonly facts: JudgedRun
  readonly outcome: Outcome
  readonly failures: readonly FailureFact[]
  readonly root: FailureFact | null
  /** The last failure that was repaired. */
  readonly repaired: FailureFact | null
}

type Scored = Pick<OutcomeEvaluation, 'id' | 'trigger' | 'verdict' | 'score'>

const day_ms = 24 * 60 * 60 * 1_000

function* compilePatterns(): SlicedWork<void> {
  yield* compileSecretPatterns()
  yield* compileConditions()
}

export function openCycle(ports: CyclePorts): Cycle {
  const {
    store,
    events,
    lifecycle,
    journal,
    evaluations,
    reflections,
    writebacks,
    patterns,
    candidates,
    exclusions,
    background,
    life,
    log,
  } = ports
  const { elapsed } = store.clock
  const inQueue = openQueue()
  let compiled: Promise<void> | null = null

  async function findIn(read: RunFacts): Promise<Findings> {
    // In a process that lives for one command, nobody else waits, and most of them would be compiled for nothing.
    if (life === 'resident') compiled ??= inSlices(compilePatterns(), elapsed)
    await compiled
    const failures = await inSlices(findFailures(read), elapsed)
    const root = await inSlices(findRootCause(failures), elapsed)
    const repaired = failures.findLast(({ repair, expected }) => repair !== null && !expected) ?? null
    const expected = new Set(failures.flatMap((failure) => (failure.expected ? (failure.call_id ?? []) : [])))
    const facts = { ...read, expected }
    return { facts, outcome: evaluate(facts), failures, root, repaired }
  }

  /** Called after the failures were clustered. */
  function causeOf(failure: FailureFact | null): Cause | null {
    const pattern = failure && patterns.ofStep(failure.step_id)
    return failure && pattern ? causeFrom(failure, pattern) : null
  }

  /** Null if this step has been recorded. */
  function recordOnce(run: RunRecord, { facts, outcome, failures, root, repaired }: Findings, calls: PreparedCalls): Recorded | null {
    return store.transaction(() => {
      const evaluation = evaluations.add(facts, outcome)
      if (!evaluation) return null
      const { run_id, agent_id, conversation_id } = facts
      const { id: evaluation_id, verdict } = evaluation
      tellScore(run, evaluation)
      const reflection_id = store.newId()
      candidates.after(facts, calls)
      const update = candidates.recommend(agent_id)
      const clustered = patterns.cluster(failures, { facts, reflection_id })
      const reflection = reflections.add({
        ...{ id: reflection_id, run_id, agent_id, conversation_id, evaluation_id },
        ...reflect(facts, verdict, { root: causeOf(root), repaired: causeOf(repaired) }),
        recommended_policy_update: update && { title: update.title, rationale: update.rationale, changes: [...update.changes] },
      })
      proposeMemory(reflection)
      tellReflection(run, reflection)
      tellPatterns(run, reflection_id, clustered)
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
    writebacks.add({ run_id, agent_id, conversation_id, reflection_id, gap_analysis_id: null, ...memory })
  }

  /** For each evaluation, and again when it is revised: whoever shows the run reads it then. */
  function tellScore(run: RunRecord, { id: evaluation_id, trigger, verdict, score }: Scored): void {
    events.emit('outcome_scored', { run }, { evaluation_id, trigger, verdict, score })
  }

  /** When it is recorded, and again when it is revised. */
  function tellReflection(run: RunRecord, reflection: Reflection): void {
    const { id: reflection_id, evaluation_id, root_cause, affected_subsystem } = reflection
    const recommendations = reflectionRecommendations.filter((field) => reflection[field] !== null)
    events.emit('reflection_generated', { run }, { reflection_id, evaluation_id, root_cause, affected_subsystem, recommendations })
  }

  function tellPatterns(run: RunRecord, reflection_id: string, clustered: ReturnType<Patterns['cluster']>): void {
    if (clustered.length === 0) return
    const found = clustered.map(({ pattern: { id: pattern_id, signature, occurrences }, first_seen }) => {
      return { pattern_id, signature, occurrences, first_seen }
    })
    events.emit('failure_pattern_clustered', { run }, { reflection_id, patterns: found })
  }

  async function recordRun(run: RunRecord, step_id: string): Promise<Findings | null> {
    const facts = await readRun({ ...ports, elapsed }, run, step_id)
    if (!facts) return null
    const found = await findIn(facts)
    const calls = await inSlices(candidates.prepare(facts), elapsed)
    await othersFirst()
    recordOnce(run, found, calls)
    return found
  }

  /** Nothing is learned from the run, but a change that is on trial is in force in it, and must not outlive its failure. */
  async function undoCanaries(run: RunRecord, step_id: string): Promise<void> {
    if (!candidates.isOnTrial(run.agent_id)) return
    const facts = await readRun({ ...ports, elapsed }, run, step_id)
    if (facts) candidates.undo(facts)
  }

  /** The user corrected a run after it had been evaluated. Doing it again changes nothing. */
  async function revise(evaluation: OutcomeEvaluation | undefined): Promise<void> {
    const run = evaluation && journal.run(evaluation.run_id)
    if (!run || !ports.isCorrected(run) || exclusions.has(run.agent_id, run.conversation_id)) return
    const facts = await readRun({ ...ports, elapsed }, run, evaluation.step_id)
    if (!facts) return
    const found = await findIn(facts)
    const { verdict, score } = found.outcome
    store.transaction(() => {
      if (score < evaluation.score) {
        evaluations.revise(evaluation.id, found.outcome)
        tellScore(run, { ...evaluation, verdict, score })
      }
      reviseReflection(run, evaluation.id, found)
    })
  }

  function reviseReflection(run: RunRecord, evaluation_id: string, { facts, outcome, root, repaired }: Findings): void {
    const before = reflections.ofEvaluation(evaluation_id)
    if (!before) return
    const learned = reflect(facts, outcome.verdict, { root: causeOf(root), repaired: causeOf(repaired) })
    // A failure is still the cause, and so is what a model found.
    const isUncaused = before.root_cause === rootCause({ ...facts, corrected: false }, null)
    const root_cause = isUncaused ? learned.root_cause : before.root_cause
    const { recommended_skill_gap_analysis } = learned
    if (
      root_cause === before.root_cause &&
      canonicalJson(before.recommended_skill_gap_analysis) === canonicalJson(recommended_skill_gap_analysis)
    )
      return
    reflections.revise(before.id, { root_cause, recommended_skill_gap_analysis })
    tellReflection(run, { ...before, root_cause, recommended_skill_gap_analysis })
  }

  /** Runs of last month must not use up the tokens of today. */
  function isRecent({ updated_at }: RunRecord): boolean {
    return store.clock.now() - updated_at < day_ms
  }

  async function addOpinion(run: RunRecord, found: Findings, signal: AbortSignal): Promise<void> {
    const { facts } = found
    const recorded = evaluations.ofStep(facts.step_id, 'rules')
    const reflection = recorded && reflections.ofEvaluation(recorded.id)
    if (!reflection || !isRecent(run) || background.current() === null) return
    // Asked before: the event is delivered again.
    if (evaluations.ofStep(facts.step_id, 'model') || evaluations.droppedOpinion(recorded.id)) return
    const opinion = await askForOpinion(background, questionAbout(found), signal)
    if (opinion.is !== 'given') {
      log(`learning: there is no second opinion on run ${run.run_id}: ${opinion.reason}`)
      if (opinion.is === 'dropped') store.transaction(() => evaluations.dropOpinion(recorded.id, opinion))
      return
    }
    store.transaction(() => {
      const second = evaluations.addOpinion(facts, opinion.outcome, opinion.model)
      if (!second) return
      if (opinion.root_cause !== null) reflections.reword(reflection.id, opinion.root_cause)
      tellScore(run, second)
      crashPoint('opinion_recording')
    })
    crashPoint('opinion_recorded')
  }

  return {
    async record(run_id, step_id, signal) {
      const run = journal.run(run_id)
      if (!run) return
      if (exclusions.has(run.agent_id, run.conversation_id)) return await inQueue(() => undoCanaries(run, step_id))
      const recorded = await inQueue(() => recordRun(run, step_id))
      if (!recorded) return
      crashPoint('cycle_recorded')
      await candidates.advance(run.agent_id, 'scheduler')
      // What the user writes next is known only when the next run ends.
      await inQueue(() => revise(evaluations.before(run)))
      await addOpinion(run, recorded, signal)
    },
    revise: (run_id) => inQueue(() => revise(evaluations.ofRun(run_id))),
  }
}
