// Moves recommendations through their states: each as far as it may go, and back when a run with it fails or is restored.
import type { AdvanceTrigger } from '@tandem/contract/policy-candidate'
import {
  autoRollbackStates,
  type MatchedRun,
  type SkillRecommendation,
  type SkillRecommendationTrigger,
  skillRecommendationTransitions,
} from '@tandem/contract/skill-recommendation'
import { transition } from '@tandem/contract/transition'
import type { RunRecord } from '../../journal/run-record.ts'
import { othersFirst } from '../../scheduler/slices.ts'
import { crashPoint } from './crashpoint.ts'
import { openCurrentText } from './current-text.ts'
import { type Drafted, openDrafting } from './drafting.ts'
import { wasGiven } from './given-texts.ts'
import type { RolloutPorts } from './ports.ts'
import { openPromoting } from './promoting.ts'
import type { MatchedRuns } from './record/matched-runs.ts'
import type { PatternRuns } from './record/pattern-runs.ts'
import type { PromotingAgents } from './record/promoting-agents.ts'
import type { Attempt, Moved, Recommendations } from './record/recommendations.ts'
import type { Versions } from './record/versions.ts'
import { summarize } from './rule/canary-group.ts'
import { compareGroups, nextStep, type RolloutFacts, refusalOf } from './rule/next-step.ts'
import { openSkillFiles } from './skill-files.ts'
import { openUndoing } from './undoing.ts'
import { openValidating } from './validating.ts'

export interface RolloutParts {
  readonly recommendations: Recommendations
  readonly versions: Versions
  readonly matched: MatchedRuns
  readonly patterns: PatternRuns
  readonly promoting: PromotingAgents
}

export interface Rollout {
  factsOf(recommendation: SkillRecommendation): Promise<RolloutFacts>
  /** What a user asks for. */
  act(id: string, trigger: SkillRecommendationTrigger, reason?: string): Promise<Drafted>
  /** One round. Returns the recommendations that changed. */
  advance(agent_id: string | null, trigger: AdvanceTrigger, signal?: AbortSignal): Promise<readonly SkillRecommendation[]>
  /** A run that has it was restored, or failed. Returns what was rolled back. */
  after(run: RunRecord, ended: 'failed' | 'restored'): Promise<readonly SkillRecommendation[]>
  matchesOf(id: string): readonly MatchedRun[]
  /** What a user changed by hand becomes a version. */
  recordEdits(recommendation: SkillRecommendation): void
  /** The same for all that is live, before a run gets it: otherwise its failure could not be traced to a changed text. */
  recordLive(agent_id: string): void
}

const openStates = [
  'draft_pending',
  'draft_generated',
  'validated',
  'shadow_ready',
  'shadow_active',
  'canary_ready',
  'canary_applied',
  'live',
] as const
const [mostAtOnce, mostMatches] = [1_000, 200]
const never = new AbortController().signal

export function openRollout(ports: RolloutPorts, parts: RolloutParts): Rollout {
  const { store, workflows, agentOf, outcomeOf, log } = ports
  const { recommendations, versions, matched, promoting: agents } = parts
  const files = openSkillFiles(ports.home)
  const text = openCurrentText(ports, { recommendations, versions, files })
  const drafting = openDrafting(ports, { ...parts, files })
  const validating = openValidating(ports, files)
  const promoting = openPromoting(ports, { recommendations, versions, files })
  const undoing = openUndoing(ports, { recommendations, versions, files, text })
  let round: Promise<unknown> = Promise.resolve()

  function known(id: string): SkillRecommendation {
    const found = recommendations.get(id)
    if (!found) throw new Error(`there is no recommendation ${id}`)
    return found
  }

  function matchesOf(id: string): readonly MatchedRun[] {
    return matched.of(id, mostMatches).map((one) => ({ ...one, outcome: outcomeOf(one.run_id) }))
  }

  async function factsOf(recommendation: SkillRecommendation): Promise<RolloutFacts> {
    const { id, agent_id, state, approved_at } = recommendation
    const matches = matchesOf(id)
    const shadows = matches.filter(({ stage }) => stage === 'shadow')
    const close = shadows.flatMap(({ closeness }) => closeness ?? [])
    const ofGroup = (name: 'with' | 'without') => summarize(matches.filter(({ group }) => group === name).map(({ outcome }) => outcome))
    const failure = recommendations.lastFailure(id)
    const isUnchanged = failure !== null && state === 'draft_generated' && failure.checked === (await validating.check(recommendation)).key
    return {
      state,
      shadow: { runs: shadows.length, closeness: close.length === 0 ? null : close.reduce((sum, one) => sum + one, 0) / close.length },
      groups: { with: ofGroup('with'), without: ofGroup('without') },
      concerns: recommendations.concernsOf(id),
      approved: approved_at !== null,
      automatic: agents.has(agent_id),
      failed: isUnchanged ? failure.summary : null,
      undrafted: state === 'draft_pending' ? (failure?.summary ?? null) : null,
      taken: promoting.isTaken(recommendation),
    }
  }

  async function validate(recommendation: SkillRecommendation, trigger: AdvanceTrigger): Promise<Moved> {
    const { id } = recommendation
    const checked = await validating.check(recommendation)
    const { reasons, problems, report, requires, concerns, content, key } = checked
    const moved = store.transaction<Moved>(() => {
      const now = known(id)
      const possible = transition(skillRecommendationTransitions, now.state, 'validate')
      if (!possible.ok) return possible
      text.keep(now, content)
      const attempt = { trigger, compatibility: report, problems, checked: key }
      if (reasons.length === 0)
        return recommendations.move(id, 'validate', { ...attempt, summary: 'It can be used on this device.' }, { requires, concerns })
      return { ok: true, ...recommendations.note(id, 'validation', 'failed', { ...attempt, summary: reasons.join(' ') }) }
    })
    crashPoint('draft_validated')
    return moved
  }

  function applyCanary({ id, workflow_id }: SkillRecommendation, attempt: Attempt, by_person: boolean): Moved {
    return store.transaction<Moved>(() => {
      const moved = recommendations.move(id, 'apply_canary', attempt, by_person ? { approved: true } : {})
      const workflow = moved.ok && workflow_id !== null ? workflows.records.get(workflow_id) : undefined
      // Its calls are still decided about one by one.
      if (workflow) workflows.records.approve(workflow.sha256, { covers_calls: false })
      return moved
    })
  }

  const summaries: Readonly<Partial<Record<SkillRecommendationTrigger, string>>> = {
    prepare_shadow: 'It is ready to be compared with the next runs.',
    apply_shadow: 'The next runs are compared with it. It has no effect on them.',
    apply_canary: 'Half of the runs that it matches get it.',
  }

  /** `reason`: of a user, or of a rollback. */
  async function perform(
    recommendation: SkillRecommendation,
    on: SkillRecommendationTrigger,
    given: Pick<Attempt, 'trigger' | 'cause_run_id'> & { readonly reason?: string },
    facts: RolloutFacts,
    signal: AbortSignal,
  ): Promise<Drafted> {
    const { id } = recommendation
    const { reason, ...attempt } = given
    const by_person = given.trigger === 'command'
    const simple = (summary: string, runs_checked = 0) => recommendations.move(id, on, { ...attempt, summary, runs_checked })
    switch (on) {
      case 'generate_draft':
        return await drafting.draft(recommendation, attempt, signal)
      case 'validate':
        return await validate(recommendation, given.trigger)
      case 'prepare_shadow':
      case 'apply_shadow':
        return reached(on === 'apply_shadow' ? 'shadow_applied' : 'shadow_prepared', simple(summaries[on] ?? ''))
      case 'prepare_canary':
        return reached(
          'skill_canary_prepared',
          prepareCanary(id, facts, () => simple(`${facts.shadow.runs} runs matched it.`, facts.shadow.runs)),
        )
      case 'apply_canary':
        return reached('skill_canary_applied', applyCanary(recommendation, { ...attempt, summary: summaries[on] ?? '' }, by_person))
      case 'promote_to_live': {
        const runs_checked = facts.groups.with.runs + facts.groups.without.runs
        return await promoting.promote(recommendation, { ...attempt, summary: compareGroups(facts.groups).summary, runs_checked })
      }
      case 'rollback':
        return await undoing.rollback(id, { ...attempt, summary: reason ?? 'You rolled it back.' })
      case 'retire':
        return await undoing.retire(id, { ...attempt, summary: reason ?? 'You retired it.' })
    }
  }

  /** What it asks is recorded together with the event, so who hears of it reads both. */
  function prepareCanary(id: string, facts: RolloutFacts, move: () => Moved): Moved {
    return store.transaction<Moved>(() => {
      const moved = move()
      const next = moved.ok ? nextStep({ ...facts, state: moved.recommendation.state }) : null
      if (!moved.ok || next?.is !== 'asks') return moved
      recommendations.setAsks(id, next.because)
      return { ...moved, recommendation: known(id) }
    })
  }

  /** The user decides. That its canary has passed is recorded and told once. */
  function ask({ id, state, asks }: SkillRecommendation, because: string, { groups }: RolloutFacts, trigger: AdvanceTrigger): void {
    store.transaction(() => {
      const runs_checked = groups.with.runs + groups.without.runs
      recommendations.setAsks(id, because)
      if (asks === null && state === 'canary_applied')
        recommendations.note(id, 'canary', 'passed', { trigger, summary: compareGroups(groups).summary, runs_checked })
    })
  }

  function reached(point: Parameters<typeof crashPoint>[0], moved: Moved): Moved {
    crashPoint(point)
    return moved
  }

  function recordEdits(recommendation: SkillRecommendation): void {
    store.transaction(() => void text.record(recommendation))
  }

  /** One step. False if it may not go further. */
  async function step(before: SkillRecommendation, trigger: AdvanceTrigger, signal: AbortSignal): Promise<boolean> {
    recordEdits(before)
    if (before.state === 'live' || signal.aborted) return false
    const recommendation = known(before.id)
    // It was proposed while the model was asked about others; who proposed it also asks about it.
    if (!drafting.isReady(recommendation)) return false
    const facts = await factsOf(recommendation)
    const next = nextStep(facts)
    if (next.is === 'do') {
      const moved = await perform(recommendation, next.trigger, { trigger }, facts, signal)
      return moved.ok && moved.recommendation.state !== recommendation.state
    }
    if (next.is === 'undo') {
      recommendations.note(recommendation.id, 'live', 'failed', { trigger, summary: next.because })
      return (await undoing.rollback(recommendation.id, { trigger, summary: next.because })).ok
    }
    if (next.is === 'asks') ask(recommendation, next.because, facts, trigger)
    else recommendations.setAsks(recommendation.id, null)
    return false
  }

  async function advanceAll(
    agent_id: string | null,
    trigger: AdvanceTrigger,
    signal: AbortSignal,
  ): Promise<readonly SkillRecommendation[]> {
    await undoing.finish()
    const found = recommendations.list({ states: openStates, ...(agent_id === null ? {} : { agent_id }) }, null, mostAtOnce)
    const changed: SkillRecommendation[] = []
    for (const before of found.toReversed()) {
      if (!agentOf(before.agent_id)) continue
      try {
        for (let goesOn = true; goesOn; ) {
          await othersFirst()
          // The runtime is stopping: its database may be closed by now.
          if (signal.aborted) return changed
          goesOn = await step(known(before.id), trigger, signal)
        }
      } catch (error) {
        // The others still advance; this one is tried again in the next round.
        log(`evolution: recommendation ${before.id} could not be advanced: ${String(error)}`)
      }
      const now = known(before.id)
      if (now.version !== before.version) changed.push(now)
    }
    return changed
  }

  /** Not in the queue: the other commands do not wait for a model. */
  async function askAll(agent_id: string | null, signal: AbortSignal): Promise<void> {
    const found = recommendations.list({ states: ['draft_pending'], ...(agent_id === null ? {} : { agent_id }) }, null, mostAtOnce)
    for (const recommendation of found.toReversed())
      if (nextStep(await factsOf(recommendation)).is === 'do') await drafting.ask(recommendation, signal)
  }

  function queued<Value>(work: () => Promise<Value>): Promise<Value> {
    const next = round.then(work)
    // What failed is reported to its caller; the next one starts anyway.
    round = next.catch(() => undefined)
    return next
  }

  return {
    factsOf,
    matchesOf,
    recordEdits,
    recordLive: (agent_id) => recommendations.list({ agent_id, states: ['live'] }, null, mostAtOnce).forEach(recordEdits),
    async act(id, trigger, reason) {
      if (trigger === 'generate_draft') await drafting.ask(known(id), never)
      return await queued(async () => {
        const recommendation = known(id)
        const possible = transition(skillRecommendationTransitions, recommendation.state, trigger)
        if (!possible.ok) return possible
        const facts = await factsOf(recommendation)
        const message = refusalOf(trigger, facts)
        if (message !== null) return { ok: false, code: 'not_now', message }
        return await perform(recommendation, trigger, { trigger: 'command', ...(reason === undefined ? {} : { reason }) }, facts, never)
      })
    },
    async advance(agent_id, trigger, signal = never) {
      await askAll(agent_id, signal)
      return await queued(() => advanceAll(agent_id, trigger, signal))
    },
    after: (run, ended) =>
      queued(async () => {
        const rolledBack: SkillRecommendation[] = []
        for (const recommendation of recommendations.list({ agent_id: run.agent_id, states: autoRollbackStates }, null, mostAtOnce)) {
          if (!wasGiven(ports, parts, recommendation, run)) continue
          const reason = ended === 'restored' ? 'A run that had it was restored to an earlier point.' : 'A run that had it failed.'
          const cause = { trigger: ended === 'failed' ? 'later_failure' : 'later_restore', cause_run_id: run.run_id } as const
          const moved = await undoing.rollback(recommendation.id, { ...cause, summary: reason })
          if (moved.ok) rolledBack.push(moved.recommendation)
        }
        return rolledBack
      }),
  }
}
