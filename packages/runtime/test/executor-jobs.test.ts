// Commands of an agent on another machine: two processes over TLS on different addresses, with a network between them that fails.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestMachine, startTestNetwork, type TestMachine, type TestNetwork } from './support/executor/test-machine.ts'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
let agent_id: string
let folder: string
let machine: TestMachine
let network: TestNetwork | null = null
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-machine-'))
  machine = await startTestMachine(folder)
})
afterEach(async () => {
  await agent.stop()
  await network?.stop()
  network = null
  await machine.kill()
  rmSync(folder, { recursive: true, force: true })
})

const exec = (input: object): ScriptedTurn => ({ calls: [{ name: 'shell__exec', arguments: { executor: 'build', ...input } }] })

/** The runtime of this device, which knows the machine. */
async function device(
  calls: readonly ScriptedTurn[],
  options: { readonly isGranted?: boolean; readonly address?: string } = {},
): Promise<string> {
  const { isGranted = true, address = '127.0.0.2' } = options
  agent = await startTestAgent([...calls, { text: 'Done.' }])
  agent_id = await agent.agent()
  if (address === '127.0.0.3') network = await startTestNetwork(machine.port)
  const { certificate_sha256, token, port } = machine
  const { executor } = await agent.call('executor_add', {
    name: 'build',
    executor_url: `https://${address}:${port}`,
    token: token ?? '',
    certificate_sha256,
  })
  expect(executor).toMatchObject({ state: 'ready', agents: [] })
  if (isGranted) await agent.call('executor_grant', { executor_id: executor.executor_id, agent_id })
  return executor.executor_id
}

const stepsOf = (run_id: string) => agent.runtime.journal.steps(run_id).map(({ step }) => step)

function requested(run_id: string) {
  const last = stepsOf(run_id).findLast((step) => step.kind === 'approval.requested')
  if (last?.kind !== 'approval.requested') throw new Error('there is no approval')
  return last.approval
}

async function approve(run_id: string): Promise<void> {
  const { approval_id, fingerprint } = requested(run_id)
  await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
}

const results = (run_id: string) => stepsOf(run_id).flatMap((step) => (step.kind === 'tool.result' ? [step] : []))

/** One call, approved, up to its result. */
async function run() {
  const { run_id, state } = await agent.ask(agent_id, 'Go.')
  expect([state, results(run_id)]).toEqual(['paused', []])
  await approve(run_id)
  await agent.runtime.settled(run_id)
  const [result] = results(run_id)
  return { run_id, result, output: Object(result?.output) }
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
/** Jobs that the machine still stores. */
const stored = () => readdirSync(join(folder, 'jobs'))

/** The only job has written its first line. */
async function begun(): Promise<void> {
  const written = () =>
    stored()
      .map((job) => join(folder, 'jobs', job, 'output'))
      .filter(existsSync)
      .map((file) => readFileSync(file, 'utf8'))
  await expect.poll(written).toEqual(['begun\n'])
}

test('a command runs on the machine, after an approval that names it, and its result says where it ran', async () => {
  await device([exec({ command: 'echo there; echo x > file; exit 3' })])
  await agent.policy(agent_id, 'shell.exec', { approval_mode: 'auto' })
  const { run_id, output } = await run()
  const { warnings, unprotected, choices, remembers, touches } = requested(run_id)
  expect({ unprotected, choices, remembers, touches }).toEqual({
    unprotected: ['Everything that the command changes on build: nothing on that machine is protected'],
    choices: ['once', 'no'],
    remembers: [],
    touches: ['run on build: echo there; echo x > file; exit 3'],
  })
  expect(warnings).toEqual([
    `Runs on another machine: build, https://127.0.0.2:${machine.port}, with the certificate ${machine.certificate_sha256}. It reports that it restricts commands to a folder for each of them. Nothing on that machine can be restored.`,
  ])
  expect(output).toMatchObject({
    ...{ exit_code: 3, output: 'there\n', bytes: 6, truncated: false, timed_out: false },
    executor: { name: 'build', sandbox: 'os', fetched_files: [], missing_files: [] },
  })
  expect(readdirSync(agent.workspace)).toEqual([])
  // What was fetched is deleted there.
  await expect.poll(stored).toEqual([])
})

test('an agent without a grant is refused, with the name of the executor and what to do; so is an unknown name', async () => {
  const executor_id = await device([exec({ command: 'true' }), exec({ command: 'true', executor: 'other' }), exec({ command: 'true' })], {
    isGranted: false,
  })
  const other = await agent.agent()
  await agent.call('executor_grant', { executor_id, agent_id: other })
  const { run_id, state } = await agent.ask(agent_id, 'Go.')
  expect(state).toBe('completed')
  expect(results(run_id).map(({ failure_contract }) => [failure_contract?.reason_code, failure_contract?.details.message])).toEqual([
    ['executor_not_granted', 'this agent may not use the remote executor build'],
    ['executor_unknown', 'there is no remote executor other on this device'],
    ['executor_not_granted', 'this agent may not use the remote executor build'],
  ])
  expect(results(run_id)[0]?.failure_contract?.details.remedy).toContain('tandem executors grant "build" --agent')
  expect(stored()).toEqual([])
  const missing = await agent.runtime.commands.call('executor_grant', { executor_id, agent_id: 'no-such-agent' })
  expect(missing).toMatchObject({ ok: false, error: { code: 'not_found' } })
  const revoked = await agent.call('executor_revoke', { executor_id, agent_id: other })
  expect(revoked.executor.agents).toEqual([])
})

test('a grant that is revoked while the approval is pending does not count', async () => {
  const executor_id = await device([exec({ command: 'true' })])
  const { run_id } = await agent.ask(agent_id, 'Go.')
  await agent.call('executor_revoke', { executor_id, agent_id })
  await approve(run_id)
  await agent.runtime.settled(run_id)
  expect(results(run_id)[0]?.failure_contract?.reason_code).toBe('executor_not_granted')
  expect(stored()).toEqual([])
})

test('a member of a team needs the grant of the agent above it, too', async () => {
  const delegate = { name: 'agent.delegate', arguments: { title: 'Build', task: 'Build it.', agent: 'Helper' } }
  const executor_id = await device([{ calls: [delegate] }, exec({ command: 'true' }), { text: 'It was refused.' }], { isGranted: false })
  const { agent: helper } = await agent.call('agent_create', { name: 'Helper' })
  await agent.call('agent_update', { agent_id, delegates_to: [helper.agent_id] })
  await agent.policy(agent_id, 'agent.delegate', { approval_mode: 'auto' })
  await agent.call('executor_grant', { executor_id, agent_id: helper.agent_id })
  const { run_id } = await agent.ask(agent_id, 'Go.')
  await expect.poll(() => agent.runtime.journal.run(run_id)?.state).toBe('completed')
  const [, member] = (await agent.call('team_get', { run_id })).team.members
  expect(results(member?.run_id ?? '').map(({ failure_contract }) => failure_contract?.details.message)).toEqual([
    'the agent of the run that started this one may not use the remote executor build',
  ])
  expect(stored()).toEqual([])
})

test('files are sent and fetched only if the call names them', async () => {
  await device([
    exec({ command: 'ls -A; cat in/a.txt | tr a-z A-Z > b.txt', send_files: ['in/a.txt'], fetch_files: ['b.txt', 'out/c.txt'] }),
  ])
  await agent.call('runtime_status', {})
  mkdirSync(join(agent.workspace, 'in'))
  writeFileSync(join(agent.workspace, 'in/a.txt'), 'alpha')
  writeFileSync(join(agent.workspace, 'secret.txt'), 'not for others')
  writeFileSync(join(agent.workspace, 'b.txt'), 'before')
  const { run_id, output } = await run()
  expect(requested(run_id)).toMatchObject({
    touches: [expect.stringContaining('run on build'), 'read in/a.txt', 'write b.txt', 'write out/c.txt'],
    protected: [expect.stringContaining('b.txt'), expect.stringContaining('c.txt')],
  })
  expect(output).toMatchObject({ output: 'in\n', executor: { fetched_files: ['b.txt'], missing_files: ['out/c.txt'] } })
  expect(readFileSync(join(agent.workspace, 'b.txt'), 'utf8')).toBe('ALPHA')
  const { items } = await agent.call('agent_run_list_checkpoints', { run_id })
  expect(items).toHaveLength(1)
})

test('a script runs there, too; what only this device has is refused', async () => {
  await device([
    {
      calls: [
        {
          name: 'script__run',
          arguments: { executor: 'build', language: 'python3', source: 'import sys; print(sys.argv[1:])', args: ['a b'] },
        },
      ],
    },
  ])
  expect((await run()).output).toMatchObject({ exit_code: 0, output: "['a b']\n", executor: { name: 'build' } })
})

test('a connection that is cut again and again loses nothing and repeats nothing', async () => {
  // The second call keeps the run, and with it the file, until its approval.
  await device([exec({ command: 'for n in $(seq 1 200000); do echo "line $n"; done' }), exec({ command: 'true' })], {
    address: '127.0.0.3',
  })
  network?.cutAfter(3_000, 100_000, 1, 200_000, 700_000, 5_000, 300_000)
  const { output } = await run()
  const expected = Array.from({ length: 200_000 }, (_, at) => `line ${at + 1}\n`).join('')
  expect(output).toMatchObject({ exit_code: 0, bytes: expected.length })
  expect([sha256(readFileSync(output.file)), network?.cutsLeft()]).toEqual([sha256(expected), 0])
})

/** 1 GB with npm run test:executor. */
test('much output passes through, and neither side keeps it in memory', { timeout: 900_000 }, async () => {
  const bytes = Number(process.env.TANDEM_EXECUTOR_BYTES ?? 50_000_000)
  await device([exec({ command: `head -c ${bytes} /dev/zero | tr '\\0' x | fold -w 99` })])
  const before = await machine.peak_rss()
  const { output } = await run()
  expect(output).toMatchObject({ exit_code: 0, bytes: bytes + Math.floor((bytes - 1) / 99), truncated: true })
  expect((await machine.peak_rss()) - before).toBeLessThan(200_000_000)
  expect(process.resourceUsage().maxRSS * 1_024).toBeLessThan(2_000_000_000)
})

test('an executor that is killed loses the job, says so, and does not start it again', async () => {
  const sleeping = `sleep 1000.${process.pid}`
  const isRunning = () => spawnSync('pgrep', ['-f', sleeping]).status === 0
  await device([exec({ command: `echo begun; ${sleeping}` })])
  const { run_id } = await agent.ask(agent_id, 'Go.')
  await approve(run_id)
  await begun()
  expect(isRunning()).toBe(true)
  const { port } = machine
  await machine.kill()
  machine = await startTestMachine(folder, port)
  await agent.runtime.settled(run_id)
  const [result] = results(run_id)
  expect([result?.outcome, result?.failure_contract?.reason_code]).toEqual(['failed', 'job_lost'])
  expect(result?.output).toMatchObject({ exit_code: null, output: 'begun\n', executor: { name: 'build' } })
  await expect.poll(isRunning).toBe(false)
})

test('canceling the run cancels the job and everything it started', async () => {
  await device([exec({ command: 'echo begun; sleep 1000 & sleep 1000' })])
  const { run_id } = await agent.ask(agent_id, 'Go.')
  await approve(run_id)
  await begun()
  const [job = ''] = stored()
  await agent.call('agent_run_cancel', { run_id })
  await agent.runtime.settled(run_id)
  await expect
    .poll(() =>
      existsSync(join(folder, 'jobs', job, 'job.json'))
        ? JSON.parse(readFileSync(join(folder, 'jobs', job, 'job.json'), 'utf8')).report.state
        : 'deleted',
    )
    .toMatch(/canceled|deleted/)
})

test('a command that takes too long is ended there, with the output up to then', async () => {
  await device([exec({ command: 'echo begun; sleep 1000', timeout_seconds: 2 })])
  expect((await run()).output).toMatchObject({ timed_out: true, output: 'begun\n' })
})
