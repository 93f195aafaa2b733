import { afterEach, expect, test } from 'vitest'
import { startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns } from '../../test/support/run/test-runs.ts'
import { openOnOtherDevice } from './other-device.ts'

let model: TestModel
let here: TestRuns
afterEach(async () => {
  await here.runs.stop()
  here.close()
  here.remove()
  await model.close()
})

test('a run of another device blocks every command, and each error names the device', async () => {
  model = await startTestModel([{ calls: [{ name: 'test.mark', arguments: { text: 'x' } }] }, { text: 'Done.' }])
  here = openTestRuns({ base_url: model.base_url })
  const run = await here.ask('Go')
  const { run_id, conversation_id, state } = run
  expect(state).toBe('paused')
  here.store.sql.run`UPDATE runs SET device_id = 'd2' WHERE run_id = ${run_id}`
  const belongs = { ok: false, code: 'run_elsewhere', message: `run ${run_id} belongs to another device (d2)` }
  const carries = (stage: string, taxonomy: string) => ({ failure_contract: expect.objectContaining({ stage, taxonomy }) })
  expect(here.runs.resume(run_id)).toEqual({ ...belongs, ...carries('resume', 'resume_failure') })
  expect(await here.runs.cancel(run_id, null)).toEqual(belongs)
  expect(await here.runs.pause(run_id)).toEqual(belongs)
  expect(await here.runs.restore(run_id, 'c', 'stop')).toEqual({ ...belongs, ...carries('restore', 'none') })
  expect(await here.runs.createCheckpoint(run_id)).toEqual(belongs)
  const before = here.journal.messages.of(run.conversation, { limit: 10 })
  expect(here.runs.start({ author: 'person', conversation_id, text: 'And now?' })).toEqual({
    ok: false,
    code: 'run_elsewhere',
    message: `run ${run_id} of this conversation is paused on another device (d2): stop it there, or start a new conversation here`,
    ...carries('start', 'none'),
  })
  // Nothing was written: sending the message again on the other device does not duplicate it.
  expect(here.journal.messages.of(run.conversation, { limit: 10 })).toEqual(before)
  expect(openOnOtherDevice({ ...run, state: 'running', device_id: 'd2' }, () => 'Kitchen').message).toBe(
    `run ${run_id} of this conversation is running on the device "Kitchen": stop it there, or start a new conversation here`,
  )
})
