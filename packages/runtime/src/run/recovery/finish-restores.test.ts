// An interrupted restore: nothing continues before the next start finishes and reports it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startTestModel, type TestModel } from '../../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns } from '../../../test/support/run/test-runs.ts'
import { openCheckpoints } from '../../checkpoint/checkpoints.ts'
import { inlineEngine } from '../../checkpoint/engine.ts'
import { systemClock } from '../../clock/clock.ts'
import type { LifecycleListener } from '../../event/lifecycle/lifecycle-event.ts'
import { finishRestores } from './finish-restores.ts'
import { restoreRunCheckpoint } from './restore.ts'

let model: TestModel
let here: TestRuns
afterEach(async () => {
  await here.runs.stop()
  here.close()
  here.remove()
  await model.close()
})

/** Opens the checkpoints on the store of the runs. */
function life(crashpoint: (name: string) => void = () => undefined) {
  const logged: string[] = []
  const engine = inlineEngine({ home: join(here.home, 'data'), now: systemClock.now, elapsed: systemClock.elapsed, crashpoint })
  const checkpoints = openCheckpoints({ store: here.store, engine })
  const { store, journal, events, approvals, registry } = here
  return {
    logged,
    ports: { store, journal, events, approvals, registry, checkpoints, log: (line: string) => logged.push(line) },
  }
}

test('nothing continues before it; a start finishes and reports it, and the run continues', async () => {
  model = await startTestModel([{ calls: [{ name: 'test.mark', arguments: { text: 'new' } }] }, { text: 'Marked.' }])
  const heard: unknown[] = []
  const listener: LifecycleListener = {
    name: 'test',
    from: 'now',
    hears: { checkpoint_restored: async ({ data }) => void heard.push(data) },
  }
  here = openTestRuns({ base_url: model.base_url, listeners: [listener] })
  here.allow('test.mark')
  writeFileSync(join(here.workspace, 'marks'), 'old\n')
  const { run_id, conversation_id, state } = await here.ask('Mark')
  expect([state, here.marks()]).toEqual(['completed', ['old', 'new']])

  let full = false
  const first = life((name) => {
    if (name === 'restore:applied') full = true
    if (full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  })
  const [point] = first.ports.checkpoints.list(run_id, null, {}).items
  const checkpoint_id = point?.checkpoint_id ?? ''
  const run = here.journal.run(run_id)
  if (!run) throw new Error('the run is gone')
  const stuck = await restoreRunCheckpoint(first.ports, run, checkpoint_id, 'stop')
  expect(stuck).toMatchObject({ ok: false, failure_contract: { reason_code: 'restore_stuck' } })
  const halfWay = (stage: string) => ({
    ok: false,
    code: 'restore_failed',
    message: expect.stringContaining(`restore of run ${run_id} was interrupted`),
    failure_contract: { stage, reason_code: 'restore_failed', details: { remedy: expect.stringContaining('start Tandem again') } },
  })
  expect([
    here.runs.start({ author: 'person', conversation_id: run.conversation_id, text: 'Go on' }),
    here.runs.resume(run_id),
    await here.runs.restore(run_id, checkpoint_id, 'stop'),
  ]).toMatchObject([halfWay('start'), halfWay('resume'), halfWay('restore')])
  const restored = () => here.events.list({ run_id, limit: 1_000 }).filter(({ event }) => event === 'checkpoint_restored')
  expect(restored()).toEqual([])

  const failures = () =>
    here.events.list({ run_id, limit: 1_000 }).flatMap((one) => (one.event === 'checkpoint_restore_failed' ? [one.data] : []))
  const known = failures().length
  await finishRestores(
    life(() => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    }).ports,
  )
  expect(failures().slice(known)).toEqual([{ requested_run_id: run_id, checkpoint_id, code: 'restore_failed' }])

  const second = life()
  await finishRestores(second.ports)
  expect(second.logged).toEqual([`an interrupted restore of run ${run_id} was finished`])
  expect(restored().map(({ data }) => data)).toMatchObject([
    { checkpoint_id, restore_kind: 'filesystem_snapshot', from_state: 'completed', conflicts: 0, unrecoverable: 0 },
  ])
  expect([readFileSync(join(here.workspace, 'marks'), 'utf8'), here.journal.run(run_id)]).toMatchObject([
    'old\n',
    { state: 'paused', pause_reason: 'restore' },
  ])
  expect(here.runs.resume(run_id)).toMatchObject({ ok: true })
  await here.runs.settled(run_id)
  await finishRestores(second.ports)
  await here.lifecycle.stop({ within_ms: 10_000 })
  expect([heard, restored().length]).toEqual([
    [{ run_id, conversation_id, agent_id: 'agent', checkpoint_id, cursor_seq: expect.any(Number) }],
    1,
  ])
})

test('reports what cannot even be read, and the start continues', async () => {
  model = await startTestModel([])
  here = openTestRuns({ base_url: model.base_url })
  const { ports, logged } = life()
  here.store.sql.run`ALTER TABLE runtime_run_checkpoints RENAME TO runtime_run_checkpoints_away`
  await finishRestores(ports)
  here.store.sql.run`ALTER TABLE runtime_run_checkpoints_away RENAME TO runtime_run_checkpoints`
  expect(logged).toEqual([expect.stringContaining('interrupted restores are left for the next start')])
})

test('while an approval of a run is pending, its checkpoints are kept longer', async () => {
  const mark = (name: string) => ({ calls: [{ name, arguments: { text: name } }] })
  model = await startTestModel([mark('test.mark'), mark('test.guarded'), mark('test.guarded'), { text: 'Done.' }])
  here = openTestRuns({ base_url: model.base_url })
  here.allow('test.mark')
  const { run_id } = await here.ask('Mark')
  const { checkpoints } = life().ports
  const held = () => checkpoints.list(run_id, null, {}).items.map(({ pending_approval }) => pending_approval)
  expect(held()).toEqual([true])
  const [asked] = here.approvals.pending()
  if (!asked) throw new Error('nothing waits')
  const { approval_id, fingerprint } = asked
  expect(here.runs.resume(run_id, { kind: 'approval', approval_id, fingerprint, answer: 'no' })).toMatchObject({ ok: true })
  expect(held()).toEqual([false])
  await here.runs.settled(run_id)
  expect(held()).toEqual([true])
  await here.runs.cancel(run_id, null)
  expect(held()).toEqual([false])
})

test('a restore of files alone that was interrupted is finished as one: its run and its messages stay as they are', async () => {
  model = await startTestModel([{ calls: [{ name: 'test.mark', arguments: { text: 'new' } }] }, { text: 'Marked.' }])
  here = openTestRuns({ base_url: model.base_url })
  here.allow('test.mark')
  writeFileSync(join(here.workspace, 'marks'), 'old\n')
  const { run_id } = await here.ask('Mark')
  let full = false
  const first = life((name) => {
    if (name === 'restore:applied') full = true
    if (full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  })
  const [point] = first.ports.checkpoints.list(run_id, null, {}).items
  const run = here.journal.run(run_id)
  if (!run) throw new Error('the run is gone')
  const steps = here.journal.steps(run_id)
  const stuck = await restoreRunCheckpoint(first.ports, run, point?.checkpoint_id ?? '', 'stop', { scope: 'files' })
  expect(stuck).toMatchObject({ ok: false, failure_contract: { reason_code: 'restore_stuck' } })
  const second = life()
  await finishRestores(second.ports)
  expect(second.logged).toEqual([`an interrupted restore of run ${run_id} was finished`])
  expect([here.marks(), here.journal.run(run_id)?.state, here.journal.steps(run_id)]).toEqual([['old'], 'completed', steps])
  const messages = here.journal.messages.of(run.conversation, { limit: 10 })
  expect(messages.map(({ role, set_aside }) => [role, set_aside])).toEqual([
    ['user', false],
    ['assistant', false],
    ['system', false],
  ])
  // The next restore of the same point is one of the run again.
  const again = await restoreRunCheckpoint(second.ports, run, point?.checkpoint_id ?? '', 'stop')
  expect([again.ok, here.journal.run(run_id)?.pause_reason]).toEqual([true, 'restore'])
})
