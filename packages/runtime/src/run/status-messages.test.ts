import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns } from '../../test/support/run/test-runs.ts'
import { type StatusChange, statusText, writePointsDeleted } from './status-messages.ts'

let model: TestModel
let here: TestRuns
afterEach(async () => {
  await here.runs.stop()
  here.close()
  here.remove()
  await model.close()
})

const strips = () =>
  here.journal.messages.of(here.conversation().no, { limit: -1 }).flatMap(({ role, text }) => (role === 'system' ? [text] : []))

test.each<[StatusChange, string]>([
  [{ kind: 'model_changed', from: 'a', to: 'b' }, 'The model changed from a to b.'],
  [{ kind: 'continued_elsewhere', device: 'Kitchen' }, 'The conversation was continued on the device "Kitchen".'],
  [{ kind: 'continued_elsewhere', device: null }, 'The conversation was continued on another device.'],
  [{ kind: 'compacted' }, 'Earlier messages were summarized for the model to fit its context window. You can still read them here.'],
  [
    {
      kind: 'skills_left_out',
      skills: [
        { skill_name: 'pdf', level: 'full' },
        { skill_name: 'docx', level: 'body' },
        { skill_name: 'lint', level: 'summary' },
      ],
    },
    'The part of the context window that skills may use is too small: the prompt does not contain the files of pdf, the instructions of docx, the skill lint. The agent can still read what it needs. To change this, assign skills with another policy, or choose a model with a larger context window.',
  ],
  [
    { kind: 'restored', restored_paths: 1, conflicts: 0, unrecoverable: 0, background_left: 0 },
    'A recovery point was restored: 1 path restored. The run is paused.',
  ],
  [
    { kind: 'restored', restored_paths: 3, conflicts: 1, unrecoverable: 2, background_left: 4 },
    'A recovery point was restored: 3 paths restored, 1 conflict, 2 paths could not be restored, 4 paths changed by background commands left untouched. The run is paused.',
  ],
  [
    { kind: 'points_deleted', reason: 'age' },
    'Older recovery points of this conversation were deleted at the end of their retention period.',
  ],
  [
    { kind: 'points_deleted', reason: 'count' },
    'Older recovery points of this conversation were deleted because this device has too many of them.',
  ],
  [{ kind: 'points_deleted', reason: 'space' }, 'Older recovery points of this conversation were deleted to free disk space.'],
  [
    { kind: 'points_deleted', reason: 'contents' },
    'The contents of recovery points of this conversation were deleted to free disk space. Their files can no longer be restored.',
  ],
])('%o', async (news, text) => {
  model = await startTestModel([])
  here = openTestRuns({ base_url: model.base_url })
  expect(statusText(news)).toBe(text)
})

test('every message has its author: the user, a task on behalf of the user, or the agent', async () => {
  model = await startTestModel([{ text: 'One.' }, { text: 'Two.' }])
  here = openTestRuns({ base_url: model.base_url })
  const { conversation_id } = here.conversation()
  for (const [author, name] of [
    ['person', 'test/model'],
    ['task', 'test/other'],
  ] as const) {
    const started = here.runs.start({ conversation_id, author, text: 'Go', model: name })
    if (!started.ok) throw new Error(started.message)
    await here.runs.settled(started.value.run_id)
  }
  const { no } = here.journal.conversations.get(conversation_id) ?? { no: -1 }
  const said = here.journal.messages.of(no, { limit: 10 })
  expect(said.map(({ role, author, persons_word }) => [role, author, persons_word])).toEqual([
    ['user', 'person', true],
    ['assistant', 'agent', false],
    ['user', 'task', false],
    ['system', 'agent', false],
    ['assistant', 'agent', false],
  ])
})

test('a restore, another model and another device are written once each, and the model gets none of them', async () => {
  model = await startTestModel((_index, { messages }) =>
    messages.at(-1)?.role === 'user' && String(messages.at(-1)?.content).includes('Mark')
      ? { calls: [{ name: 'test.mark', arguments: { text: 'x' } }] }
      : { text: 'Done.' },
  )
  here = openTestRuns({ base_url: model.base_url })
  here.allow('test.mark')
  const { run_id } = await here.ask('Mark')
  expect(strips()).toEqual([])
  const [point] = here.checkpoints.list(run_id, null, {}).items
  await here.runs.restore(run_id, point?.checkpoint_id ?? '', 'stop')
  const restored = 'A recovery point was restored: 1 path restored. The run is paused.'
  expect(strips()).toEqual([restored])
  here.runs.resume(run_id)
  await here.runs.settled(run_id)

  const { conversation_id } = here.conversation()
  const again = here.runs.start({ author: 'person', conversation_id, text: 'And now?', model: 'test/other' })
  if (!again.ok) throw new Error(again.message)
  await here.runs.settled(again.value.run_id)
  const changed = 'The model changed from test/model to test/other.'
  expect(strips()).toEqual([restored, changed])

  here.store.sql.run`UPDATE runs SET device_id = 'd2' WHERE run_id = ${again.value.run_id}`
  const third = here.runs.start({ author: 'person', conversation_id, text: 'Here?', model: 'test/other' })
  if (!third.ok) throw new Error(third.message)
  await here.runs.settled(third.value.run_id)
  const continued = 'The conversation was continued on another device.'
  expect(strips()).toEqual([restored, changed, continued])
  const said = JSON.stringify(model.requests)
  expect([restored, changed, continued].filter((text) => said.includes(text))).toEqual([])
  const sent = here.store.sql.all`SELECT entity_id FROM outbox WHERE entity_type = 'messages'`.map(({ entity_id }) => entity_id)
  const ids = here.journal.messages.of(here.conversation().no, { limit: -1 }).map(({ message_id }) => message_id)
  expect(sent).toEqual(ids)
})

test('a compaction is written with its step, also when the runtime is opened again', async () => {
  let summed = 0
  model = await startTestModel((index, { messages }) => {
    if (String(messages.at(-1)?.content).startsWith('Summarize')) {
      summed += 1
      return { text: 'Looked.' }
    }
    return summed === 0 ? { calls: [{ name: 'test.look', arguments: { text: `${index} ${'word '.repeat(700)}` } }] } : { text: 'Done.' }
  })
  const home = mkdtempSync(join(tmpdir(), 'tandem-status-'))
  here = openTestRuns({ base_url: model.base_url, home, window: 8_000 })
  here.allow('test.look')
  await here.ask('Go')
  here.close()
  here = openTestRuns({ base_url: model.base_url, home, window: 8_000 })
  expect(strips()).toEqual([statusText({ kind: 'compacted' })])
  expect(JSON.stringify(model.requests)).not.toContain('Earlier messages were summarized')
})

test('deleted recovery points are reported once until there is another message', async () => {
  model = await startTestModel([{ text: 'Done.' }, { text: 'Done.' }])
  here = openTestRuns({ base_url: model.base_url })
  const run = await here.ask('Go')
  for (const reason of ['age', 'age', 'space', 'age', 'space'] as const) writePointsDeleted(here.journal, run, reason)
  const [age, space] = (['age', 'space'] as const).map((reason) => statusText({ kind: 'points_deleted', reason }))
  expect(strips()).toEqual([age, space])
  const next = await here.ask('Go on')
  writePointsDeleted(here.journal, next, 'age')
  expect(strips()).toEqual([age, space, age])
})

test('a title set before the first run, and hiding the conversation, are steps of that run', async () => {
  model = await startTestModel([{ text: 'Done.' }, { text: 'Done.' }, { text: 'Done.' }])
  here = openTestRuns({ base_url: model.base_url })
  const titled = here.journal.conversations.create({ agent_id: 'agent', title: 'My title', workspace: here.workspace })
  here.journal.conversations.hide(titled.conversation_id, true)
  const named = async (conversation_id: string, text: string) => {
    const started = here.runs.start({ author: 'person', conversation_id, text })
    if (!started.ok) throw new Error(started.message)
    await here.runs.settled(started.value.run_id)
    return here.journal.steps(started.value.run_id).flatMap(({ step }): (string | boolean)[] => {
      if (step.kind === 'conversation.renamed') return [step.title]
      return step.kind === 'conversation.hidden' ? [step.hidden] : []
    })
  }
  expect(await named(titled.conversation_id, 'Go')).toEqual(['My title', true])
  expect(await named(titled.conversation_id, 'Again')).toEqual([])
  const plain = here.journal.conversations.create({ agent_id: 'agent', title: 'New conversation', workspace: here.workspace })
  expect(await named(plain.conversation_id, 'Go')).toEqual([])
})
