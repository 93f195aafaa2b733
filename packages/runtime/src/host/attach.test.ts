// The CLI with a running runtime: a real process finds it by `runtime.json` and uses the command channel.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestHost, testHost } from '../../test/support/host/test-host.ts'

const bin = fileURLToPath(new URL('../../../cli/bin/tandem.js', import.meta.url))

let here: TestHost

beforeAll(async () => {
  here = await testHost()
})

afterAll(() => here.stop())

interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function tandem(...args: string[]): { readonly ended: Promise<Ended>; said(text: string): Promise<void> } {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: here.workspace,
    env: { PATH, HOME, TANDEM_HOME: here.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  const listeners = new Set<() => void>()
  const told = () => listeners.forEach((listener) => void listener())
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    told()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    told()
  })
  return {
    // Tests run as root on some machines and not on others; the compared values are the same on both.
    ended: new Promise((resolve) =>
      child.on('close', (status) =>
        resolve({ status, stdout, stderr: stderr.replace(/^tandem: warning: Tandem is running as root.*\n/, '') }),
      ),
    ),
    said: (text) =>
      new Promise((resolve) => {
        const look = () => {
          if (`${stdout}${stderr}`.includes(text)) resolve()
        }
        listeners.add(look)
        look()
      }),
  }
}

test('commands reach the runtime that has the lease, and their results are there', async () => {
  expect(await tandem('agents', 'create', 'Scribe').ended).toMatchObject({ status: 0, stderr: '' })
  expect(here.features.agents.list().map(({ agent }) => agent.name)).toEqual(['Scribe'])
  const status = await tandem('command', 'runtime_status').ended
  expect(JSON.parse(status.stdout)).toMatchObject({ device_id: here.store.device_id, home: here.home })
  expect(await tandem('command', 'agent_get', '{"agent_id":"nobody"}').ended).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('not_found'),
  })
  expect(await tandem('command', 'agent_run_start', '{}').ended).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('not_available'),
  })
})

test('a run is followed from start to end, with its text as it is streamed', async () => {
  const { run_id, conversation_id } = here.startRun()
  const { journal } = here.features
  journal.append(run_id, { kind: 'tool.call', call_id: 'c1', tool: 'fs.read', arguments: '{"path":"a"}' })
  const following = tandem('resume', run_id)
  await following.said('→ Read a')
  journal.settle(run_id, {
    call_id: 'c1',
    tool: 'fs.read',
    call_seq: 1,
    outcome: 'succeeded',
    output: 'x',
    output_file: null,
    truncated: false,
    failure_contract: null,
    checkpoint_id: null,
    duration_ms: 1,
  })
  await following.said('✓ fs.read')
  const delta = { run_id, conversation_id, kind: 'text' as const, id: 'm1' }
  here.bus.publish('delta', { ...delta, offset: 0, text: 'Hello ' })
  here.bus.publish('delta', { ...delta, offset: 6, text: 'there.' })
  journal.append(run_id, { kind: 'message.completed', message_id: 'm1' })
  const usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false }
  journal.append(run_id, { kind: 'run.completed', usage })
  expect(await following.ended).toEqual({ status: 0, stdout: 'Hello there.\n', stderr: '→ Read a\n✓ fs.read x\n' })
})

test('the token is not in the arguments or environment of any process', async () => {
  const { run_id } = here.startRun()
  const { journal } = here.features
  journal.append(run_id, { kind: 'tool.call', call_id: 'c1', tool: 'fs.read', arguments: '{}' })
  const following = tandem('resume', run_id)
  await following.said('→ fs.read')
  const listed = await new Promise<string>((resolve) => {
    const ps = spawn('ps', ['-eo', 'args', 'e'], { stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    ps.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    ps.on('close', () => resolve(text))
  })
  const { token } = JSON.parse(readFileSync(join(here.home, 'runtime.json'), 'utf8'))
  expect(listed).toContain(run_id)
  expect(listed).not.toContain(token)
  const usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false }
  journal.append(run_id, { kind: 'run.completed', usage })
  expect((await following.ended).status).toBe(0)
})

test('without the file, the folder is still reported as in use', async () => {
  rmSync(join(here.home, 'runtime.json'))
  expect(await tandem('runs').ended).toMatchObject({ status: 1, stderr: expect.stringContaining('in use by another tandem command') })
})
