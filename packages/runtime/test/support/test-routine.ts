// A user who repeats routines in real runs of a real runtime, on a different day each time.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CommandResult } from '@tandem/contract/command'
import type { RecommendationKind, SkillRecommendationState } from '@tandem/contract/skill-recommendation'
import type { Script } from './model/test-model.ts'
import type { TestAgent } from './test-agent.ts'

export type RoutineStep = readonly [string, Readonly<Record<string, unknown>>]
type Recommendation = CommandResult<'skill_get_recommendation'>['recommendation']

const patience_ms = 60_000

/** Until it no longer throws. Also outside of tests: screenshots use it. */
async function waitFor(check: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + patience_ms; ; await new Promise((resolve) => setTimeout(resolve, 25))) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > until) throw error
    }
  }
}

/** Makes the calls that belong to the latest request, one per turn. */
export const routineScript =
  (stepsOf: (request: string) => readonly RoutineStep[]): Script =>
  (_, { messages }) => {
    const at = messages.findLastIndex(({ role }) => role === 'user')
    const next = stepsOf(String(messages[at]?.content))[messages.slice(at).filter(({ role }) => role === 'tool').length]
    return next ? { calls: [{ name: next[0], arguments: next[1] }] } : { text: 'Done.' }
  }

/** `answer`: to every request for approval. */
export function userOf(agent: Pick<TestAgent, 'call' | 'runtime' | 'folder' | 'workspace' | 'logged'>, answer: 'once' | 'always' = 'once') {
  async function ran(agent_id: string, text: string): Promise<string> {
    const { conversation_id } = (await agent.call('conversation_create', { agent_id, workspace: agent.workspace })).conversation
    const { run_id } = (await agent.call('agent_run_start', { conversation_id, text })).run
    for (;;) {
      await agent.runtime.settled(run_id)
      const [waiting] = (await agent.call('approval_list', { run_id })).items
      if (!waiting) return run_id
      const { approval_id, fingerprint } = waiting.approval
      await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer } })
    }
  }

  /** Waits until the run was mined and everything that follows from it has happened. */
  async function mined(run_id: string): Promise<void> {
    await waitFor(async () => {
      if ((await agent.call('skill_list_behavior_traces', { run_id })).items.length === 0) throw new Error('it was not mined')
    })
    await waitFor(async () => {
      const database = new DatabaseSync(join(agent.folder, 'home', 'tandem.db'), { readOnly: true })
      const open = database.prepare("SELECT count(*) AS count FROM lifecycle_deliveries WHERE listener = 'evolution'").get()
      database.close()
      if (open?.count !== 0) throw new Error('what follows from it has not happened')
    })
    await agent.call('learning_advance_candidates', {})
  }

  const list = async () => (await agent.call('skill_list_recommendations', {})).items

  return {
    ran,
    mined,
    list,
    async does(agent_id: string, text: string): Promise<string> {
      const run_id = await ran(agent_id, text)
      await mined(run_id)
      this.spreadOverDays()
      return run_id
    },
    /** As if each run had happened on another day. */
    spreadOverDays() {
      const database = new DatabaseSync(join(agent.folder, 'home', 'tandem.db'))
      database.exec("UPDATE evolution_runs SET day = '2026-01-' || (10 + no % 20)")
      database.close()
    },
    get: (recommendation_id: string) => agent.call('skill_get_recommendation', { recommendation_id }),
    async only(kind: RecommendationKind): Promise<Recommendation> {
      const found = (await list()).filter((one) => one.kind === kind)
      const [first] = found
      if (!first || found.length > 1) throw new Error(`there are ${found.length} recommendations of kind ${kind}`)
      return first
    },
    async reached(recommendation_id: string, state: SkillRecommendationState): Promise<void> {
      await waitFor(async () => {
        const now = (await agent.call('skill_get_recommendation', { recommendation_id })).recommendation.state
        if (now !== state) throw new Error(`it is ${now}, not ${state}: ${agent.logged.join('\n')}`)
      })
    },
    eventsOf: (recommendation_id: string) =>
      agent.runtime.events
        .list({ limit: 10_000 })
        .flatMap(({ event, data }) => ((data as { recommendation_id?: string }).recommendation_id === recommendation_id ? [event] : [])),
  }
}
