// Stopping a runtime twice, as the end of a process and its signal do, is the same as stopping it once.
import { expect, test } from 'vitest'
import { startTestAgent } from './support/test-agent.ts'

test('a runtime that is stopped several times stops once', async () => {
  const agent = await startTestAgent([{ text: 'Done.' }])
  await agent.ask(await agent.agent(), 'hello')
  const { runtime } = agent
  expect(await Promise.allSettled([runtime.stop(), runtime.stop()])).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: undefined },
  ])
  await runtime.stop()
  // It has released the folder.
  await agent.restart()
  await agent.stop()
})
