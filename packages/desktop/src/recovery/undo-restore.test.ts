import { expect, test } from 'vitest'
import { type RestoredOutcome, undoRestore } from './undo-restore.ts'

const counts = { created: 0, changed: 1, deleted: 0, conflict: 0, unrecoverable: 0 }

/** Each restore creates a recovery point that is named after the one that was restored. */
function testChannel(conflict?: string) {
  const asked: string[] = []
  const call = async (_name: string, { run_id, checkpoint_id }: { run_id: string; checkpoint_id: string }) => {
    asked.push(`${run_id} ${checkpoint_id}`)
    if (checkpoint_id === conflict) return { ok: false, error: { code: 'restore_conflict', message: 'no' } }
    const value: RestoredOutcome = {
      ...{ outcome: 'restored', state: 'paused', run_id, checkpoint_id, counts, set_aside_message_ids: [], cursor_seq: 1 },
      ...{ background: { restored: 0, left: 0 }, left_alone: [], members: [], safety_checkpoint_id: `${checkpoint_id}'` },
    }
    return { ok: true, value }
  }
  return { channel: { call } as Parameters<typeof undoRestore>[0], asked }
}

const member = (name: string) => ({ run_id: name, title: name, counts, safety_checkpoint_id: `${name}1`, left_alone: [] })
const restored = { run_id: 'lead', safety_checkpoint_id: 'lead1', members: [member('helper'), member('docs')] }

test('the run is undone before its members, and the other way around when the undo is undone', async () => {
  const { channel, asked } = testChannel()
  const undone = await undoRestore(channel, restored, 'restore')
  expect(asked.splice(0)).toEqual(['lead lead1', 'docs docs1', 'helper helper1'])
  if (!undone.ok) throw new Error(undone.error.message)
  await undoRestore(channel, undone.restored, 'undo')
  expect(asked).toEqual(["helper helper1'", "docs docs1'", "lead lead1'"])
})

test('a conflict names the recovery point that the user decides about', async () => {
  const { channel } = testChannel('docs1')
  expect(await undoRestore(channel, restored, 'restore')).toEqual({
    ok: false,
    error: { code: 'restore_conflict', message: 'no' },
    point: { run_id: 'docs', checkpoint_id: 'docs1' },
  })
})
