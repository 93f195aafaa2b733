// Paths in facts: which are marked, how each device shows them, and how facts are sent that an older Tandem recorded.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { type EntityDevice, openEntityDevice } from '../../test/support/sync/test-entities.ts'
import { wipe } from '../account/wipe.ts'

const clock = testClock()
const canary = 'CANARY'
const workspace = `/home/mara/${canary}-folder`
let here: EntityDevice
let there: EntityDevice

beforeEach(() => {
  here = openEntityDevice(clock)
  there = openEntityDevice(clock)
})
afterEach(() => {
  for (const { store, home } of [here, there]) {
    store.close()
    rmSync(home, { recursive: true })
  }
})

test('texts, arguments and outputs are sent as they were recorded, whatever paths they contain', () => {
  const { journal, store, home } = here
  const conversation = journal.conversations.create({ agent_id: 'a', title: 'T', workspace })
  const of = { conversation: conversation.no, agent_id: 'a', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null } as const
  const { run_id, no } = journal.start(of)
  const said = `${workspace}/a, ${home}/outputs/x, /tmp/tandem-d/${run_id}/y and /home/mara`
  const call_id = store.newId()
  const asked = { kind: 'tool.call', call_id, tool: 'shell.exec', arguments: JSON.stringify({ command: said }) } as const
  const { seq } = journal.append(run_id, asked)
  const details = { message: said, subject: '/home/mara/b', remedy: said, facts: [{ name: 'said', value: said }] }
  const failure = { taxonomy: 'none', stage: 'tool_execution', source: 'run', reason_code: 'x', recoverability: 'terminal' } as const
  const settled = { call_id, tool: 'shell.exec', call_seq: seq, output_file: null, truncated: false, checkpoint_id: null, duration_ms: 1 }
  journal.settle(run_id, { ...settled, outcome: 'failed', output: { file: said }, failure_contract: { ...failure, details } })
  journal.messages.write({ conversation: conversation.no, run: no, role: 'assistant', author: 'agent', text: said })
  const [, call, settledCall, result, message] = here.changes().map(({ payload }) => payload)
  expect([call?.arguments, settledCall?.arguments, result?.output, message?.text]).toEqual([
    asked.arguments,
    asked.arguments,
    { file: said },
    said,
  ])
  for (const one of [settledCall, result]) {
    expect(one).toMatchObject({ output: { file: said }, failure_contract: { details: { ...details, subject: '$HOME/b' } } })
  }
})

test('a run that failed at a path shows it on every device: here as its path, elsewhere and after a wipe without the folders', () => {
  const { journal, store, inbox } = here
  const conversation = journal.conversations.create({ agent_id: 'a', title: 'T', workspace })
  const of = { conversation: conversation.no, agent_id: 'a', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null } as const
  const usage = { input_tokens: 1, output_tokens: 2, cached_tokens: 0, estimated: false }
  const failure = { taxonomy: 'none', stage: 'start', source: 'run', reason_code: 'x', recoverability: 'terminal' } as const
  const failed = (subject: string) => {
    const { run_id } = journal.start(of)
    journal.append(run_id, { kind: 'run.failed', usage, failure_contract: { ...failure, details: { message: 'gone', subject } } })
    return run_id
  }
  const runs = [failed(`${workspace}/a`), failed('/home/mara/b'), failed('$HOME/c'), failed('/opt/d')]
  const subjects = (device: EntityDevice) =>
    runs.map((run_id) => {
      const steps = device.journal.steps(run_id).map(({ step }) => step)
      const told = steps.flatMap((step) => (step.kind === 'run.failed' ? [step.failure_contract.details.subject] : []))
      return [device.journal.run(run_id)?.failure_contract?.details.subject, ...told]
    })
  expect(subjects(here)).toEqual([
    [`${workspace}/a`, `${workspace}/a`],
    ['/home/mara/b', '/home/mara/b'],
    ['$HOME/c', '$HOME/c'],
    ['/opt/d', '/opt/d'],
  ])
  const changes = here.changes()
  there.store.applying(() => there.inbox.arrive(changes))
  expect(subjects(there)).toEqual([
    ['workspace/a', 'workspace/a'],
    ['~/b', '~/b'],
    ['$HOME/c', '$HOME/c'],
    ['/opt/d', '/opt/d'],
  ])
  wipe(store)
  store.applying(() => inbox.arrive(changes))
  expect(subjects(here)).toEqual([
    ['workspace/a', 'workspace/a'],
    ['/home/mara/b', '/home/mara/b'],
    ['$HOME/c', '$HOME/c'],
    ['/opt/d', '/opt/d'],
  ])
})

/** Its facts so far are those of an older Tandem, without markers. */
function madeOlder({ store }: EntityDevice): void {
  store.sql.run`UPDATE messages SET marked = 0`
  store.sql.run`UPDATE agent_run_steps SET marked = 0`
  store.sql.run`UPDATE tool_calls SET marked = 0`
}

test('what an older Tandem recorded is sent as that version sent it: files in the folders of a run by their names only', () => {
  const { journal, store, home } = here
  const conversation = journal.conversations.create({ agent_id: 'a', title: 'T', workspace })
  const of = { conversation: conversation.no, agent_id: 'a', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null } as const
  const { run_id } = journal.start(of)
  const temp = `/tmp/${canary}/tandem-device/${run_id}`
  const call_id = store.newId()
  const { seq } = journal.append(run_id, { kind: 'tool.call', call_id, tool: 'shell.exec', arguments: '{}' })
  journal.settle(run_id, {
    call_id,
    tool: 'shell.exec',
    call_seq: seq,
    outcome: 'succeeded',
    output: {
      file: `${temp}/outputs/one.txt`,
      parts: [{ file: `${temp}/mcp/two.png`, bytes: 3 }, { file: join(home, 'outputs', 'three.txt') }, null, true],
      output: `/etc/hosts\n${temp}/y is not there`,
      // The beginning of an output that is too long for its record.
      beginning: JSON.stringify({ output: `one\n${temp}/a`, file: `${temp}/outputs/four.txt` }),
      path: '/etc/hosts',
      inside: `${workspace}/a.txt`,
    },
    output_file: null,
    truncated: false,
    failure_contract: null,
    checkpoint_id: null,
    duration_ms: 1,
  })
  const told = {
    file: '…/one.txt',
    parts: [{ file: '…/two.png', bytes: 3 }, { file: '…/three.txt' }, null, true],
    output: '/etc/hosts\n…/y is not there',
    beginning: JSON.stringify({ output: 'one\n…/a', file: '…/outputs/four.txt' }),
    path: '/etc/hosts',
    inside: 'a.txt',
  }
  const said = (role: 'user' | 'assistant') =>
    journal.messages.write({
      conversation: conversation.no,
      run: journal.run(run_id)?.no ?? null,
      role,
      author: role === 'user' ? 'person' : 'agent',
      text: `It is in ${temp}/y.`,
    })
  const [asked, answered] = [said('user'), said('assistant')]
  madeOlder(here)
  const changes = here.changes()
  expect(changes.flatMap(({ payload }) => (payload.output === undefined ? [] : [payload.output]))).toEqual([told, told])
  const texts = new Map(changes.map(({ entity_id, payload }) => [entity_id, payload.text]))
  expect([texts.get(asked), texts.get(answered)]).toEqual([`It is in ${temp}/y.`, 'It is in …/y.'])
  // Another device sends them on unchanged.
  there.inbox.arrive(changes)
  const run = there.journal.run(run_id)?.no ?? null
  expect(there.entities.payload('tool_calls', call_id, { run, seq })?.output).toEqual(told)
})

test('for facts of an older Tandem, a folder whose name only starts the same, and a root, are unchanged', () => {
  const { journal, store } = here
  const said = (workspace: string, text: string) => {
    const conversation = journal.conversations.create({ agent_id: 'a', title: 'T', workspace })
    const of = {
      conversation: conversation.no,
      agent_id: 'a',
      title: 'T',
      model: 'm',
      sandbox_mode: 'workspace',
      message_id: null,
    } as const
    const { run_id } = journal.start(of)
    const failure = { taxonomy: 'none', stage: 'tool_execution', source: 'run', reason_code: 'x', recoverability: 'terminal' } as const
    const { seq } = journal.append(run_id, { kind: 'error', failure_contract: { ...failure, details: { message: text } } })
    const run = journal.run(run_id)?.no ?? 0
    madeOlder(here)
    const payload = here.entities.payload('agent_run_steps', store.newId(), { run, seq }) as {
      failure_contract: typeof failure & { details: object }
    }
    return payload.failure_contract.details
  }
  expect(said('/srv/app', '/srv/app2/x /srv/app.old /srv/app/x /srv/app')).toEqual({ message: '/srv/app2/x /srv/app.old x .' })
  expect(said('/', '/etc/x')).toEqual({ message: '/etc/x' })
})

test('what an older Tandem sent comes back to its device unchanged after a wipe', () => {
  const { journal, store, home, inbox } = here
  const conversation = journal.conversations.create({ agent_id: 'a', title: 'T', workspace })
  const of = { conversation: conversation.no, agent_id: 'a', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null } as const
  const { run_id } = journal.start(of)
  const call_id = store.newId()
  const { seq } = journal.append(run_id, { kind: 'tool.call', call_id, tool: 'shell.exec', arguments: '{}' })
  journal.settle(run_id, {
    call_id,
    tool: 'shell.exec',
    call_seq: seq,
    outcome: 'succeeded',
    output: [`${workspace}/a.txt, in ${home}/outputs/x`, `/bin/sh: 1: cannot open ${home}/outputs/x: no`, `${home}/outputs/${run_id}`],
    output_file: null,
    truncated: false,
    failure_contract: null,
    checkpoint_id: null,
    duration_ms: 1,
  })
  madeOlder(here)
  const changes = here.changes()
  expect(changes.find(({ entity_type, entity_id }) => entity_type === 'tool_calls' && entity_id === call_id)?.payload.output).toEqual([
    'a.txt, in …/outputs/x',
    '/bin/sh: 1: cannot open …/outputs/x: no',
    '…',
  ])
  wipe(store)
  store.applying(() => inbox.arrive(changes))
  store.applying(() => inbox.retryEarly())
  expect(inbox.unread()).toBe(0)
})
