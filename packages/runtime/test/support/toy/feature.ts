// A feature that uses everything a feature can have, except for commands: every command of the contract has a feature already. A test puts
// its folder into a copy of the runtime.
import Type from 'typebox'
import { ToolFailure } from '../../../src/call/failure.ts'
import { defineTool } from '../../../src/call/tool.ts'
import { Waiting } from '../../../src/call/wait.ts'
import type { Feature } from '../../../src/feature/feature.ts'
import type { FeatureContext } from '../../../src/feature/feature-context.ts'
import type { SettingsSection } from '../../../src/settings/section.ts'

const toySettings = {
  name: 'toy',
  schema: Type.Object({ greeting: Type.String({ minLength: 1, maxLength: 100, description: 'What the toy says' }) }),
  initial: { greeting: 'hello' },
} satisfies SettingsSection

const day_ms = 86_400_000

export function openToyFeature({ clock, store, settings }: FeatureContext): Feature {
  let rounds = 0
  const heard: string[] = []
  const ended: string[] = []
  const play = () => {
    rounds += 1
  }
  const nap = defineTool({
    name: 'toy.nap',
    summary: 'Waits for some days.',
    input: Type.Object({ days: Type.Number({ minimum: 0, description: 'How many' }) }, { additionalProperties: false }),
    output: Type.Object({ nap_id: Type.String(), dreamed: Type.String() }, { additionalProperties: false }),
    effects: async () => [{ does: 'note' }],
    limits: { seconds: 1 },
    leaves: 'ids',
    run: async ({ days }) => new Waiting({ for: 'time', id: store.newId(), until: clock.now() + days * day_ms }),
    resumed(wait, end) {
      if (end.outcome !== 'completed') throw new ToolFailure('overslept', 'the nap did not end in time')
      return { nap_id: wait.id, dreamed: 'SECRET' }
    },
  })
  return {
    name: 'toy',
    tools: [nap],
    jobs: [{ name: 'toy_rounds', every_ms: day_ms, first_ms: 1, run: play }],
    settings: toySettings,
    policy: {
      name: 'toy',
      kind: 'intersection',
      apply: (policy, { tool }) => (tool === 'fs.delete' ? { ...policy, enabled: false } : policy),
    },
    prompt: { order: 30, max_tokens: 50, stable: true, text: async () => `The toy says ${settings.section(toySettings).greeting}.` },
    on: { from: 'now', hears: { run_ended: async ({ data }) => void heard.push(data.run_id) } },
    bindings: async () => [],
    endRun: (run_id) => void ended.push(run_id),
    stop() {
      rounds = 0
    },
    status: () => ({ works: rounds > 0, note: `${rounds} rounds, ${heard.length} runs heard, ${ended.length} ended` }),
  }
}
