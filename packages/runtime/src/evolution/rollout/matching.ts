// Decides at the start of a run which recommendations match its request and whether it gets them, and records how close runs came to the
// steps of what is tested in their shadow.
import type { SkillRecommendation } from '@tandem/contract/skill-recommendation'
import type { RunBinding } from '../../feature/feature.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import { ownSentences } from '../../memory/rule/extract/own-words.ts'
import type { Meanings } from '../meanings.ts'
import { plainRequest, requestLikeness } from '../rule/request-likeness.ts'
import { crashPoint } from './crashpoint.ts'
import type { RolloutPorts } from './ports.ts'
import type { MatchedRuns } from './record/matched-runs.ts'
import type { PatternRuns } from './record/pattern-runs.ts'
import type { Recommendations } from './record/recommendations.ts'
import type { Versions } from './record/versions.ts'
import { groupOf } from './rule/canary-group.ts'
import { closenessOf, leastMatch, matchScore } from './rule/request-match.ts'

export interface MatchingParts {
  readonly recommendations: Recommendations
  readonly versions: Versions
  readonly matched: MatchedRuns
  readonly patterns: PatternRuns
  readonly meanings: Meanings
}

export interface Matching {
  /** Before the others: computes what the request means. At the start of a run, only as long as no one notices. */
  prepare(run: RunRecord, when: 'started' | 'ended', signal: AbortSignal): Promise<void>
  /** The skills that the run gets as canaries, by hash. */
  bindings(run: RunRecord): readonly RunBinding[]
  /** The workflows that it offers as canaries; empty if there are none. */
  offers(run: RunRecord): string
  /** A run has ended and was mined. */
  ended(run: RunRecord): void
}

const [mostOpen, mostTexts, leastLikeness] = [50, 10, 0.55]
const patience_ms = { started: 300, ended: 20_000 } as const

export function openMatching(
  ports: Pick<RolloutPorts, 'store' | 'journal' | 'gaps' | 'workflows' | 'isExcluded'>,
  parts: MatchingParts,
): Matching {
  const { store, journal, gaps, workflows } = ports
  const { recommendations, versions, matched, patterns, meanings } = parts

  /** What a person asked for; null if the run was started by something else. */
  function requestOf({ run_id }: RunRecord): string | null {
    const [first] = journal.steps(run_id, { limit: 1 })
    const message_id = first?.step.kind === 'run.started' ? first.step.message_id : null
    const message = message_id === null ? undefined : journal.messages.get(message_id)
    return message?.persons_word
      ? ownSentences(message.text)
          .map(({ text }) => text)
          .join(' ')
      : null
  }

  function signatureOf({ gap_analysis_id }: SkillRecommendation): string {
    return gaps.get(gap_analysis_id)?.signature ?? ''
  }

  /** Its title and description, and the requests that led to it. */
  function textsOf(recommendation: SkillRecommendation): readonly string[] {
    const version = recommendation.skill_version_id === null ? undefined : versions.get(recommendation.skill_version_id)
    const description = /^description: (.*)$/m.exec(version?.content ?? '')?.[1] ?? ''
    const requests = patterns.runs(signatureOf(recommendation), mostTexts).flatMap((run) => run.request ?? [])
    return [...new Set([recommendation.title, description, ...requests])].filter((text) => text !== '')
  }

  function scoreOf(recommendation: SkillRecommendation, request: string): number {
    const texts = textsOf(recommendation)
    const meant = texts.map((text) => meanings.of(plainRequest(text)))
    return requestLikeness(meanings.of(plainRequest(request)), meant, matchScore(plainRequest(request), texts), leastMatch)
  }

  function open(agent_id: string, state: 'shadow_active' | 'canary_applied'): readonly SkillRecommendation[] {
    return recommendations.list({ agent_id, states: [state] }, null, mostOpen)
  }

  /** Before its first turn: later, the run has begun without it. */
  function decide({ run_id: id }: RunRecord): void {
    const run = journal.run(id)
    if (!run || run.turns > 0 || run.ended_at !== null || ports.isExcluded(run)) return
    const canaries = open(run.agent_id, 'canary_applied')
    const request = canaries.length === 0 ? null : requestOf(run)
    if (request === null) return
    store.transaction(() => {
      for (const recommendation of canaries) {
        const score = scoreOf(recommendation, request)
        if (score < leastMatch) continue
        const { run_id, conversation_id } = run
        matched.add(recommendation.id, { run_id, conversation_id, stage: 'canary', group: groupOf(recommendation.id, run_id), score })
      }
    })
    crashPoint('run_matched')
  }

  function given(run: RunRecord): readonly SkillRecommendation[] {
    decide(run)
    return matched.given(run.run_id).flatMap((id) => {
      const recommendation = recommendations.get(id)
      return recommendation?.state === 'canary_applied' ? [recommendation] : []
    })
  }

  return {
    async prepare(run, when, signal) {
      const tested = [...open(run.agent_id, 'canary_applied'), ...(when === 'ended' ? open(run.agent_id, 'shadow_active') : [])]
      const request = tested.length === 0 ? null : requestOf(run)
      if (request === null) return
      await meanings.prepare([request, ...tested.flatMap(textsOf)].map(plainRequest), signal, patience_ms[when])
    },
    bindings: (run) =>
      given(run).flatMap(({ skill_name, skill_version_id, binding_policy }) => {
        const version = skill_version_id === null ? undefined : versions.get(skill_version_id)
        if (!version || skill_name === null) return []
        return [{ skill_name, content_sha256: version.content_sha256, binding_policy, text: version.content }]
      }),
    offers(run) {
      const found = given(run).flatMap(({ workflow_id }) => (workflow_id === null ? [] : (workflows.records.get(workflow_id) ?? [])))
      if (found.length === 0) return ''
      const listed = found.map(({ workflow_id, name, definition }) => {
        const inputs = definition.inputs.map((input) => input.name).join(', ')
        return `- ${name} (${workflow_id})${inputs === '' ? '' : `; inputs: ${inputs}`}`
      })
      return [
        '# Workflows to offer',
        'These workflows repeat what the user asks for. Before you do the steps yourself, ask the user with ask_user whether to use one; if so, start it with workflow.start and its id.',
        ...listed,
      ].join('\n')
    },
    ended(run) {
      const shadows = open(run.agent_id, 'shadow_active')
      const canaries = open(run.agent_id, 'canary_applied')
      if (shadows.length + canaries.length === 0) return
      const done = patterns.shapesOf(run.run_id)
      const request = requestOf(run)
      for (const recommendation of canaries)
        matched.setCloseness(recommendation.id, run.run_id, closenessOf(patterns.steps(signatureOf(recommendation)), done))
      for (const recommendation of shadows) shadow(recommendation, run, request, done)
    },
  }

  function shadow(recommendation: SkillRecommendation, run: RunRecord, request: string | null, done: ReadonlySet<string>): void {
    const { id, kind } = recommendation
    const applied = recommendations
      .validations(id)
      .findLast(({ to_state, from_state }) => to_state === 'shadow_active' && from_state !== to_state)
    const { run_id, conversation_id, started_at } = run
    if (request === null || !applied || started_at < Date.parse(applied.created_at)) return
    const score = scoreOf(recommendation, request)
    const closeness = closenessOf(patterns.steps(signatureOf(recommendation)), done)
    // A workflow is for runs that make its calls, whatever the request was.
    const matches = kind === 'workflow' ? (closeness ?? 0) >= leastLikeness : score >= leastMatch
    if (!matches || matched.of(id, 1_000).some((one) => one.run_id === run_id)) return
    matched.add(id, { run_id, conversation_id, stage: 'shadow', group: null, score, closeness })
    const steps = closeness === null ? '' : ` and did ${Math.round(100 * closeness)}% of its steps`
    const runs_checked = matched.of(id, 1_000).filter(({ stage }) => stage === 'shadow').length
    recommendations.note(id, 'shadow', 'passed', {
      trigger: 'scheduler',
      summary: `A run matched it${steps}.`,
      cause_run_id: run_id,
      runs_checked,
    })
  }
}
