// A task created in the cloud reaches the device it names, runs there once, and its result is reported.
import type { RunStep } from '@tandem/contract/run'
import type { Task } from '@tandem/contract/task'
import { expect, test } from 'vitest'
import { openTasks } from '../packages/runtime/src/task/service.ts'
import { openTaskCloud } from '../packages/runtime/src/task/task-cloud.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { newUser, startCloudServer } from './cloud-server.ts'
import { openSyncDevice } from './sync-device.ts'

test('offered, accepted, run, reported', async () => {
  await using server = await startCloudServer()
  await using device = openSyncDevice('worker')
  expect(await device.account.signIn({ cloud_url: server.url, ...newUser(), account: 'new' })).toMatchObject({ ok: true })
  await device.sync.now()
  const { journal, store, signedIn } = device
  const logged: string[] = []
  const tasks = openTasks({
    store,
    cloud: openTaskCloud(signedIn),
    async start({ title }, key) {
      const known = journal.startedBy(key)
      if (known) return { ok: true, run_id: known.run_id }
      const conversation = journal.conversations.create({ agent_id: 'a', title, workspace: '/srv' })
      const ids = { conversation: conversation.no, agent_id: 'a', title, model: 'm', sandbox_mode: 'workspace' as const }
      return { ok: true, run_id: journal.start({ ...ids, message_id: null, start_key: key }).run_id }
    },
    cancel: async () => undefined,
    workflowProblem: () => null,
    isWorkflowRun: () => false,
    lastStep: (run_id): RunStep | null => journal.steps(run_id).at(-1)?.step ?? null,
    markedFailure: (_run_id, failure) => failure,
    resultOf: () => '{"text":"swept"}',
    log: (line) => logged.push(line),
  })
  const body = { title: 'Sweep the reports', input: '{"folder":"reports"}', device_id: store.device_id }
  const made = await signedIn.call<Task>({ method: 'POST', path: '/api/v1/tasks', json: body })
  if (made.kind !== 'ok') throw new Error(made.detail)
  const { id } = made.body
  await waitFor(() => device.hintedTasks.includes(id), 40_000)
  await tasks.onHint(id)
  expect(tasks.offered().map(({ task_id, title }) => [task_id, title])).toEqual([[id, 'Sweep the reports']])
  const accepted = await tasks.accept(id)
  if (!accepted.ok || accepted.task.run_id === null) throw new Error('not started')
  const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: false }
  tasks.onStep(journal.append(accepted.task.run_id, { kind: 'run.completed', usage }))
  await tasks.catchUp()
  const told = await signedIn.call<Task>({ method: 'GET', path: `/api/v1/tasks/${id}` })
  expect(told.kind === 'ok' && [told.body.status, told.body.result, told.body.device_id]).toEqual([
    'completed',
    '{"text":"swept"}',
    store.device_id,
  ])
  expect(logged).toEqual([])
})
