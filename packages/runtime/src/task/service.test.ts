import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunStep } from '@tandem/contract/run'
import { type Task, taskTransitions, taskTriggerTo } from '@tandem/contract/task'
import { transition } from '@tandem/contract/transition'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openStore, type Store } from '../store/store.ts'
import { openTasks, type TaskService, taskText } from './service.ts'
import type { TaskCloud } from './task-cloud.ts'

let home: string
let store: Store
let cloud: Map<string, Task>
let lost: 'nothing' | 'replies' | 'everything'
let started: string[]
let canceled: string[]
let ended: Map<string, RunStep>
let approved: Set<string>
let workflowRuns: Set<string>
let tasks: TaskService

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-task-'))
  store = openStore({ home, clock: testClock() })
  cloud = new Map()
  lost = 'nothing'
  started = []
  canceled = []
  ended = new Map()
  approved = new Set()
  workflowRuns = new Set()
  tasks = open()
})
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

function open(): TaskService {
  return openTasks({
    store,
    cloud: cloudOf(),
    async start(_, key) {
      // As in the journal: the same key is the same run.
      if (!started.includes(key)) started.push(key)
      return { ok: true, run_id: `run-of-${key}` }
    },
    cancel: async (run_id) => void canceled.push(run_id),
    workflowProblem: (workflow_id) => (approved.has(workflow_id) ? null : `nobody has approved ${workflow_id}`),
    isWorkflowRun: (run_id) => workflowRuns.has(run_id),
    lastStep: (run_id) => ended.get(run_id) ?? null,
    markedFailure: (run_id, failure) => ({ ...failure, details: { ...failure.details, subject: `$HOME of ${run_id}` } }),
    resultOf: () => '{"text":"done"}',
    log: (line) => {
      throw new Error(line)
    },
  })
}

/** Decides with the transition table of the cloud. */
function cloudOf(): TaskCloud {
  const away = { kind: 'unreachable', detail: 'cut' } as const
  const missing = { kind: 'refused', status: 404, code: 'not_found', detail: 'no task' } as const
  return {
    async get(task_id) {
      const task = cloud.get(task_id)
      return lost === 'everything' ? away : task ? { kind: 'ok', body: task } : missing
    },
    pending: async () =>
      lost === 'everything' ? away : { kind: 'ok', body: [...cloud.values()].filter(({ status }) => status === 'pending') },
    async updateStatus(task_id, update) {
      if (lost === 'everything') return away
      const task = cloud.get(task_id)
      if (!task) return missing
      const next = transition(taskTransitions, task.status, taskTriggerTo[update.status])
      if (!next.ok) return { kind: 'refused', status: 409, code: 'transition_refused', detail: next.message }
      const { device_id = task.device_id, ...said } = update
      const after = { ...task, ...said, ...(device_id === undefined ? {} : { device_id }) } as Task
      cloud.set(task_id, after)
      return lost === 'replies' ? away : { kind: 'ok', body: after }
    },
  }
}

function made(id: string, more: Partial<Task> = {}): void {
  const at = '2026-03-01T09:00:00.000Z'
  cloud.set(id, { id, title: `do ${id}`, status: 'pending', status_ts: at, version: 1, created_at: at, updated_at: at, ...more })
}

const completed = (run_id: string) => ({ kind: 'run.completed', run_id }) as RunStep

test('a task is offered, accepted, run once, and its end is reported', async () => {
  made('t', { device_id: store.device_id, input: '{"a":1}' })
  await tasks.onHint('t')
  expect(tasks.offered().map(taskText)).toEqual(['do t\n\nInput:\n{"a":1}'])
  expect(started).toEqual([])
  expect(await tasks.accept('t')).toMatchObject({ ok: true, task: { stage: 'running', run_id: 'run-of-task:t' } })
  expect(await tasks.accept('t')).toMatchObject({ ok: false, code: 'transition_refused' })
  tasks.onStep(completed('run-of-task:t'))
  await tasks.catchUp()
  expect([cloud.get('t')?.status, cloud.get('t')?.result, started]).toEqual(['completed', '{"text":"done"}', ['task:t']])
})

test('a run that failed at a path is reported with the marked path', async () => {
  made('t')
  await tasks.catchUp()
  await tasks.accept('t')
  const details = { message: 'gone', subject: '/home/mara/work' }
  const failure_contract = {
    taxonomy: 'none',
    stage: 'resume',
    source: 'run',
    reason_code: 'x',
    recoverability: 'terminal',
    details,
  } as const
  tasks.onStep({ kind: 'run.failed', run_id: 'run-of-task:t', failure_contract } as RunStep)
  await tasks.catchUp()
  const marked = { ...failure_contract, details: { message: 'gone', subject: '$HOME of run-of-task:t' } }
  expect(cloud.get('t')).toMatchObject({ status: 'failed', error: { message: 'gone', failure_contract: marked } })
})

test('only a task for this device starts automatically, and only if the user has allowed it', async () => {
  made('mine', { device_id: store.device_id })
  made('anyone')
  made('other', { device_id: 'other' })
  tasks.setMode('run')
  await tasks.catchUp()
  expect([started, tasks.offered().map(({ task_id }) => task_id), open().mode()]).toEqual([['task:mine'], ['anyone'], 'run'])
})

test('after a lost reply to the claim and a restart, a task is started once', async () => {
  made('t')
  await tasks.catchUp()
  lost = 'replies'
  expect(await tasks.accept('t')).toMatchObject({ ok: false, code: 'unreachable' })
  lost = 'nothing'
  tasks = open()
  await tasks.catchUp()
  expect([started, cloud.get('t')?.status]).toEqual([['task:t'], 'running'])
})

test('an end that cannot be reported is reported later', async () => {
  made('t')
  await tasks.catchUp()
  await tasks.accept('t')
  lost = 'everything'
  tasks.onStep(completed('run-of-task:t'))
  await tasks.catchUp()
  expect(cloud.get('t')?.status).toBe('running')
  lost = 'nothing'
  await open().catchUp()
  expect(cloud.get('t')?.status).toBe('completed')
})

test('a run that ended just before the runtime died ends its task after the next start', async () => {
  made('t')
  await tasks.catchUp()
  await tasks.accept('t')
  ended.set('run-of-task:t', completed('run-of-task:t'))
  await open().catchUp()
  expect(cloud.get('t')?.status).toBe('completed')
})

test('the second device is refused; a task canceled in the cloud stops here; a declined task ends', async () => {
  made('taken')
  made('stopped')
  made('unwanted')
  await tasks.catchUp()
  made('taken', { status: 'running', device_id: 'other' })
  expect(await tasks.accept('taken')).toMatchObject({ ok: false, code: 'transition_refused' })
  await tasks.accept('stopped')
  made('stopped', { status: 'canceled', device_id: store.device_id })
  await tasks.onHint('stopped')
  expect(canceled).toEqual(['run-of-task:stopped'])
  await tasks.decline('unwanted')
  expect([cloud.get('unwanted')?.status, tasks.offered()]).toEqual(['canceled', []])
})

test('a task with a workflow that nobody has approved here is not accepted, and stays pending', async () => {
  made('t', { workflow_id: 'w', device_id: store.device_id })
  await tasks.catchUp()
  const refusal = { ok: false, code: 'not_available', message: 'nobody has approved w' }
  expect([await tasks.accept('t'), await tasks.accept('t')]).toEqual([refusal, refusal])
  await open().catchUp()
  expect([started, cloud.get('t')?.status, tasks.get('t')?.stage]).toEqual([[], 'pending', 'offered'])
  expect(await tasks.decline('t')).toMatchObject({ ok: true })
  expect(cloud.get('t')?.status).toBe('canceled')
})

test('a task with a workflow that would start by itself waits for the approval, then runs and reports its outcome', async () => {
  made('t', { workflow_id: 'w', device_id: store.device_id })
  tasks.setMode('run')
  await tasks.catchUp()
  await open().catchUp()
  expect([started, cloud.get('t')?.status]).toEqual([[], 'pending'])
  approved.add('w')
  await tasks.catchUp()
  expect([started, cloud.get('t')?.status]).toEqual([['task:t'], 'running'])
  workflowRuns.add('run-of-task:t')
  tasks.onStep(completed('run-of-task:t'))
  await tasks.reported()
  expect([cloud.get('t')?.status, cloud.get('t')?.result]).toEqual(['completed', '{"text":"done"}'])
})

test('a task with a workflow that an older version started never ends as completed', async () => {
  made('t')
  await tasks.catchUp()
  await tasks.accept('t')
  store.sql.run`UPDATE cloud_tasks SET workflow_id = 'w'`
  tasks.onStep(completed('run-of-task:t'))
  await tasks.catchUp()
  expect([cloud.get('t')?.status, cloud.get('t')?.error]).toEqual([
    'failed',
    { message: 'An older version of Tandem started a run in place of workflow w. Send the task again.' },
  ])
})
