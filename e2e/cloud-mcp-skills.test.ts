// MCP servers and skills with two devices: a result of a server is shown on the other device as recorded, and a binding applies on both.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { officialServer } from '../packages/runtime/test/support/mcp/test-mcp.ts'
import { type Script, startTestModel } from '../packages/runtime/test/support/model/test-model.ts'
import { skillText } from '../packages/runtime/test/support/skill/test-skills.ts'
import { addServer, program } from '../packages/runtime/test/support/test-mcp-run.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { openCloudDevice, resultsOf } from './cloud-device.ts'
import { type CloudServer, newUser, startCloudServer } from './cloud-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })
const patience_ms = 40_000

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server[Symbol.asyncDispose]())

async function modelThat(script: Script) {
  const model = await startTestModel(script)
  const environment = { TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: model.base_url, TANDEM_MODEL: 'test/model' }
  return { requests: model.requests, environment, [Symbol.asyncDispose]: model.close }
}

test('a result of a server is shown on the other device as it was recorded', async () => {
  const turns = [
    { calls: [{ name: 'mcp.all.get-tiny-image', arguments: {} }] },
    { calls: [{ name: 'mcp.all.echo', arguments: { message: 'long '.repeat(20_000) } }] },
  ]
  await using model = await modelThat((index) => turns[index] ?? { text: 'Done.' })
  await using desk = openCloudDevice('desk', model)
  await using sofa = openCloudDevice('sofa')
  const person = newUser()
  await desk.signIn(server.url, person, 'new')
  await sofa.signIn(server.url, person, 'known')
  await addServer(desk, program('all', [officialServer('everything')]))
  const run_id = await desk.sendMessage('Show me')
  expect(await desk.approveAll(run_id)).toEqual(['mcp.all.get-tiny-image', 'mcp.all.echo'])
  await waitFor(() => sofa.runtime.journal.run(run_id)?.state === 'completed', patience_ms)
  const file = expect.stringContaining(run_id)
  expect(resultsOf(sofa, run_id).map(({ output }) => output)).toMatchObject([
    { content: expect.arrayContaining([expect.objectContaining({ type: 'image', media_type: 'image/png', file })]) },
    { content: [{ type: 'text', whole: { file } }] },
  ])
  expect(resultsOf(sofa, run_id)).toEqual(resultsOf(desk, run_id))
})

test('a skill bound on one device applies to a run that continues on the other, from its next turn', async () => {
  const bound = Promise.withResolvers<void>()
  await using model = await modelThat((index) =>
    index === 0 ? { calls: [{ name: 'fs.list', arguments: {} }], hold: bound.promise } : { text: 'Done.' },
  )
  await using desk = openCloudDevice('desk')
  await using sofa = openCloudDevice('sofa', model)
  for (const { home } of [desk, sofa]) {
    mkdirSync(join(home, 'skills', 'manners'), { recursive: true })
    writeFileSync(join(home, 'skills', 'manners', 'SKILL.md'), skillText('manners', '', 'Always say please.'))
  }
  const person = newUser()
  await sofa.signIn(server.url, person, 'new')
  await desk.signIn(server.url, person, 'known')
  const { conversation } = await sofa.call('conversation_create', {})
  const { agent_id, conversation_id } = conversation
  const { run } = await sofa.call('agent_run_start', { conversation_id, text: 'What is here?' })
  await waitFor(() => model.requests.length === 1, patience_ms)
  await waitFor(async () => (await desk.call('agent_list', { limit: 200 })).items.some((one) => one.agent_id === agent_id), patience_ms)
  await desk.call('skill_bind', { agent_id, skill_name: 'manners', binding_policy: 'always', reviewed_sha256: null })
  await waitFor(async () => (await sofa.call('skill_binding_list', { agent_id })).items.length === 1, patience_ms)
  bound.resolve()
  await sofa.runtime.settled(run.run_id)
  const given = model.requests.map(({ messages }) => String(messages[0]?.content).includes('Always say please.'))
  expect([sofa.runtime.journal.run(run.run_id)?.state, given]).toEqual(['completed', [false, true]])
})
