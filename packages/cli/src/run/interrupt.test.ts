// A user at a prompt, and a signal from outside.
import { PassThrough } from 'node:stream'
import type { LocalRun, PendingApproval } from '@tandem/contract/command'
import type { RunStep } from '@tandem/contract/run'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RuntimeClient, RunUpdate } from '../runtime-client/runtime-client.ts'
import { followRun } from './follow-run.ts'
import { cancelOnInterrupt, type InterruptHandler, leaveOnInterrupt } from './interrupt.ts'
import { autoApproveOnce, type Responder, terminalResponder } from './responder.ts'

const run_id = '01890a5d-ac96-774b-bcce-b302099a8057'
const run = { run_id, state: 'paused', pause_reason: 'approval' } as LocalRun
const waiting: PendingApproval = {
  run_id,
  asked_at: '2026-01-01T00:00:00.000Z',
  approval: {
    approval_id: run_id,
    call_id: 'c',
    tool: 'fs.write',
    arguments: '{}',
    working_directory: null,
    fingerprint: 'a'.repeat(64),
    touches: [],
    protected: [],
    unprotected: [],
    remembers: [],
    warnings: [],
    choices: ['once', 'this_run', 'always', 'no'],
  },
}

const called: string[] = []
let meanwhile: Record<string, () => void> = {}
let tell: (news: RunUpdate) => void = () => undefined
/** A runtime with one call that waits for its approval. */
const answers: Record<string, object> = {
  approval_list: { ok: true, value: { items: [waiting], next_cursor: null } },
  agent_run_get: { ok: true, value: { run } },
  agent_run_pause: { ok: false, error: { code: 'transition_refused', message: 'it is paused', remedy: '' } },
}
const client = {
  kind: 'attached',
  async call(name: string) {
    called.push(name)
    meanwhile[name]?.()
    return answers[name]
  },
  async follow(_run_id: string, _from: object, listener: (news: RunUpdate) => void) {
    tell = listener
    listener({ kind: 'step', step: { kind: 'run.paused', reason: 'approval' } as RunStep })
  },
  watch: async () => undefined,
  settled: async () => undefined,
} as unknown as RuntimeClient

const input = () => new PassThrough() as unknown as NodeJS.ReadStream
let shown: PassThrough
let interruption: InterruptHandler

beforeEach(() => {
  called.length = 0
  meanwhile = {}
  answers.agent_run_get = { ok: true, value: { run } }
  shown = new PassThrough()
  interruption = cancelOnInterrupt(client, run_id)
})

afterEach(() => interruption.release())

function attended(person: Responder): Promise<number> {
  const { canceled, left } = interruption
  const printer = { news: () => undefined, member: () => undefined, settle: () => undefined, recall: () => undefined }
  return followRun({ client, run, printer, person, from: { after_seq: -1 }, before: [], canceled, left, onPaused: () => undefined })
}

test.each(['SIGTERM', 'SIGHUP'] as const)('%s at a prompt leaves the run paused, and the exit code is 3', async (signal) => {
  const person = terminalResponder(
    input(),
    shown as unknown as NodeJS.WriteStream,
    AbortSignal.any([interruption.canceled, interruption.left]),
  )
  const asked = new Promise((resolve) => shown.on('data', (text) => String(text).includes('[s]how all') && resolve(undefined)))
  const ended = attended(person)
  await asked
  process.emit(signal, signal)
  expect(await ended).toBe(3)
  expect(called).toEqual(['approval_list', 'agent_run_pause', 'agent_run_get'])
})

test('after it --yes answers nothing more', async () => {
  process.emit('SIGTERM', 'SIGTERM')
  expect([await attended(autoApproveOnce), called]).toEqual([3, ['agent_run_pause', 'agent_run_get']])
})

test.each([
  ['before the run needs approval', []],
  ['while the answer is being sent', ['approval_list']],
])('Ctrl-C %s: --yes answers nothing more, and the end of the canceled run is awaited', async (_when, asked) => {
  const strike = () => void process.emit('SIGINT', 'SIGINT')
  meanwhile = Object.fromEntries(asked.map((name) => [name, strike]))
  if (asked.length === 0) strike()
  const ended = attended(autoApproveOnce)
  const before = ['agent_run_cancel', ...asked].sort()
  await expect.poll(() => called.toSorted()).toEqual([...before, 'agent_run_get'].sort())
  answers.agent_run_get = { ok: true, value: { run: { ...run, state: 'canceled', pause_reason: null } } }
  tell({ kind: 'step', step: { kind: 'run.canceled' } as RunStep })
  expect([await ended, called.toSorted()]).toEqual([130, [...before, 'agent_run_get', 'agent_run_get'].sort()])
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s leaves a run that is already paused', (signal) => {
  interruption.release()
  const { left, release } = leaveOnInterrupt()
  process.emit(signal, signal)
  release()
  expect([left.aborted, process.listenerCount(signal), called]).toEqual([true, outside[signal], []])
})

const outside = {
  SIGINT: process.listenerCount('SIGINT'),
  SIGTERM: process.listenerCount('SIGTERM'),
  SIGHUP: process.listenerCount('SIGHUP'),
}
