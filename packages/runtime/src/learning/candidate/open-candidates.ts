// Policy candidates, assembled: what recorded calls suggest, how it is tested and applied, and how it is undone.
import type { AdvanceTrigger, PolicyCandidate } from '@tandem/contract/policy-candidate'
import type { SandboxMode } from '@tandem/contract/tool'
import type { Enforcement } from '../../call/commands.ts'
import type { Clock } from '../../clock/clock.ts'
import type { Events } from '../../event/events.ts'
import type { CommandTable } from '../../feature/command-table.ts'
import type { PolicyLayer } from '../../feature/policy-layer.ts'
import type { Policies } from '../../policy/policies.ts'
import type { Job } from '../../scheduler/scheduler.ts'
import type { SlicedWork } from '../../scheduler/slices.ts'
import type { Store } from '../../store/store.ts'
import type { RunFacts } from '../rule/run-facts.ts'
import { type CallRecordsPorts, openCallRecords, type PreparedCalls } from './call-records.ts'
import { type CandidateOrigin, openCandidateRecords } from './candidates.ts'
import { type CandidateCommandPorts, candidateHandlers } from './commands.ts'
import { crashPoint } from './crashpoint.ts'
import { openCandidateLifecycle } from './lifecycle.ts'
import { canaryLayer } from './overlay.ts'
import { recommend } from './rule/recommend.ts'
import type { Recommended } from './rule/recommended.ts'
import { openCommandCache } from './rule/understood-command.ts'
import { type PolicyWish, recommendFor, type Wished } from './rule/wished.ts'
import { openTurnCanaries } from './turn-canaries.ts'

export interface CandidatesPorts extends Pick<CallRecordsPorts, 'journal' | 'registry'> {
  readonly store: Store
  readonly events: Pick<Events, 'emit'>
  readonly clock: Pick<Clock, 'elapsed'>
  readonly policies: Pick<Policies, 'of' | 'ofAgent' | 'set' | 'remember' | 'revoke'>
  readonly agents: { get(agent_id: string): unknown }
  /** Whether the operating system restricts commands to their scope. */
  enforcement(mode: SandboxMode): Enforcement
  advanceSkills: CandidateCommandPorts['advanceSkills']
  log(line: string): void
}

export interface PolicyCandidates {
  /** The calls of a run that ended or was restored: what `recommend` reads. */
  prepare(facts: RunFacts): SlicedWork<PreparedCalls>
  /** The strongest change that the latest calls suggest. */
  recommend(agent_id: string): Recommended | null
  /** What a gap asks of the policy. */
  forGap(agent_id: string, wish: PolicyWish): Wished
  get(id: string): PolicyCandidate | undefined
  /** What the gap proposed, unless a person has approved or kept it. */
  withdraw(gap_analysis_id: string): void
  /** Once for each reflection, and for each gap. */
  create(recommended: Recommended, origin: CandidateOrigin): PolicyCandidate
  advance(agent_id: string | null, trigger: AdvanceTrigger): Promise<readonly PolicyCandidate[]>
  /** Records the calls of the run, and rolls back the canaries that applied in it if it failed or was restored. */
  after(facts: RunFacts, calls: PreparedCalls): readonly PolicyCandidate[]
  /** Whether this agent has a canary that is applied and not kept. */
  isOnTrial(agent_id: string): boolean
  /** Only rolls back, for a run from which nothing is learned. */
  undo(facts: RunFacts): readonly PolicyCandidate[]
  ofRun(run_id: string): readonly PolicyCandidate[]
  readonly layer: PolicyLayer
  readonly commands: CommandTable
  readonly job: Job
}

const mostOfRun = 100

export function openCandidates(ports: CandidatesPorts): PolicyCandidates {
  const { store, events, clock, policies, agents, enforcement, log } = ports
  const candidates = openCandidateRecords(store, events)
  const calls = openCallRecords(ports)
  const turns = openTurnCanaries(store)
  const lifecycle = openCandidateLifecycle({
    ...{ store, candidates, calls, policies, agents, turns, log },
    shadow: { commands: openCommandCache(), enforcement, elapsed: clock.elapsed },
  })
  return {
    prepare: calls.prepare,
    recommend: (agent_id) =>
      recommend({ calls: calls.latest(agent_id), policyOf: policies.ofAgent(agent_id) }, candidates.earlier(agent_id)),
    forGap: (agent_id, wish) =>
      recommendFor(wish, { calls: calls.latest(agent_id), policyOf: policies.ofAgent(agent_id) }, candidates.earlier(agent_id)),
    get: candidates.get,
    withdraw(gap_analysis_id) {
      for (const { id, approved_at, adopted_at } of candidates.ofGap(gap_analysis_id))
        if (approved_at === null && adopted_at === null) lifecycle.withdraw(id, 'You dismissed what it was for.')
    },
    create(recommended, origin) {
      const candidate = candidates.create(recommended, origin)
      crashPoint('candidate_created')
      return candidate
    },
    advance: lifecycle.advance,
    after(facts, prepared) {
      return store.transaction(() => {
        calls.record(prepared)
        return [...lifecycle.after(facts)]
      })
    },
    isOnTrial: (agent_id) => candidates.applied(agent_id).length > 0,
    undo: (facts) => store.transaction(() => [...lifecycle.after(facts)]),
    ofRun: (run_id) => candidates.list({ run_id }, null, mostOfRun),
    layer: canaryLayer({ candidates, turns, policies }),
    commands: candidateHandlers({ candidates, lifecycle, agents, advanceSkills: ports.advanceSkills }),
    job: {
      name: 'policy_candidates',
      every_ms: 10 * 60_000,
      first_ms: 5_000,
      run: async () => void (await lifecycle.advance(null, 'scheduler')),
    },
  }
}
