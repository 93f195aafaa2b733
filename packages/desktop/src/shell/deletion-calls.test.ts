import type { DeletionPreview } from '@tandem/contract/command'
import { expect, test } from 'vitest'
import type { CallResult, Channel } from '../connection/channel.ts'
import { previewDeletion, wholePreview } from './deletion-calls.ts'

const nothing: DeletionPreview = {
  ...{ conversation_ids: [], open_run_ids: [], recovery_points: 0, memories: 0, unmerged_copies: [], signed_out: false },
}
const copy = (run_id: string) => ({ run_id, title: run_id, folder: '/copy', changed_paths: 1 })

test('several previews are one, in which what belongs to two of them is counted once', () => {
  const first = {
    ...nothing,
    conversation_ids: ['a', 'm'],
    open_run_ids: ['r'],
    recovery_points: 2,
    memories: 1,
    unmerged_copies: [copy('x')],
  }
  const second = {
    ...nothing,
    conversation_ids: ['b', 'm'],
    open_run_ids: ['r'],
    recovery_points: 1,
    unmerged_copies: [copy('x')],
    signed_out: true,
  }
  expect(wholePreview([first, second])).toEqual({
    conversation_ids: ['a', 'm', 'b'],
    open_run_ids: ['r'],
    recovery_points: 3,
    memories: 1,
    unmerged_copies: [copy('x')],
    signed_out: true,
  })
})

test('a preview of thousands asks for 500 at a time, and ends with the first refusal', async () => {
  const ids = Array.from({ length: 1_700 }, (_, at) => `c${at}`)
  const asked: number[] = []
  const refused = { code: 'not_found', message: 'gone', remedy: '' } as const
  const preview = (most: number) => {
    asked.length = 0
    const call = async (_name: string, { conversation_ids }: { conversation_ids: string[] }): Promise<CallResult<DeletionPreview>> => {
      asked.push(conversation_ids.length)
      return asked.length > most ? { ok: false, error: refused } : { ok: true, value: { ...nothing, conversation_ids } }
    }
    return previewDeletion({ call } as Pick<Channel, 'call'>, ids)
  }
  const whole = await preview(10)
  expect([asked, whole]).toEqual([[500, 500, 500, 200], { ok: true, value: { ...nothing, conversation_ids: ids } }])
  expect([await preview(1), asked]).toEqual([{ ok: false, error: refused }, [500, 500]])
})
