// An executor that lies about jobs: everything it says is limited and validated, and no lie becomes the result of a command.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type JobReport, jobCapabilities } from '@tandem/contract/executor'
import { canonicalJson } from '@tandem/contract/sync'
import { afterEach, expect, test } from 'vitest'
import { acceptedHandshake, json, startTestExecutor, type TestExecutor } from './support/executor/test-executor.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
let liar: TestExecutor
afterEach(async () => {
  await agent.stop()
  await liar.stop()
})

type Answer = (about: { readonly request: IncomingMessage; readonly response: ServerResponse; readonly honest: JobReport }) => void

/** An executor that ends every job at once with the output `hello`, except for what it lies about. */
async function result(lie: Partial<Record<'report' | 'output' | 'cancel' | 'file', Answer>>, input: object = {}, seconds = 60) {
  const capabilities = [{ name: jobCapabilities.run, version: null }]
  let honest: JobReport | null = null
  liar = await startTestExecutor((request, response, body) => {
    const { url = '', method } = request
    if (url === '/handshake') return json(response, { ...acceptedHandshake, capabilities })
    const [, job_id = '', rest = ''] = /^\/jobs\/([0-9a-f]+)(.*)$/.exec(url) ?? []
    if (method === 'PUT' && rest === '') honest = honestReport(job_id, body)
    if (honest === null) return json(response, {}, 404)
    const part = rest.startsWith('/output') ? 'output' : rest === '/cancel' ? 'cancel' : rest.startsWith('/files') ? 'file' : 'report'
    const answer = lie[part]
    if (answer) return answer({ request, response, honest })
    if (part === 'output') return void response.writeHead(200).end('hello'.slice(Number(/from=(\d+)/.exec(rest)?.[1])))
    json(response, honest)
  })
  agent = await startTestAgent([
    { calls: [{ name: 'shell__exec', arguments: { executor: 'build', command: 'true', ...input } }] },
    { text: 'Done.' },
  ])
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'shell.exec', { time_limit: { seconds } })
  const added = { name: 'build', executor_url: liar.url, token: 'the-token-of-the-liar', certificate_sha256: null }
  const { executor } = await agent.call('executor_add', added)
  await agent.call('executor_grant', { executor_id: executor.executor_id, agent_id })
  const { run_id } = await agent.ask(agent_id, 'Go.')
  const steps = () => agent.runtime.journal.steps(run_id).map(({ step }) => step)
  const prompt = steps().findLast((step) => step.kind === 'approval.requested')
  if (prompt?.kind !== 'approval.requested') throw new Error('there is no approval')
  const { approval_id, fingerprint } = prompt.approval
  await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
  await agent.runtime.settled(run_id)
  const [settled] = steps().flatMap((step) => (step.kind === 'tool.result' ? [step] : []))
  return {
    outcome: settled?.outcome,
    reason: settled?.failure_contract?.reason_code,
    message: settled?.failure_contract?.details.message,
    output: settled?.output,
  }
}

function honestReport(job_id: string, body: string): JobReport {
  return {
    ...{
      job_id,
      request_sha256: digestOf(body),
      state: 'ended',
      exit_code: 0,
      signal: null,
      timed_out: false,
      message: null,
      duration_ms: 1,
    },
    ...{ output_bytes: 5, sandbox: 'os', violations: [], missing_files: [], files: [], created_at: '2026-03-01T09:00:00.000Z' },
  }
}

test('the executor of this test is believed while it does not lie', async () => {
  expect(await result({})).toMatchObject({ outcome: 'succeeded', output: { exit_code: 0, output: 'hello', executor: { name: 'build' } } })
})

const told =
  (change: object): Answer =>
  ({ response, honest }) =>
    json(response, { ...honest, ...change })

test.each<[string, Answer]>([
  ['another job', told({ job_id: 'ab'.repeat(32) })],
  ['another request', told({ request_sha256: 'ab'.repeat(32) })],
  ['an exit code that is a text', told({ exit_code: '0' })],
  ['an exit code that does not exist', told({ exit_code: 256 })],
  ['a negative length', told({ output_bytes: -1 })],
  ['an unknown state', told({ state: 'perfect' })],
  ['a signal with an escape sequence', told({ signal: 'SIG\u001b[2J' })],
  ['unknown fields', told({ more: 1 })],
  ['less output than it sends', told({ output_bytes: 4 })],
  ['more output than it sends', told({ output_bytes: 6 })],
  ['a text that is not JSON', ({ response }) => void response.end('ended')],
  ['a refusal about another job', ({ response }) => json(response, { job_id: 'ab'.repeat(32), code: 'other_content', message: 'x' }, 409)],
  ['a redirect', ({ response }) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
])('a report with %s is a failure', async (_, report) => {
  const { outcome, reason, output } = await result({ report })
  expect([outcome, reason === 'executor_malformed_response' || reason === 'executor_redirected', output]).toEqual(['failed', true, null])
})

test('texts of the executor are shown with every character visible', async () => {
  const { reason, message } = await result({ report: told({ state: 'failed', message: 'no\u001b[2J\u202egnp' }) })
  expect([reason, ['\u001b', '\u202e'].some((character) => message?.includes(character))]).toEqual(['job_failed', false])
})

test('output without end is ended by the time limit of the call', async () => {
  const endless: Answer = ({ response }) => {
    response.writeHead(200)
    const more = () => {
      while (response.write('x'.repeat(16_384)));
    }
    response.on('drain', more)
    more()
  }
  expect(await result({ output: endless, report: told({ state: 'running' }) }, {}, 3)).toMatchObject({ outcome: 'timed_out' })
})

test('a job that never ends and never says anything does not keep this device busy', async () => {
  const nothing: Answer = ({ response }) => void response.writeHead(200).end()
  expect(await result({ output: nothing, report: told({ state: 'running', output_bytes: 0 }) }, {}, 3)).toMatchObject({
    outcome: 'timed_out',
  })
  expect(liar.requests.length).toBeLessThan(100)
})

test('files that were not asked for are not written, and others must be as reported', async () => {
  const file = (path: string) => ({ path, bytes: 1, sha256: 'ab'.repeat(32) })
  expect(await result({ report: told({ files: [file('other.txt')] }) }, { fetch_files: ['wanted.txt'] })).toMatchObject({
    ...{ outcome: 'succeeded', output: { executor: { fetched_files: [], missing_files: ['wanted.txt'] } } },
  })
  await agent.stop()
  await liar.stop()
  const wrong: Answer = ({ response }) => void response.writeHead(200).end('x')
  expect(await result({ report: told({ files: [file('wanted.txt')] }), file: wrong }, { fetch_files: ['wanted.txt'] })).toMatchObject({
    outcome: 'failed',
    reason: 'executor_malformed_response',
  })
})

function digestOf(body: string): string {
  return createHash('sha256')
    .update(canonicalJson(JSON.parse(body)))
    .digest('hex')
}
