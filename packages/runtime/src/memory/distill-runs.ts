// Distillation: runs that went well become procedures, and later runs strengthen or weaken them. Part of a review, never of a turn. A run and
// what it changes are written together, so doing it again, or after a crash, changes nothing.
import type { OutcomeVerdict } from '@tandem/contract/learning'
import { distillers, type Memory, type Procedure, type ProcedureStep } from '@tandem/contract/memory'
import type { Journal } from '../journal/journal.ts'
import { othersFirst } from '../scheduler/slices.ts'
import type { Store } from '../store/store.ts'
import { crashPoint } from './crashpoint.ts'
import { distillWithModel } from './distill-with-model.ts'
import type { BackgroundModel } from './extract-with-model.ts'
import type { Corrections } from './record/corrections.ts'
import type { DistillationPolicies } from './record/distillation-policies.ts'
import type { Memories } from './record/memories.ts'
import type { ProcedureRuns } from './record/procedure-runs.ts'
import type { Proposal, Remember } from './remember.ts'
import type { ResolutionCycle } from './resolution-cycle.ts'
import { ownSentences } from './rule/extract/own-words.ts'
import { flowOf, followsProcedure, isSameProcedure, wentWell } from './rule/procedure/distill.ts'
import { type FlowGroup, fewestSteps, groupFlows } from './rule/procedure/group.ts'
import { isTooWeak, strengthen, takeBack, unproven, weaken } from './rule/procedure/strength.ts'
import { hasSecret, maskSecrets } from './rule/secret/secrets.ts'
import { type TracedRun, traceRun } from './run-trace.ts'

export interface DistillPorts {
  readonly store: Store
  readonly journal: Journal
  readonly memories: Memories
  readonly corrections: Corrections
  readonly policies: DistillationPolicies
  readonly runs: ProcedureRuns
  readonly remember: Remember
  readonly cycle: ResolutionCycle
  readonly background: BackgroundModel
  /** How the evaluation of a run ended; null if there is none. */
  verdictOf(run_id: string): OutcomeVerdict | null
  /** Profiles and relationships, in the transaction of the change. */
  learned(memories: readonly Memory[], agent_id: string): void
  log(line: string): void
}

export interface Distill {
  /** The procedures that it wrote. One at a time. */
  run(agent_id: string, signal: AbortSignal): Promise<readonly Memory[]>
  /** A run that ends while it is not to be remembered is never used, even if the user changes this later. */
  ended(run_id: string): void
}

type ProcedureMemory = Memory & { readonly procedure: Procedure }
type Written = Pick<Procedure, 'distiller' | 'fallback_reason'> & { readonly title: string; readonly steps: readonly ProcedureStep[] }

/** Older runs that have not found a second one of their kind are not compared any more. */
const mostRuns = 200
const mostProcedures = 1_000
/** A procedure that makes up at least this share of a run is what the run did; the run leads to no other. */
const coveredShare = 0.5
const longestRequest = 160
const longestReason = 300

export function openDistill(ports: DistillPorts): Distill {
  const { store, journal, memories, policies, runs, remember, cycle, background, learned, log } = ports
  let before: Promise<unknown> = Promise.resolve()

  async function traced(numbers: readonly number[], signal: AbortSignal): Promise<readonly TracedRun[]> {
    const list: TracedRun[] = []
    for (const no of numbers) {
      signal.throwIfAborted()
      list.push(traceRun(ports, journal.runNo(no)))
      // A long run takes time to read; turns go first.
      await othersFirst()
    }
    return list
  }

  const isExcluded = ({ run }: TracedRun) => remember.isExcluded(run.agent_id, run.conversation_id)

  function proceduresOf(agent_id: string): readonly ProcedureMemory[] {
    return memories.page({ agent_id, memory_kinds: ['procedural'] }, null, mostProcedures).filter(isDistilled)
  }

  /** Counts the runs that follow a procedure. */
  function count(agent_id: string, procedures: readonly ProcedureMemory[], list: readonly TracedRun[]): void {
    store.transaction(() => {
      const changed = procedures.flatMap(({ id }) => {
        const memory = memories.get(id)
        return memory && isDistilled(memory) ? (counted(memory, list) ?? []) : []
      })
      if (changed.length === 0) return
      cycle.apply(changed)
      learned(changed, agent_id)
    })
    crashPoint('runs_counted')
  }

  function counted(memory: ProcedureMemory, list: readonly TracedRun[]): Memory | null {
    const { id, confidence, confirmed_by_user, state, state_reason, procedure } = memory
    const initial = { confidence, successes: procedure.successes, failures: procedure.failures }
    let strength = initial
    for (const one of list) {
      const known = runs.outcome(id, one.run.no)
      if (known === undefined && !followsProcedure({ id, steps: procedure.steps }, one.trace)) continue
      const outcome = wentWell(one.trace) ? 'success' : 'failure'
      // A failure stays one: a run that was restored and then continued was not a success.
      if (known === 'failure') continue
      if (known === undefined) strength = outcome === 'success' ? strengthen(strength) : weaken(strength)
      else if (outcome === 'failure') strength = takeBack(strength)
      runs.set(id, one.run, outcome)
    }
    if (strength === initial) return null
    crashPoint('runs_counting')
    const { successes, failures } = strength
    // What the user confirmed or wrote stays as it is; only the counts are facts.
    const sure = confirmed_by_user ? {} : { confidence: strength.confidence }
    const edited = memories.edit(id, { procedure: { ...procedure, successes, failures }, ...sure })
    if (confirmed_by_user) return edited
    if (state === 'active' && isTooWeak(strength)) return memories.move(id, 'archive', 'weakened')
    return state === 'archived' && state_reason === 'weakened' && !isTooWeak(strength) ? memories.move(id, 'reinstate', null) : edited
  }

  /** By the distillers of the policy, in order; the rules never fail. */
  async function written({ runs: members, steps }: FlowGroup<TracedRun>, signal: AbortSignal): Promise<Written> {
    const { policy } = policies.of(newestOf(members).run.agent_id)
    const byRules = { title: titleOf(members), steps, distiller: 'heuristic' } as const
    if (distillers(policy.mode, { complex: steps.length >= policy.complex_flow_steps })[0] !== 'llm') return byRules
    const requests = members.map(({ request }) => maskSecrets(request))
    const answer = await distillWithModel(background, { requests, steps, model: policy.model }, signal)
    const reason = answer.ok ? titleProblem(answer.title, members) : answer.reason
    if (answer.ok && reason === null) return { title: answer.title, steps: answer.steps, distiller: 'llm' }
    const fallback_reason = maskSecrets(reason ?? '').slice(0, longestReason)
    log(`memory: local rules wrote a procedure instead of the model: ${fallback_reason}`)
    return { ...byRules, fallback_reason }
  }

  /** The gate that everything passes: no secret, and nothing that the user never named. */
  function titleProblem(title: string, members: readonly TracedRun[]): string | null {
    const verdict = remember.judging(newestOf(members).run.conversation_id)(candidateOf(title, members))
    if (!verdict.ok) return 'its title did not pass the checks for memories'
    return verdict.authority === 'untrusted' ? 'its title names something that you never mentioned' : null
  }

  /** Writes the procedure with the runs it rests on; null if they were used or excluded meanwhile, or the rules refuse it. */
  function write(agent_id: string, { runs: members }: FlowGroup<TracedRun>, { title, steps, ...procedure }: Written): Memory | null {
    return store.transaction(() => {
      if (members.some((one) => runs.isDone(one.run.no) || isExcluded(one))) return null
      const strength = members.reduce((known) => strengthen(known), unproven)
      const { run } = newestOf(members)
      const proposal: Proposal = {
        ...candidateOf(title, members),
        confidence: strength.confidence,
        origin_key: `distillation:${members[0]?.run.run_id}`,
        procedure: { ...procedure, steps: [...steps], successes: strength.successes, failures: strength.failures },
      }
      const occasion = { agent_id, conversation_id: run.conversation_id, run_id: run.run_id, source_type: 'distillation' } as const
      const { written: list, dropped } = remember.write([proposal], occasion)
      for (const { reason } of dropped) log(`memory: a procedure was not kept: ${reason}`)
      crashPoint('procedure_writing')
      for (const one of members) {
        for (const { id } of list) runs.set(id, one.run, 'success')
        runs.done(one.run.no)
      }
      cycle.apply(list)
      learned(list, agent_id)
      return list[0] ?? null
    })
  }

  async function distill(agent_id: string, signal: AbortSignal): Promise<readonly Memory[]> {
    if (remember.isExcluded(agent_id, null)) return []
    const known = proceduresOf(agent_id)
    count(agent_id, known, await traced(runs.changed(agent_id), signal))
    const settled = await traced(runs.waiting(agent_id, mostRuns), signal)
    const list = settled.filter((one) => !isExcluded(one))
    count(agent_id, known, list)
    const open = list.filter((one) => !isCovered(one, known))
    const created: ProcedureMemory[] = []
    for (const group of groupFlows(open, hasSecret)) {
      if ([...known, ...created].some(({ procedure }) => isSameProcedure(procedure.steps, group.steps))) continue
      const memory = write(agent_id, group, await written(group, signal))
      crashPoint('procedure_written')
      if (memory && isDistilled(memory)) created.push(memory)
    }
    count(agent_id, created, list)
    // What can lead to no procedure is not read again; a good run waits for a second one.
    const isWaiting = (one: TracedRun) => list.includes(one) && wentWell(one.trace) && flowOf(one.trace, hasSecret).length >= fewestSteps
    const finished = settled.filter((one) => !isWaiting(one) || isCovered(one, known))
    store.transaction(() => {
      for (const { run } of finished) runs.done(run.no)
    })
    crashPoint('runs_finished')
    return created.flatMap(({ id }) => memories.get(id) ?? [])
  }

  return {
    run(agent_id, signal) {
      const turn = before.catch(() => undefined).then(() => distill(agent_id, signal))
      before = turn
      return turn
    },
    ended(run_id) {
      const run = journal.run(run_id)
      if (run && remember.isExcluded(run.agent_id, run.conversation_id)) store.transaction(() => runs.done(run.no))
    },
  }
}

function isDistilled(memory: Memory): memory is ProcedureMemory {
  return memory.procedure !== null && memory.agent_id !== null && memory.source_type === 'distillation'
}

function isCovered({ trace }: TracedRun, procedures: readonly ProcedureMemory[]): boolean {
  const { length } = flowOf(trace, hasSecret)
  return procedures.some(({ id, procedure: { steps } }) => followsProcedure({ id, steps }, trace) && steps.length >= length * coveredShare)
}

function newestOf(members: readonly TracedRun[]): TracedRun {
  const last = members.at(-1)
  if (!last) throw new Error('a flow has at least two runs')
  return last
}

/** About the folder that all runs worked in, or else about how the agent works. */
function candidateOf(title: string, members: readonly TracedRun[]) {
  const workspaces = new Set(members.map(({ run }) => run.workspace))
  const folder = workspaces.size === 1 ? [...workspaces][0]?.split(/[\\/]/).findLast(Boolean) : undefined
  const subject = folder === undefined ? 'agent' : `workspace:${folder.slice(0, 200)}`
  return { memory_kind: 'procedural', subject, content: title, quotes: [] } as const
}

/** In the user's own words if there are any; a task or another agent could have written anything. */
function titleOf(members: readonly TracedRun[]): string {
  const { message } = newestOf(members)
  const [sentence] = message?.persons_word ? ownSentences(message.text) : []
  const request = maskSecrets(sentence?.text ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, longestRequest)
    .replace(/[\s.!]+$/, '')
  return request === '' || hasSecret(request) ? 'How to do a recurring task.' : `How to handle requests like "${request}".`
}
