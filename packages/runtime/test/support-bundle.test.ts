// A support bundle shows the state of the runtime, and nothing of what users do with it.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands } from '@tandem/contract/command/schema'
import fc from 'fast-check'
import { Check, Errors } from 'typebox/value'
import { afterEach, expect, test } from 'vitest'
import { identifierText, networkOf } from '../src/commands/support-bundle.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent | undefined
afterEach(async () => {
  await agent?.stop()
  agent = undefined
})

const canary = (what: string) => `canary${what}Zx9`
const { result } = commands.runtime_make_support_bundle

test('no text, name, path or key of a user is in it, even after failures', async () => {
  agent = await startTestAgent(
    [
      { text: canary('Said'), thinking: canary('Thought'), calls: [{ name: 'fs.read', arguments: { path: `${canary('Missing')}.md` } }] },
      { calls: [{ name: 'fs.write', arguments: { path: `/etc/${canary('Outside')}`, content: canary('Content') } }] },
      { calls: [{ name: 'fs.read', arguments: { path: `${canary('File')}.md` } }] },
      { calls: [{ name: 'web.fetch', arguments: { url: `http://${canary('Host')}.test/?token=${canary('Token')}` } }] },
      { status: 400, body: JSON.stringify({ error: { message: canary('ModelError') } }) },
    ],
    { environment: { TANDEM_MODEL_KEY: canary('EnvKey'), TANDEM_MODEL: canary('ModelName') } },
  )
  const { call, workspace, runtime, folder } = agent
  writeFileSync(join(workspace, `${canary('File')}.md`), canary('Inside'))
  await call('runtime_set_settings', { search_provider: 'brave', search_key: canary('SearchKey') })
  const { agent: made } = await call('agent_create', { name: canary('Agent'), instructions: canary('Instructions') })
  for (const tool of ['fs.write', 'web.fetch']) await agent.policy(made.agent_id, tool, { approval_mode: 'auto' })
  await agent.ask(made.agent_id, canary('Asked'))
  const { bundle, file } = await call('runtime_make_support_bundle', { action: 'write' })
  expect([...Errors(result, { bundle, file })]).toEqual([])
  const text = JSON.stringify(bundle)
  expect(text).not.toMatch(/canary|Zx9/i)
  for (const path of [folder, workspace, runtime.home, process.env.HOME ?? '/root']) expect(text).not.toContain(`${path}/`)
  expect(text).not.toMatch(/127\.0\.0\.1|https?:|\/etc|\.md/)
  // It still shows what happened.
  expect(bundle.failures.map(({ failure }) => failure.reason_code)).toEqual(expect.arrayContaining(['not_found', 'rejected']))
  expect(bundle.counts).toContainEqual({ name: 'runs', count: 1 })
  expect(bundle.runs).toEqual([{ state: 'failed', count: 1 }])
  expect(bundle.settings).toEqual({
    model: 'set',
    model_at: 'this_machine',
    model_key_set: false,
    search_provider: 'brave',
    search_key_set: true,
    when_window_closes: 'keep_going',
  })
  // Memory and learning read the run afterwards.
  expect(bundle.events.findLast(({ event }) => event.startsWith('run_'))).toMatchObject({ event: 'run_failed' })
  expect(bundle.features).toContainEqual({ name: 'agent_loop', works: true })
  expect(bundle.features).toContainEqual({ name: 'skill_evolution', works: true })
  expect(JSON.parse(readFileSync(file ?? '', 'utf8'))).toEqual(bundle)
  expect(statSync(file ?? '').mode & 0o777).toBe(0o600)
})

test('a preview writes nothing, and of a long record only the end is included', async () => {
  agent = await startTestAgent([])
  const { runtime, call } = agent
  for (let number = 0; number < 700; number += 1)
    runtime.events.emit('sync_state_changed', {}, { from_state: 'idle', to_state: 'offline', pending_changes: number, cursor_ts: null })
  const { bundle, file } = await call('runtime_make_support_bundle', { action: 'preview' })
  expect(file).toBeNull()
  expect(bundle.events).toHaveLength(500)
  expect(bundle.events.at(-1)?.numbers).toEqual([{ name: 'pending_changes', value: 699 }])
  expect(Check(result, { bundle, file })).toBe(true)
  expect(() => statSync(join(runtime.home, 'support'))).toThrow(/ENOENT/)
})

test('whatever the input, what is left of it matches, and contains no path or address', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(identifierText(text)).toMatch(/^[A-Za-z0-9][A-Za-z0-9 _.+-]{0,59}$/)
    }),
  )
})

test.each([
  ['http://127.0.0.1:11434/v1', 'this_machine'],
  ['http://localhost/v1', 'this_machine'],
  ['http://[::1]:80/v1', 'this_machine'],
  ['http://192.168.1.4/v1', 'private_network'],
  ['http://gpu-box/v1', 'private_network'],
  ['https://api.example.org/v1', 'internet'],
  ['nonsense', null],
  [null, null],
] as const)('%s is %s', (url, place) => {
  expect(networkOf(url)).toBe(place)
})
