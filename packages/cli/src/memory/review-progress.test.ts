import { PassThrough } from 'node:stream'
import type { RunningReview } from '@tandem/contract/memory'
import { expect, test, vi } from 'vitest'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { progressText, showReviewProgress } from './review-progress.ts'

test.each([
  [undefined, 'Reviewing recent conversations…'],
  [{ conversations: 0, conversations_read: 0 }, 'Reviewing recent conversations…'],
  [{ conversations: 3, conversations_read: 0 }, 'Reviewing conversation 1 of 3…'],
  [{ conversations: 3, conversations_read: 2 }, 'Reviewing conversation 3 of 3…'],
  [{ conversations: 3, conversations_read: 3 }, 'Looking for procedures in recent runs…'],
])('the progress of %o', (running, text) => {
  expect(progressText(running)).toBe(text)
})

function terminal(isTTY: boolean) {
  const pieces: string[] = []
  const out = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.WriteStream
  out.on('data', (piece: Buffer) => pieces.push(piece.toString()))
  return { out, pieces }
}

test('a terminal shows the progress of the agent on one line, which is erased at the end', async () => {
  vi.useFakeTimers()
  try {
    const { out, pieces } = terminal(true)
    const of = (agent_id: string, conversations_read: number) => ({ agent_id, conversations: 9, conversations_read }) as RunningReview
    const call = async () => ({ ok: true, value: { running_reviews: [of('other', 7), of('mine', 1)] } })
    const end = showReviewProgress({ call } as unknown as Pick<RuntimeClient, 'call'>, 'mine', out)
    await vi.advanceTimersByTimeAsync(500)
    end()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(pieces.join('').split('\r\x1b[2K')).toEqual(['', 'Reviewing recent conversations…', 'Reviewing conversation 2 of 9…', ''])
  } finally {
    vi.useRealTimers()
  }
})

test('nothing is shown elsewhere', () => {
  const { out, pieces } = terminal(false)
  const call = () => Promise.reject(new Error('not called'))
  showReviewProgress({ call } as unknown as Pick<RuntimeClient, 'call'>, 'mine', out)()
  expect(pieces).toEqual([])
})
