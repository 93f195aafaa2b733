// Remote executors in a whole runtime: the schedule starts with it, the outcome is reported everywhere, and skills depend on it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startReferenceExecutor } from '../src/executor/reference/reference-executor.ts'
import { acceptedHandshake, json, newCertificate, startTestExecutor } from './support/executor/test-executor.ts'
import { requiring, skillText } from './support/skill/test-skills.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
let folder: string
const closing: (() => Promise<unknown>)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-other-machine-'))
})
afterEach(async () => {
  await agent.stop()
  for (const close of closing.splice(0)) await close()
  rmSync(folder, { recursive: true, force: true })
})

async function otherMachine() {
  const start = await startReferenceExecutor({
    ...{ folder, listen: '127.0.0.1', port: 0, hosts: [], plain: false, capabilities: ['gpu.cuda'], renew_token: false },
    ...{ allow_root: true, environment: { PATH: process.env.PATH }, uid: null },
  })
  if (!start.ok) throw new Error(start.problem)
  closing.push(start.executor.stop)
  return { ...start.executor, token: start.executor.new_token ?? '' }
}

const outcomes = () =>
  agent.runtime.events
    .list({ limit: 1_000 })
    .flatMap((one) => (one.event === 'executor_outcome_changed' ? [[one.data.to_outcome, one.failure_contract?.reason_code ?? null]] : []))

test('an executor is confirmed by its fingerprint and stored with its token, which no one sees again', async () => {
  agent = await startTestAgent([])
  const { url, token, certificate_sha256, stop } = await otherMachine()
  expect(await agent.call('executor_preview', { executor_url: `${url}/` })).toEqual({ executor_url: url, certificate_sha256 })
  const asked = { name: 'build', executor_url: url, token, certificate_sha256: null }
  const unconfirmed = await agent.runtime.commands.call('executor_add', asked)
  expect(unconfirmed).toMatchObject({
    ok: false,
    error: { code: 'consent_needed', message: expect.stringContaining(String(certificate_sha256)) },
  })
  const { executor } = await agent.call('executor_add', { ...asked, certificate_sha256 })
  expect(executor).toMatchObject({ name: 'build', state: 'ready', negotiation: { outcome: 'negotiated', method: 'handshake' } })
  await stop()
  const tested = await agent.call('executor_test', { executor_id: executor.executor_id })
  expect(tested.executor).toMatchObject({ state: 'failed', negotiation: { reason: 'unreachable', failures: 1 } })
  expect(outcomes()).toEqual([
    ['negotiated', null],
    ['failed', 'unreachable'],
  ])

  const status = await agent.call('runtime_status', {})
  expect(status.executors).toMatchObject([{ name: 'build', state: 'failed', reason: 'unreachable', next_attempt_at: expect.any(String) }])
  expect(status.features.find(({ name }) => name === 'remote_executor')?.note).toMatch(
    /^0 of 1 remote executor is available\. build: The executor cannot be reached\. The next attempt is at .* UTC\.$/,
  )
  const { bundle } = await agent.call('runtime_make_support_bundle', { action: 'preview' })
  expect(bundle.executors).toEqual([{ state: 'failed', reason: 'unreachable', count: 1 }])
  const events = agent.runtime.events.list({ limit: 1_000 })
  const seen = JSON.stringify([status, bundle, events, tested, await agent.call('executor_list', {}), agent.logged])
  expect([seen.includes(token), JSON.stringify(bundle).includes('127.0.0.1')]).toEqual([false, false])

  await agent.call('executor_remove', { executor_id: executor.executor_id })
  expect((await agent.call('executor_list', {})).items).toEqual([])
  const again = await agent.runtime.commands.call('executor_test', { executor_id: executor.executor_id })
  expect(again).toMatchObject({ ok: false, error: { code: 'not_found' } })
})

test('an address that cannot be used, a name that is taken and an unreachable address are refused', async () => {
  agent = await startTestAgent([])
  const add = (name: string, executor_url: string, certificate_sha256: string | null) =>
    agent.runtime.commands.call('executor_add', { name, executor_url, token: 'a-token-of-the-executor', certificate_sha256 })
  const far = await add('far', 'http://192.168.1.20', null)
  expect(far).toMatchObject({ ok: false, error: { code: 'invalid_params', fields: [{ field: 'executor_url' }] } })
  expect(await add('here', 'http://127.0.0.1:9', 'a'.repeat(64))).toMatchObject({
    ok: false,
    error: { fields: [{ field: 'certificate_sha256' }] },
  })
  const closed = await startTestExecutor(() => undefined, { tls: newCertificate() })
  await closed.stop()
  expect(await add('gone', closed.url, null)).toMatchObject({
    ok: false,
    error: { code: 'executor_unavailable', failure_contract: { stage: 'executor', reason_code: 'unreachable' } },
  })
  expect(await add('stored', closed.url, 'a'.repeat(64))).toMatchObject({ ok: true, value: { executor: { state: 'failed' } } })
  expect(await add('STORED', closed.url, 'a'.repeat(64))).toMatchObject({ ok: false, error: { fields: [{ field: 'name' }] } })
})

test('a run gets a skill that needs a remote host only while one is available', async () => {
  agent = await startTestAgent(() => ({ text: 'Done.' }))
  const agent_id = await agent.agent()
  const place = join(agent.folder, 'home', 'skills', 'train')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'SKILL.md'), skillText('train', requiring('{required_remote_capabilities: [gpu.cuda]}'), 'Use the GPU.'))
  await agent.call('skill_bind', { agent_id, skill_name: 'train', binding_policy: 'always', reviewed_sha256: null })
  const given = async () => {
    const { run_id } = await agent.ask(agent_id, 'Train it')
    const { given: skills } = await agent.call('agent_run_get_skills', { run_id })
    return [skills?.skills.map(({ skill_name }) => skill_name), skills?.left_out.map(({ skill_name }) => skill_name)]
  }
  expect(await given()).toEqual([[], ['train']])
  const { url, token, certificate_sha256, stop } = await otherMachine()
  const { executor } = await agent.call('executor_add', { name: 'build', executor_url: url, token, certificate_sha256 })
  expect(await given()).toEqual([['train'], []])
  await stop()
  await agent.call('executor_test', { executor_id: executor.executor_id })
  expect(await given()).toEqual([[], ['train']])
})

test('50 executors, 45 of which hang, delay neither the start nor commands, and the others are available', async () => {
  agent = await startTestAgent([])
  const tls = newCertificate()
  const good = await startTestExecutor((_, response) => json(response, acceptedHandshake), { tls })
  const reserved = await startTestExecutor(() => undefined)
  // Nothing listens there yet, so that adding them is quick.
  await good.stop()
  await reserved.stop()
  for (let number = 0; number < 50; number += 1) {
    const isGood = number % 10 === 0
    const executor_url = `${isGood ? good.url : reserved.url}/${number}`
    const certificate_sha256 = isGood ? good.certificate_sha256 : null
    await agent.call('executor_add', { name: `machine ${number}`, executor_url, token: 'a-token-of-the-executor', certificate_sha256 })
  }
  const hanging = new Set<Socket>()
  const hole = createServer((socket) => hanging.add(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => hole.listen(reserved.port, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of hanging) socket.destroy()
    return new Promise((resolve) => hole.close(resolve))
  })
  const back = await startTestExecutor((_, response) => json(response, acceptedHandshake), { tls, port: good.port })
  closing.push(back.stop)

  await agent.restart()
  const states = async () => (await agent.call('runtime_status', {})).executors.map(({ state }) => state)
  expect(await states()).toHaveLength(50)
  await expect.poll(() => hanging.size).toBe(45)
  await expect.poll(async () => (await states()).filter((state) => state === 'ready').length).toBe(5)
  // All of them are still open: nothing waited for one of them.
  expect([...hanging].filter(({ destroyed }) => destroyed)).toEqual([])
})

test('a process for one command has no schedule: before a run it negotiates with those that are due', async () => {
  agent = await startTestAgent(() => ({ text: 'Done.' }), { life: 'errand' })
  const gone = await startTestExecutor(() => undefined)
  await gone.stop()
  const agent_id = await agent.agent()
  const added = { name: 'build', executor_url: gone.url, token: 'a-token-of-the-executor', certificate_sha256: null }
  const { executor } = await agent.call('executor_add', added)
  const back = await startTestExecutor((_, response) => json(response, acceptedHandshake), { port: gone.port })
  closing.push(back.stop)
  const due = Date.parse(executor.negotiation?.next_attempt_at ?? '')
  await expect.poll(() => Date.now() > due).toBe(true)
  await agent.restart()
  expect((await agent.call('executor_list', {})).items[0]?.state).toBe('failed')
  await agent.ask(agent_id, 'Hello')
  expect([back.requests.length, (await agent.call('executor_list', {})).items[0]?.state]).toEqual([1, 'ready'])
  // What was stored is not due yet.
  await agent.restart()
  await agent.ask(agent_id, 'Hello again')
  expect([back.requests.length, (await agent.call('executor_list', {})).items[0]?.state]).toEqual([1, 'ready'])
})
