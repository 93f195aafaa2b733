// The fields of a checkpoint show the actual position of its run.
import type { RunCheckpoint } from '@tandem/contract/checkpoint'
import { afterEach, expect, test } from 'vitest'
import { startTestModel, type TestModel } from '../../../test/support/model/test-model.ts'
import { openTestRuns, type TestRuns } from '../../../test/support/run/test-runs.ts'
import { runProgressOf } from '../run-progress.ts'
import { type CheckpointingPorts, openRunCheckpoints, phaseOf } from './checkpointing.ts'

let model: TestModel | undefined
let here: TestRuns
afterEach(async () => {
  if (!model) return
  await here.runs.stop()
  here.close()
  here.remove()
  await model.close()
  model = undefined
})

function checkpoints(run_id: string): readonly RunCheckpoint[] {
  const { items } = here.checkpoints.list(run_id, null, {})
  return items.flatMap(({ checkpoint_id }) => here.checkpoints.get(checkpoint_id) ?? [])
}

const stepAt = (run_id: string, seq: number) => here.journal.steps(run_id).find(({ step }) => step.seq === seq)?.step

test('a checkpoint names the step it was taken at, and the phase of the loop', async () => {
  model = await startTestModel([{ calls: [{ name: 'test.guarded', arguments: { text: 'a' } }] }, { text: 'Done.' }])
  here = openTestRuns({ base_url: model.base_url })
  const { run_id, no } = await here.ask('Go')
  await here.runs.createCheckpoint(run_id)
  const approval = here.approvals.pending(no)[0]
  if (!approval) throw new Error('no approval is pending')
  const { approval_id, fingerprint } = approval
  here.runs.resume(run_id, { kind: 'approval', approval_id, fingerprint, answer: 'once' })
  await here.runs.settled(run_id)
  await here.runs.createCheckpoint(run_id)
  const taken = checkpoints(run_id).toReversed()
  expect(taken.map(({ run_loop_cursor }) => run_loop_cursor.phase)).toEqual(['approval', 'tool_call', 'between_turns'])
  for (const { run_loop_cursor, conversation_slice, tool_state } of taken) {
    const step = stepAt(run_id, run_loop_cursor.seq)
    expect(step?.step_id).toBe(run_loop_cursor.step_id)
    expect([conversation_slice.through_seq, tool_state.through_seq]).toEqual([run_loop_cursor.seq, run_loop_cursor.seq])
  }
  expect(phaseOf({ ...runProgressOf([]), modelOpen: true }, 0)).toBe('model_call')
})

test('after a compaction, the conversation slice starts where the summary ends', async () => {
  let summed = 0
  model = await startTestModel((index, { messages }) => {
    if (String(messages.at(-1)?.content).startsWith('Summarize')) {
      summed += 1
      return { text: 'Looked.' }
    }
    return summed === 0 ? { calls: [{ name: 'test.look', arguments: { text: `${index} ${'word '.repeat(700)}` } }] } : { text: 'Done.' }
  })
  here = openTestRuns({ base_url: model.base_url, window: 8_000 })
  here.allow('test.look')
  const { run_id, no } = await here.ask('Go')
  await here.runs.createCheckpoint(run_id)
  const through = here.journal.steps(run_id).findLast(({ step }) => step.kind === 'context.compacted')?.here.through
  expect(through?.run).toBe(no)
  const [last] = checkpoints(run_id)
  expect(last?.conversation_slice).toEqual({ from_seq: (through?.seq ?? 0) + 1, through_seq: last?.run_loop_cursor.seq })
})

test('the checkpoint before a restore says what restoring it undoes', async () => {
  model = await startTestModel([{ text: 'Done.' }])
  here = openTestRuns({ base_url: model.base_url })
  const { run_id } = await here.ask('Go')
  await here.runs.createCheckpoint(run_id)
  const [point] = checkpoints(run_id)
  const restored = await here.runs.restore(run_id, point?.checkpoint_id ?? '', 'stop')
  if (!restored.ok) throw new Error(restored.message)
  expect(here.checkpoints.get(restored.value.safety_checkpoint_id)?.recovery_hints).toEqual([
    `Created before the recovery point ${point?.checkpoint_id} was restored. Restore this one to undo that.`,
  ])
})

test('work on a recovery point that takes long is told with the number of files, and ends with an empty status', async () => {
  const texts: string[] = []
  const checkpoints = {
    async plan(_call: unknown, { counted }: { counted?: (files: number, total: number) => void }) {
      counted?.(1, 0)
      counted?.(12_400, 0)
      return { outcome: 'planned', plan: null }
    },
    async settle(_id: string, counted?: (files: number, total: number) => void) {
      counted?.(3_100, 12_400)
      throw new Error('the disk is gone')
    },
  } as unknown as CheckpointingPorts['checkpoints']
  const around = { background: { follow: async () => null }, processOf: () => null, log: () => undefined }
  const opened = openRunCheckpoints({ checkpoints, ...around } as unknown as CheckpointingPorts)
  const call = { call_id: 'c', tool: 'shell.exec', effects: [], input: {} } as unknown as Parameters<typeof opened.plan>[0]
  const status = (text: string) => texts.push(text)
  await opened.plan(call, { workspace: '/w', status })
  await opened.settle('p', 'c', null, status).catch(() => undefined)
  await opened.plan(call, { workspace: '/w' })
  expect(texts).toEqual([
    'Checking what can be restored… 1 file',
    'Checking what can be restored… 12,400 files',
    '',
    'Recording what changed… 3,100 of 12,400 files',
    '',
  ])
})
