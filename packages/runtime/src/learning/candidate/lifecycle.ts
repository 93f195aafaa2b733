// Moves candidates through their states: each as far as it may go, and back when a run with it fails or is restored.
import { type AdvanceTrigger, type PolicyCandidate, type PolicyChange, policyCandidateTransitions } from '@tandem/contract/policy-candidate'
import { canonicalJson } from '@tandem/contract/sync'
import { transition } from '@tandem/contract/transition'
import { failureContract } from '../../call/outcome.ts'
import type { Policies } from '../../policy/policies.ts'
import type { Store } from '../../store/store.ts'
import type { RunFacts } from '../rule/run-facts.ts'
import type { CallRecords } from './call-records.ts'
import type { Advanced, Attempt, Candidates, KeptRule, Moved } from './candidates.ts'
import { crashPoint } from './crashpoint.ts'
import { addedRules, changedPolicy, overtaken, restoredPolicy, toolsOf, widens } from './rule/policy-change.ts'
import type { ConfiguredPolicy } from './rule/recorded-call.ts'
import type { ShadowResult } from './rule/weigh.ts'
import { type ShadowPorts, shadow } from './shadow.ts'
import type { TurnCanaries } from './turn-canaries.ts'

export interface LifecyclePorts {
  readonly store: Pick<Store, 'transaction' | 'device_id'>
  readonly candidates: Candidates
  readonly calls: CallRecords
  readonly policies: Pick<Policies, 'of' | 'set' | 'remember' | 'revoke'>
  readonly agents: { get(agent_id: string): unknown }
  readonly turns: TurnCanaries
  readonly shadow: Omit<ShadowPorts, 'policyOf'>
  log(line: string): void
}

/**
 * `needs_approval`: it allows more, and no person has approved it. `not_applied`: only an applied one can be kept. `overtaken`: a person has
 * changed the same field since.
 */
export type LifecycleOutcome =
  | Moved
  | { readonly ok: false; readonly code: 'needs_approval' | 'not_applied' }
  | { readonly ok: false; readonly code: 'overtaken'; readonly message: string }

export interface CandidateLifecycle {
  /** One round. Returns the candidates that changed. */
  advance(agent_id: string | null, trigger: AdvanceTrigger): Promise<readonly PolicyCandidate[]>
  validate(id: string, trigger: AdvanceTrigger): Promise<Moved>
  prepare(id: string, trigger: AdvanceTrigger): Moved
  /** `by_person`: the person has seen what it changes, and applies it. */
  apply(id: string, trigger: AdvanceTrigger, options: { readonly by_person: boolean }): LifecycleOutcome
  /** Makes it part of the policy. */
  keep(id: string): LifecycleOutcome
  /** A kept one also restores the old values, where they are still the new ones. */
  rollback(id: string, attempt: Attempt): Moved
  /** It is not wanted any more, whichever state it is in. */
  withdraw(id: string, summary: string): void
  /** The run has ended, or was restored. Returns the candidates that it rolled back. */
  after(facts: Pick<RunFacts, 'run_id' | 'agent_id' | 'step_id' | 'trigger' | 'turns' | 'failure_contract'>): readonly PolicyCandidate[]
}

const openStates = ['shadow_pending', 'shadow_passed', 'canary_ready', 'canary_applied'] as const
const mostAtOnce = 1_000

export function openCandidateLifecycle(ports: LifecyclePorts): CandidateLifecycle {
  const { store, candidates, calls, policies, agents, turns, log } = ports
  let round: Promise<unknown> = Promise.resolve()

  function known(id: string): PolicyCandidate {
    const candidate = candidates.get(id)
    if (!candidate) throw new Error(`there is no policy candidate ${id}`)
    return candidate
  }

  function policyOf(agent_id: string): (tool: string) => ConfiguredPolicy {
    return (tool) => policies.of(agent_id, tool)
  }

  function lost(candidate: PolicyCandidate): readonly PolicyChange[] {
    return candidate.adopted_at === null ? overtaken(candidate.changes, policyOf(candidate.agent_id)) : []
  }

  async function judged(candidate: PolicyCandidate): Promise<ShadowResult | { readonly verdict: 'broken'; readonly error: unknown }> {
    try {
      const recorded = await calls.ofTools(candidate.agent_id, toolsOf(candidate.changes))
      return await shadow(candidate, recorded, { ...ports.shadow, policyOf: policyOf(candidate.agent_id) })
    } catch (error) {
      return { verdict: 'broken', error }
    }
  }

  async function validate(id: string, trigger: AdvanceTrigger): Promise<Moved> {
    const before = known(id)
    const possible = transition(policyCandidateTransitions, before.state, 'pass_shadow')
    if (!possible.ok) return possible
    const changed = lost(before)
    if (changed.length > 0) return candidates.move(id, 'fail_shadow', { trigger, summary: overtakenText(changed) })
    const found = await judged(before)
    crashPoint('shadow_judged')
    const moved = store.transaction<Moved>(() => {
      // It may have been moved in the meantime.
      const now = transition(policyCandidateTransitions, known(id).state, 'pass_shadow')
      return now.ok ? recordShadow(id, found, trigger) : now
    })
    crashPoint('shadow_recorded')
    return moved
  }

  function recordShadow(id: string, found: Awaited<ReturnType<typeof judged>>, trigger: AdvanceTrigger): Moved {
    if (found.verdict === 'broken') {
      const failure_contract = failureContract('learning', {
        source: 'policy candidate',
        reason_code: 'shadow_failed_to_run',
        message: 'the recorded calls could not be checked',
        recoverability: 'retryable',
      })
      log(`the shadow of policy candidate ${id} failed: ${String(found.error)}`)
      return {
        ok: true,
        ...candidates.note(id, 'shadow', 'failed', { trigger, summary: 'The recorded calls could not be checked.', failure_contract }),
      }
    }
    const { verdict, summary, ...checked } = found
    if (verdict === 'too_few') return { ok: true, ...candidates.note(id, 'shadow', 'failed', { trigger, summary, checked }) }
    return candidates.move(id, verdict === 'passed' ? 'pass_shadow' : 'fail_shadow', { trigger, summary, checked })
  }

  function prepare(id: string, trigger: AdvanceTrigger): Moved {
    const { widens: allowsMore } = known(id)
    const summary = allowsMore ? 'It allows more than the policy: it is applied only if you approve it.' : 'It only restricts the policy.'
    const moved = candidates.move(id, 'prepare_canary', { trigger, summary })
    crashPoint('canary_prepared')
    return moved
  }

  function apply(id: string, trigger: AdvanceTrigger, { by_person }: { readonly by_person: boolean }): LifecycleOutcome {
    const moved = store.transaction<LifecycleOutcome>(() => {
      const candidate = known(id)
      const possible = transition(policyCandidateTransitions, candidate.state, 'apply_canary')
      if (!possible.ok) return possible
      const changed = lost(candidate)
      if (changed.length > 0) return giveUp(id, changed, trigger)
      const allowsMore = candidate.widens || widens(candidate.changes, policyOf(candidate.agent_id))
      if (allowsMore && !by_person) return { ok: false, code: 'needs_approval' }
      const summary = by_person ? 'You applied it on this device.' : 'It only restricts the policy, so it was applied on this device.'
      return candidates.move(id, 'apply_canary', { trigger, summary, approved: by_person && allowsMore })
    })
    crashPoint('canary_applied')
    return moved
  }

  function giveUp(id: string, changed: readonly PolicyChange[], trigger: AdvanceTrigger): LifecycleOutcome {
    const message = overtakenText(changed)
    candidates.move(id, 'rollback', { trigger, summary: message })
    return { ok: false, code: 'overtaken', message }
  }

  function keep(id: string): LifecycleOutcome {
    const kept = store.transaction<LifecycleOutcome>(() => {
      const { agent_id, state, adopted_at, approved_at, changes } = known(id)
      if (state !== 'canary_applied') return { ok: false, code: 'not_applied' }
      if (adopted_at !== null) return { ok: true, ...lastOf(id) }
      const changed = lost(known(id))
      if (changed.length > 0) return giveUp(id, changed, 'command')
      if (approved_at === null && widens(changes, policyOf(agent_id))) return { ok: false, code: 'needs_approval' }
      const added: KeptRule[] = []
      for (const tool of toolsOf(changes)) {
        const { policy, remembered } = policies.of(agent_id, tool)
        const next = changedPolicy(policy, tool, changes)
        if (changes.some((change) => change.tool === tool && change.field !== 'remembered')) policies.set(agent_id, tool, next)
        const own = new Set(remembered.map(canonicalJson))
        const rules = addedRules(tool, changes).filter((rule) => !own.has(canonicalJson(rule)))
        policies.remember(agent_id, tool, rules)
        added.push(...rules.map((rule) => ({ tool, rule })))
      }
      candidates.adopt(id, added)
      crashPoint('candidate_keeping')
      return {
        ok: true,
        ...candidates.note(id, 'canary', 'passed', { trigger: 'command', summary: 'You kept it: it is part of the policy now.' }),
      }
    })
    crashPoint('candidate_kept')
    return kept
  }

  function lastOf(id: string): Advanced {
    const validation = candidates.validations(id).findLast(({ outcome }) => outcome === 'passed')
    if (!validation) throw new Error(`policy candidate ${id} has passed nothing`)
    return { candidate: known(id), validation }
  }

  function rollback(id: string, attempt: Attempt): Moved {
    const moved = store.transaction<Moved>(() => {
      const candidate = known(id)
      const possible = transition(policyCandidateTransitions, candidate.state, 'rollback')
      if (!possible.ok) return possible
      if (candidate.adopted_at === null) return candidates.move(id, 'rollback', attempt)
      const own = restore(candidate)
      const summary = own.length === 0 ? attempt.summary : `${attempt.summary} ${keptText(own)}`
      return candidates.move(id, 'rollback', { ...attempt, summary })
    })
    crashPoint('candidate_rolled_back')
    return moved
  }

  /** Returns the changes whose field has a value of the person's own since. */
  function restore({ id, agent_id, changes }: PolicyCandidate): readonly PolicyChange[] {
    const added = candidates.keptRules(id)
    return toolsOf(changes).flatMap((tool) => {
      const { policy } = policies.of(agent_id, tool)
      const fields = changes.filter((change) => change.tool === tool && change.field !== 'remembered')
      const own = fields.filter((change) => overtaken([{ ...change, from: change.to }], () => ({ policy })).length > 0)
      if (own.length < fields.length) policies.set(agent_id, tool, restoredPolicy(policy, tool, changes))
      // A rule that the person had saved before is theirs.
      const rules = added?.flatMap((one) => (one.tool === tool ? [one.rule] : [])) ?? addedRules(tool, changes)
      for (const rule of rules) policies.revoke(agent_id, tool, rule)
      const isOwn = rules.length < addedRules(tool, changes).length
      return [...own, ...(isOwn ? changes.filter((change) => change.tool === tool && change.field === 'remembered') : [])]
    })
  }

  /** Whether it was tested on exactly these calls, and there were too few. */
  function isWaitingForCalls({ id, agent_id, changes }: PolicyCandidate): boolean {
    const last = candidates.validations(id).findLast(({ stage }) => stage === 'shadow')
    return (
      last !== undefined && !last.failure_contract && last.calls_checked + last.calls_unjudged === calls.count(agent_id, toolsOf(changes))
    )
  }

  /** One step. False if it may not go further. */
  async function step(candidate: PolicyCandidate, trigger: AdvanceTrigger): Promise<boolean> {
    const { id, state, widens: allowsMore } = candidate
    if (state === 'shadow_pending') {
      if (trigger !== 'command' && isWaitingForCalls(candidate)) return false
      const moved = await validate(id, trigger)
      return moved.ok && moved.candidate.state !== state
    }
    const changed = lost(candidate)
    if (changed.length > 0 && transition(policyCandidateTransitions, state, 'rollback').ok) return giveUp(id, changed, trigger).ok
    if (state === 'shadow_passed') return prepare(id, trigger).ok
    return state === 'canary_ready' && !allowsMore && apply(id, trigger, { by_person: false }).ok
  }

  async function advanceAll(agent_id: string | null, trigger: AdvanceTrigger): Promise<readonly PolicyCandidate[]> {
    const found = candidates.list({ states: openStates, ...(agent_id === null ? {} : { agent_id }) }, null, mostAtOnce)
    const changed: PolicyCandidate[] = []
    for (const before of found.toReversed()) {
      if (!agents.get(before.agent_id)) continue
      while (await step(known(before.id), trigger));
      const now = known(before.id)
      if (now.version !== before.version) changed.push(now)
    }
    return changed
  }

  return {
    validate,
    prepare,
    apply,
    keep,
    rollback,
    withdraw(id, summary) {
      const on = known(id).state === 'shadow_pending' ? 'fail_shadow' : 'rollback'
      // One that failed or was rolled back stays as it is.
      candidates.move(id, on, { trigger: 'command', summary })
    },
    advance(agent_id, trigger) {
      const next = round.then(() => advanceAll(agent_id, trigger))
      // A round that failed is reported to its caller; the next one starts anyway.
      round = next.catch(() => undefined)
      return next
    },
    after({ run_id, agent_id, step_id, trigger, turns: answered, failure_contract }) {
      if ((trigger !== 'failed' && trigger !== 'restored') || answered === 0) return []
      const reason =
        trigger === 'restored'
          ? 'A run in which it applied was restored to an earlier point.'
          : `A run in which it applied failed${failure_contract ? ` (${failure_contract.reason_code})` : ''}.`
      return turns.concernedBy(run_id, step_id, trigger).flatMap((id) => {
        const candidate = candidates.get(id)
        if (candidate?.agent_id !== agent_id || candidate.state !== 'canary_applied' || candidate.adopted_at !== null) return []
        const caused = { trigger: trigger === 'failed' ? 'later_failure' : 'later_restore', cause_run_id: run_id } as const
        const moved = rollback(id, { ...caused, summary: reason })
        return moved.ok ? [moved.candidate] : []
      })
    },
  }
}

function named(changes: readonly PolicyChange[]): string {
  return changes.map(({ tool, field }) => `${field} of ${tool}`).join(', ')
}

function overtakenText(changes: readonly PolicyChange[]): string {
  return `You have changed ${named(changes)} since. Your value is kept.`
}

function keptText(changes: readonly PolicyChange[]): string {
  const fields = changes.filter(({ field }) => field !== 'remembered')
  const tools = changes.flatMap(({ tool, field }) => (field === 'remembered' ? [tool] : []))
  return [
    ...(fields.length === 0 ? [] : [`You have changed ${named(fields)} since: your value was kept, and not replaced by the old one.`]),
    ...(tools.length === 0 ? [] : [`You had saved the approval of ${tools.join(', ')} yourself: it was kept.`]),
  ].join(' ')
}
