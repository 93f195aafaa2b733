// The device of the user is killed while a command runs on another machine.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestClient, type TestClient } from './support/executor/test-client.ts'
import { startTestMachine, type TestMachine } from './support/executor/test-machine.ts'
import { startTestModel, type TestModel } from './support/model/test-model.ts'

let folder: string
let own: string
let machine: TestMachine
let model: TestModel
let client: TestClient
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-machine-'))
  own = mkdtempSync(join(tmpdir(), 'tandem-client-'))
  mkdirSync(join(own, 'workspace'))
  machine = await startTestMachine(folder)
})
afterEach(async () => {
  await client.kill()
  await model.close()
  await machine.kill()
  for (const one of [folder, own]) rmSync(one, { recursive: true, force: true })
})

/** Jobs that the machine still stores. */
const stored = () => readdirSync(join(folder, 'jobs'))
const fileOfJob = (job: string, name: string) => join(folder, 'jobs', job, name)
const steps = async (run_id: string) => (await client.call('agent_run_list_steps', { run_id, limit: 200 })).items
const results = async (run_id: string) => (await steps(run_id)).flatMap((step) => (step.kind === 'tool.result' ? [step] : []))

/** The command has been approved and has begun on the machine; then the client is killed and started again. */
async function killedWhile(input: object): Promise<{ readonly run_id: string; readonly job: string }> {
  model = await startTestModel([{ calls: [{ name: 'shell__exec', arguments: { executor: 'build', ...input } }] }, { text: 'Done.' }])
  client = await startTestClient(own, model.base_url)
  const { agent } = await client.call('agent_create', { name: 'Tester' })
  const { certificate_sha256, token, port } = machine
  const added = { name: 'build', executor_url: `https://127.0.0.2:${port}`, token: token ?? '', certificate_sha256 }
  const { executor } = await client.call('executor_add', added)
  await client.call('executor_grant', { executor_id: executor.executor_id, agent_id: agent.agent_id })
  const { conversation } = await client.call('conversation_create', { agent_id: agent.agent_id, workspace: join(own, 'workspace') })
  const { run } = await client.call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'Go.' })
  const { run_id } = run
  await client.settled(run_id)
  const prompt = (await steps(run_id)).findLast((step) => step.kind === 'approval.requested')
  if (prompt?.kind !== 'approval.requested') throw new Error('there is no approval')
  const { approval_id, fingerprint } = prompt.approval
  await client.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
  const outputs = () =>
    stored()
      .map((job) => fileOfJob(job, 'output'))
      .filter(existsSync)
      .map((file) => readFileSync(file, 'utf8'))
  await expect.poll(outputs).toEqual(['begun\n'])
  await client.kill()
  const [job = ''] = stored()
  client = await startTestClient(own, model.base_url)
  return { run_id, job }
}

test('it finds its job again: it ran once, and its result is delivered', async () => {
  const { run_id, job } = await killedWhile({
    command: 'echo begun; echo x >> count; until [ -e go ]; do sleep 0.1; done; cat count',
    fetch_files: ['count'],
  })
  writeFileSync(join(fileOfJob(job, 'work'), 'go'), '')
  const { resume_contract } = await client.call('resume_agent_run', { run_id })
  expect(resume_contract.pending_calls.map(({ disposition }) => disposition)).toEqual(['repeat'])
  await client.settled(run_id)
  const done = await results(run_id)
  expect(done).toHaveLength(1)
  expect(done[0]).toMatchObject({
    outcome: 'succeeded',
    output: { exit_code: 0, output: 'begun\nx\n', executor: { fetched_files: ['count'] } },
  })
  expect(readFileSync(join(own, 'workspace', 'count'), 'utf8')).toBe('x\n')
  await expect.poll(stored).toEqual([])
})

test('a run that is canceled instead of continued ends its job, too', async () => {
  const { run_id, job } = await killedWhile({ command: 'echo begun; sleep 1000' })
  await client.call('agent_run_cancel', { run_id })
  await client.settled(run_id)
  const record = fileOfJob(job, 'job.json')
  const state = () => (existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')).report.state : 'deleted')
  await expect.poll(state).toMatch(/^(canceled|deleted)$/)
})
