// Values that change in a whole runtime, found with the bundled embedder: what is said shares few words with what it replaces.
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let here: TestAgent | null = null
afterEach(async () => {
  await here?.stop()
  here = null
})

const said = ['My day rate is £340.', 'Always print the rota on yellow paper.', 'New day rate is £365, Priti insists.']

async function states(embeddings: 'bundled' | 'off'): Promise<readonly string[]> {
  here = await startTestAgent(() => ({ text: 'OK.' }))
  const { agent } = await here.call('agent_create', { name: 'Pilot' })
  const { agent_id } = agent
  await here.call('runtime_set_settings', { sections: [{ section: 'recall', setting: 'embeddings', value: embeddings }] })
  const { conversation } = await here.call('conversation_create', { agent_id, workspace: here.workspace })
  const { conversation_id } = conversation
  for (const text of said) {
    const { run } = await here.call('agent_run_start', { conversation_id, text })
    await here.runtime.settled(run.run_id)
    await here.call('memory_compact', { agent_id, conversation_id })
  }
  const { items } = await here.call('memory_list', { agent_id })
  return items.map(({ content, state }) => `${state}: ${content.split(' ').slice(0, 4).join(' ')}`).toSorted()
}

test('a statement ends what it means, and without the embedder nothing', async () => {
  const compared = await states('bundled')
  expect(compared).toContain('superseded: My day rate is')
  expect(compared).toContain('active: Always print the rota')
  await here?.stop()
  const words = await states('off')
  expect(words).toContain('active: My day rate is')
})
