// Workflows that start by themselves, on a clock that the test moves.
import { afterEach, expect, test } from 'vitest'
import { testClock } from './support/clock/test-clock.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const ask = { inputs: [], nodes: [{ id: 'ask', kind: 'question' as const, question: 'Well?' }], edges: [] }
const done = {
  inputs: [{ name: 'who', type: 'text' as const, required: true }],
  nodes: [{ id: 'wait', kind: 'wait' as const, seconds: 0 }],
  edges: [],
  output: '{{inputs.who}}',
}

async function saved(definition: typeof ask | typeof done) {
  const { workflow } = await agent.call('workflow_save', { name: 'Daily', definition })
  return workflow.workflow_id
}

const runs = async () => (await agent.call('workflow_run_list', {})).items
const schedules = async () => (await agent.call('workflow_schedule_list', {})).items

test('a schedule starts its workflow at its times, once per time, and says what it will do next', async () => {
  const clock = testClock(Date.parse('2026-05-01T06:00:00Z'))
  agent = await startTestAgent([], { clock })
  const workflow_id = await saved(done)
  const given = { workflow_id, cron: '0 7 * * *', time_zone: 'UTC', workspace: agent.workspace }
  await expect(agent.call('workflow_schedule_save', given)).rejects.toThrow('`inputs.who` is required')
  await expect(agent.call('workflow_schedule_save', { ...given, cron: 'tomorrow', inputs: '{"who":"a"}' })).rejects.toThrow(
    '`cron` is not a time',
  )
  await agent.call('workflow_schedule_save', { ...given, inputs: '{"who":"a"}' })
  expect((await agent.call('workflow_list', {})).items[0]?.next_start).toBe('2026-05-01T07:00:00.000Z')
  clock.advance(3_600_000 - 60_000)
  expect(await runs()).toEqual([])
  clock.advance(60_000)
  const states = async () => {
    // The job that looks at schedules begins its next wait when it has ended, which may be after the clock was moved.
    clock.advance(20_000)
    return (await runs()).map(({ state }) => state)
  }
  await expect.poll(states).toEqual(['completed'])
  expect((await schedules())[0]).toMatchObject({ next_at: '2026-05-02T07:00:00.000Z', last_problem: null })
  await agent.restart()
  clock.advance(60_000)
  expect(await runs()).toHaveLength(1)
})

test('the next times of a schedule are known before it is saved', async () => {
  agent = await startTestAgent([], { clock: testClock(Date.parse('2026-05-01T06:00:00Z')) })
  expect(await agent.call('workflow_schedule_check', { cron: '30 8 * * 1', time_zone: 'Europe/Berlin' })).toEqual({
    times: ['2026-05-04T06:30:00.000Z', '2026-05-11T06:30:00.000Z', '2026-05-18T06:30:00.000Z'],
    problem: null,
  })
  expect(await agent.call('workflow_schedule_check', { cron: '', time_zone: 'UTC' })).toEqual({
    times: [],
    problem: 'it needs five fields: minute, hour, day of the month, month, day of the week',
  })
})

test('times that were missed start it once or not at all, as chosen; a run that has not ended is not started again', async () => {
  const clock = testClock(Date.parse('2026-05-01T06:00:00Z'))
  agent = await startTestAgent([], { clock })
  const workflow_id = await saved(ask)
  const given = { workflow_id, cron: '0 7 * * *', time_zone: 'UTC', workspace: agent.workspace }
  const { schedule } = await agent.call('workflow_schedule_save', given)
  await agent.restart({}, () => clock.advance(3 * 86_400_000))
  const nextStart = async () => {
    clock.advance(1_000)
    return (await schedules())[0]?.next_at
  }
  await expect.poll(nextStart).toBe('2026-05-04T07:00:00.000Z')
  expect(await runs()).toEqual([])

  await agent.call('workflow_schedule_save', { ...given, schedule_id: schedule.schedule_id, missed: 'run_once' })
  await agent.restart({}, () => clock.advance(3 * 86_400_000))
  const started = async () => {
    clock.advance(1_000)
    return (await runs()).length
  }
  await expect.poll(started).toBe(1)
  clock.advance(86_400_000)
  const problem = async () => {
    clock.advance(30_000)
    return (await schedules())[0]?.last_problem
  }
  await expect.poll(problem).toBe('the last run had not ended')
  expect(await runs()).toHaveLength(1)
})

test('a change keeps what it does not name, and a deleted workflow has no schedule any more', async () => {
  agent = await startTestAgent([])
  const workflow_id = await saved(done)
  const given = { workflow_id, cron: '0 7 * * *', time_zone: 'UTC', workspace: agent.workspace }
  const kept = { inputs: '{"who":"a"}', missed: 'run_once', is_enabled: false } as const
  const { schedule } = await agent.call('workflow_schedule_save', { ...given, ...kept })
  const { schedule_id } = schedule
  const changed = await agent.call('workflow_schedule_save', { schedule_id, workflow_id, cron: '0 8 * * *' })
  expect(changed.schedule).toEqual({ ...schedule, cron: '0 8 * * *', next_at: changed.schedule.next_at })
  await agent.call('workflow_delete', { workflow_id })
  expect(await schedules()).toEqual([])
})
