// Erasing begins only with what is still due, and one conversation that cannot be erased does not hold up the others.
import { chmodSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { offlineDevice, type TestDevice } from '../../test/support/sync/test-device.ts'
import { restorable_ms } from '../journal/conversations.ts'
import { type ErasurePorts, openErasure } from './erasure.ts'
import { deleteFiles } from './files.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')
const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: false }
const { signal } = new AbortController()

function open(ports: Partial<ErasurePorts> = {}) {
  const device = offlineDevice(start)
  onTestFinished(device.dispose)
  const erasure = openErasure({
    store: device.store(),
    checkpoints: { eraseRuns: async () => true },
    recall: { indexed: async () => undefined },
    endCopies: async () => undefined,
    clearMemories: () => undefined,
    isRunActive: () => false,
    log: () => undefined,
    ...ports,
  })
  return { device, erasure }
}

/** Returns its id and that of its only run. */
function talk(device: TestDevice, title: string): readonly [string, string] {
  const journal = device.journal()
  const { no, conversation_id } = journal.conversations.create({ agent_id: 'a', title, workspace: '/w' })
  const message_id = journal.messages.write({ conversation: no, run: null, role: 'user', author: 'person', text: title })
  const { run_id } = journal.start({ conversation: no, agent_id: 'a', title, model: 'm', sandbox_mode: 'workspace', message_id })
  journal.append(run_id, { kind: 'run.completed', usage })
  return [conversation_id, run_id]
}

function remove(device: TestDevice, conversation_id: string): void {
  const deleted_at = device.clock.now()
  device.journal().conversations.remove(conversation_id, { deleted_at, erase_at: deleted_at + restorable_ms })
}

const isHere = (device: TestDevice, conversation_id: string) => device.journal().conversations.get(conversation_id) !== undefined

test('what was restored, or deleted anew, after it was chosen is not erased', async () => {
  const { device, erasure } = open()
  const ids = ['Gone', 'Restored', 'Deleted anew'].map((title) => talk(device, title)[0])
  const [gone = '', restored = '', anew = ''] = ids
  for (const id of ids) remove(device, id)
  device.clock.advance(restorable_ms)
  device.journal().conversations.remove(restored, null)
  remove(device, anew)
  await erasure.run(
    ids.map((id) => [id]),
    signal,
  )
  expect([gone, restored, anew].map((id) => isHere(device, id))).toEqual([false, true, true])
  expect(device.store().sql.all`SELECT conversation_id, stage FROM erased_conversations`).toEqual([
    { conversation_id: gone, stage: 'erased' },
  ])
})

test('of a family, none is erased if one of them was restored meanwhile', async () => {
  const { device, erasure } = open()
  const ids = ['Parent', 'Branch'].map((title) => talk(device, title)[0])
  const [parent = '', branch = ''] = ids
  for (const id of ids) remove(device, id)
  device.clock.advance(restorable_ms)
  device.journal().conversations.remove(branch, null)
  await erasure.run([ids], signal)
  expect([isHere(device, parent), isHere(device, branch)]).toEqual([true, true])
  device.journal().conversations.remove(branch, { deleted_at: 0, erase_at: 0 })
  await erasure.run([ids], signal)
  expect([isHere(device, parent), isHere(device, branch)]).toEqual([false, false])
})

test('one that cannot be erased is reported once and tried again, and the others are erased', async () => {
  const lines: string[] = []
  let locked = ''
  const eraseRuns = async (run_ids: readonly string[]) => {
    if (run_ids.includes(locked)) throw new Error('EBUSY: the recovery point is locked')
    return true
  }
  const { device, erasure } = open({ checkpoints: { eraseRuns }, log: (line) => lines.push(line) })
  const [first, run_id] = talk(device, 'First')
  const [second] = talk(device, 'Second')
  locked = run_id
  remove(device, first)
  device.clock.advance(1)
  remove(device, second)
  device.clock.advance(restorable_ms)
  for (let round = 0; round < 2; round += 1) await erasure.run([[first], [second]], signal)
  expect([isHere(device, first), isHere(device, second)]).toEqual([true, false])
  expect(lines).toEqual([expect.stringMatching(new RegExp(`${first} is not erased completely.*: Error: EBUSY`))])
  locked = ''
  await erasure.run([], signal)
  const stages = device.store().sql.all`SELECT stage FROM erased_conversations`
  expect([isHere(device, first), stages]).toEqual([false, [{ stage: 'erased' }, { stage: 'erased' }]])
})

test('merged copies of its runs are removed, also below folders that are closed; one with changes that were not merged stays', async () => {
  const { device, erasure } = open()
  const { sql, home } = device.store()
  const copyOf = (run_id: string) => join(home, 'copies', run_id)
  const add = (run_id: string, state: string) => {
    const closed = join(copyOf(run_id), 'files/closed')
    mkdirSync(closed, { recursive: true })
    writeFileSync(join(closed, 'a.txt'), 'text')
    chmodSync(closed, 0o500)
    sql.run`INSERT INTO workspace_copies (run_id, title, source, state, files, bytes, created_at) VALUES (${run_id}, 'Fix', '/w', ${state}, 1, 4, 1)`
  }
  const [merged, merged_run] = talk(device, 'Merged')
  const [unmerged, unmerged_run] = talk(device, 'Unmerged')
  const [lost, lost_run] = talk(device, 'Killed while it worked')
  add(merged_run, 'merged')
  add(unmerged_run, 'unmerged')
  add(lost_run, 'in_use')
  for (const id of [merged, unmerged, lost]) remove(device, id)
  device.clock.advance(restorable_ms)
  await erasure.run([[merged, unmerged, lost]], signal)
  expect([merged_run, unmerged_run, lost_run].map((run_id) => existsSync(copyOf(run_id)))).toEqual([false, true, true])
  expect(sql.all`SELECT run_id, state FROM workspace_copies ORDER BY rowid`).toEqual([
    { run_id: unmerged_run, state: 'unmerged' },
    { run_id: lost_run, state: 'unmerged' },
  ])
})

test('the outputs of workflow nodes that are stored as files go with the conversation, and so do their downloads; those of others stay', async () => {
  const { device, erasure } = open()
  const { sql, home } = device.store()
  const carry = (title: string) => {
    const journal = device.journal()
    const { no, conversation_id } = journal.conversations.create({ agent_id: 'a', title, workspace: '/w' })
    const workflow_run_id = device.store().newId()
    const ids = { agent_id: 'a', title, model: 'm', sandbox_mode: 'workspace', message_id: null, workflow_run_id } as const
    const { run_id } = journal.start({ conversation: no, ...ids })
    const [output_file_id, coming] = [journal.wholes.keepFile(`output of ${title}`), device.store().newId()]
    const place = { workflow_run_id, workflow_id: 'w', run_id, device_id: 'd', ts: '2026-03-01T09:00:00.000Z' }
    for (const [seq, file_id] of [output_file_id, coming].entries()) {
      const event = { ...place, event_id: device.store().newId(), seq, node_id: 'n', attempt: 1, output_file_id: file_id }
      journal.workflowEvents.append({ ...event, kind: 'node.completed', outcome: 'succeeded' })
    }
    sql.run`INSERT INTO sync_files (file_id, way, state) VALUES (${coming}, 'fetch', 'wanted'), (${output_file_id}, 'send', 'done')`
    journal.append(run_id, { kind: 'run.completed', usage })
    return { conversation_id, ids: [coming, output_file_id], file: join(home, 'outputs', `${output_file_id}.txt`) }
  }
  const [gone, kept] = [carry('Gone'), carry('Kept')]
  remove(device, gone.conversation_id)
  device.clock.advance(restorable_ms)
  await erasure.run([[gone.conversation_id]], signal)
  expect([gone.file, kept.file].map((file) => existsSync(file))).toEqual([false, true])
  const transfers = sql.all<{ file_id: string }>`SELECT file_id FROM sync_files`.map(({ file_id }) => file_id)
  expect(transfers.toSorted()).toEqual(kept.ids.toSorted())
  expect(sql.all`SELECT count(*) AS events FROM workflow_run_events`).toEqual([{ events: 2 }])
})

test('a picture that a tool returns again while rows are searched for it stays', async () => {
  const { device } = open()
  const store = device.store()
  const [again, gone] = [join('outputs', `${store.newId()}.png`), join('outputs', `${store.newId()}.png`)]
  mkdirSync(join(store.home, 'outputs'), { recursive: true })
  for (const file of [again, gone]) writeFileSync(join(store.home, file), 'picture')
  const elapsed = () => {
    utimesSync(join(store.home, again), 1, 1)
    return 0
  }
  await deleteFiles({ ...store, clock: { ...store.clock, elapsed } }, [again, gone])
  expect([again, gone].map((file) => existsSync(join(store.home, file)))).toEqual([true, false])
})

test('a file that arrives while the conversation is being erased is deleted', async () => {
  let arrive: () => void = () => undefined
  const { device, erasure } = open({
    checkpoints: {
      eraseRuns: async () => {
        arrive()
        return true
      },
    },
  })
  const journal = device.journal()
  const [gone, run_id] = talk(device, 'Gone')
  const { no = 0 } = journal.conversations.get(gone) ?? {}
  const file_id = device.store().newId()
  const { sql, home } = device.store()
  const file = join(home, 'outputs', `${file_id}.txt`)
  sql.run`UPDATE messages SET text_file = ${file_id} WHERE conversation = ${no}`
  arrive = () => {
    mkdirSync(join(home, 'outputs'), { recursive: true })
    writeFileSync(file, run_id)
  }
  remove(device, gone)
  device.clock.advance(restorable_ms)
  await erasure.run([[gone]], signal)
  expect(existsSync(file)).toBe(false)
})
