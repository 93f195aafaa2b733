// A run that starts others: they are followed too, and what they ask is asked with their name.
import { Writable } from 'node:stream'
import type { CommandName, LocalRun } from '@tandem/contract/command'
import type { ApprovalPrompt, RunStep } from '@tandem/contract/run'
import { expect, test } from 'vitest'
import type { RuntimeClient, RunUpdate } from '../runtime-client/runtime-client.ts'
import { followRun } from './follow-run.ts'
import { prettyPrinter } from './printer.ts'
import { noResponder, type Responder } from './responder.ts'

const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: false }
const place = { conversation_id: 'c', agent_id: 'a', device_id: 'd', ts: '2999-01-01T00:00:00.000Z' }
const step = (run_id: string, seq: number, body: object) => ({ ...place, step_id: `${run_id}-${seq}`, run_id, seq, ...body }) as RunStep

const approval = { approval_id: 'ap', fingerprint: 'f', choices: ['once', 'no'], warnings: [] } as unknown as ApprovalPrompt

/** A runtime whose steps the test sends. `state` is that of the followed run. */
function testClient() {
  const listeners = new Map<string, (news: RunUpdate) => void>()
  const called: string[] = []
  const at = { state: 'running', pause_reason: null as string | null, member: 'running', isPending: false }
  const answers: Partial<Record<CommandName, () => unknown>> = {
    agent_run_get: () => ({ run: { run_id: 'r', state: at.state, pause_reason: at.pause_reason } }),
    team_get: () => ({
      team: {
        members: [
          { run_id: 'r', title: 'Build', agent_name: 'Tandem', state: at.state },
          {
            ...{ run_id: 'm', title: 'Fix it', agent_name: 'Coder', state: at.member },
            ...{ pause_reason: at.member === 'paused' ? 'approval' : null, pending_approvals: at.isPending ? 1 : 0, pending_questions: 0 },
          },
        ],
      },
    }),
    approval_list: () => ({ items: at.isPending ? [{ approval }] : [] }),
    question_list: () => ({ items: [] }),
    agent_run_resume() {
      Object.assign(at, { member: 'running', isPending: false })
      return {}
    },
  }
  const client = {
    kind: 'own',
    async call(name: CommandName, params: { run_id?: string }) {
      called.push(`${name} ${params.run_id ?? ''}`.trim())
      return { ok: true, value: answers[name]?.() }
    },
    async follow(run_id: string, _from: unknown, listener: (news: RunUpdate) => void) {
      listeners.set(run_id, listener)
    },
    watch: async () => undefined,
    settled: async () => undefined,
  } as unknown as RuntimeClient
  const tell = async (run_id: string, seq: number, body: object) => {
    listeners.get(run_id)?.({ kind: 'step', step: step(run_id, seq, body) })
    // The follower reacts before the next step.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { client, called, at, tell, followed: () => [...listeners.keys()] }
}

function setUp(person: Responder) {
  const runtime = testClient()
  let text = ''
  const stream = () =>
    new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk)
        done()
      },
    }) as NodeJS.WriteStream
  const paused: string[][] = []
  const never = new AbortController().signal
  const ended = followRun({
    ...{ client: runtime.client, run: { run_id: 'r' } as LocalRun, printer: prettyPrinter(stream(), stream()), person, before: [] },
    ...{ from: { after_seq: -1 }, canceled: never, left: never },
    onPaused: (run, team) => paused.push([run.run_id, ...team.map(({ title }) => title)]),
  })
  return { ...runtime, ended, paused, text: () => text }
}

const started = { kind: 'child.started', child_run_id: 'm', child_agent_id: 'b', call_id: null, title: 'Fix it' }

test('members are followed, their calls are printed with their title, and the run is followed until its own end', async () => {
  const { tell, at, ended, text, followed } = setUp(noResponder)
  await tell('r', 1, started)
  await tell('m', 0, { kind: 'tool.call', call_id: '1', tool: 'fs.read', arguments: '{"path":"a.ts"}' })
  await tell('m', 1, { kind: 'team.message', team_message_id: 't', from_run_id: 'm', to_run_id: null, text: 'Found\u001b[2J it.' })
  Object.assign(at, { state: 'paused', pause_reason: 'child' })
  await tell('r', 2, { kind: 'run.paused', reason: 'child' })
  at.member = 'completed'
  await tell('m', 2, { kind: 'run.completed', usage })
  Object.assign(at, { state: 'running', pause_reason: null })
  await tell('r', 3, { kind: 'child.ended', child_run_id: 'm', state: 'completed', usage, failure_contract: null })
  await tell('r', 4, { kind: 'merge.applied', child_run_id: 'm', call_id: null, changed_paths: 1, conflicts: 2 })
  at.state = 'completed'
  await tell('r', 5, { kind: 'run.completed', usage })
  expect([await ended, followed()]).toEqual([0, ['r', 'm']])
  expect(text().trimEnd().split('\n')).toEqual([
    'A run was started for part of the work: Fix it',
    '  Fix it: Read a.ts',
    '  Fix it: Message from “Fix it” to all members: Found\\u{1b}[2J it.',
    '“Fix it” is done.',
    'Merged the work on “Fix it”: 1 path changed, 2 conflicts resolved.',
  ])
})

test('a member that asks is named, and goes on with the answer', async () => {
  const asked: unknown[] = []
  const person: Responder = {
    async approve(_, by) {
      asked.push([by?.agent_name, by?.title])
      return { kind: 'approval', approval_id: 'ap', fingerprint: 'f', answer: 'once' }
    },
    answer: async () => null,
  }
  const { tell, at, ended, called } = setUp(person)
  await tell('r', 1, started)
  Object.assign(at, { member: 'paused', isPending: true })
  await tell('m', 0, { kind: 'run.paused', reason: 'approval' })
  await tell('m', 1, { kind: 'run.resumed' })
  at.state = 'completed'
  await tell('r', 2, { kind: 'run.completed', usage })
  expect(await ended).toBe(0)
  expect(asked).toEqual([['Coder', 'Fix it']])
  expect(called).toContain('agent_run_resume m')
})

test('without a user, the run stays paused when every member waits, and the members that wait are reported', async () => {
  const { tell, at, ended, paused } = setUp(noResponder)
  await tell('r', 1, started)
  Object.assign(at, { state: 'paused', pause_reason: 'child' })
  await tell('r', 2, { kind: 'run.paused', reason: 'child' })
  Object.assign(at, { member: 'paused', isPending: true })
  await tell('m', 0, { kind: 'run.paused', reason: 'approval' })
  expect([await ended, paused]).toEqual([3, [['r', 'Fix it']]])
})
