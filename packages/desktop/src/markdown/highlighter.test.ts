import { expect, test } from 'vitest'
import { type HighlightWorker, openHighlighter } from './highlighter.ts'

function rig() {
  const workers: (HighlightWorker & { readonly asked: { no: number; text: string }[]; ended: boolean })[] = []
  const timers: (() => void)[] = []
  const highlighter = openHighlighter(
    () => {
      const worker = {
        asked: [] as { no: number; text: string }[],
        ended: false,
        onmessage: null,
        postMessage: (asked: { no: number; text: string }) => void worker.asked.push(asked),
        terminate: () => {
          worker.ended = true
        },
      }
      workers.push(worker)
      return worker
    },
    (_, what) => {
      timers.push(what)
      return () => undefined
    },
  )
  return { highlighter, workers, timers }
}

test('highlighted code is cached, and code without a language or that is too long stays plain', async () => {
  const { highlighter, workers } = rig()
  const pieces = [{ text: 'x', tint: 'name' as const }]
  const asked = highlighter.highlight('ts', 'x')
  workers[0]?.onmessage?.({ data: { no: 1, pieces } } as MessageEvent)
  expect(await asked).toEqual(pieces)
  expect(highlighter.cached('ts', 'x')).toEqual(pieces)
  expect(highlighter.cached('ts', 'y')).toBeUndefined()
  expect(highlighter.cached('', 'x')).toBeNull()
  expect(highlighter.cached('ts', 'x'.repeat(60_001))).toBeNull()
})

test('code that takes too long is abandoned with its worker, and the next code gets a new worker', async () => {
  const { highlighter, workers, timers } = rig()
  const [slow, behind] = [highlighter.highlight('ts', 'slow'), highlighter.highlight('ts', 'behind')]
  timers[0]?.()
  expect([await slow, await behind, workers[0]?.ended]).toEqual([null, null, true])
  expect([highlighter.cached('ts', 'slow'), highlighter.cached('ts', 'behind')]).toEqual([null, undefined])
  void highlighter.highlight('ts', 'next')
  expect(workers[1]?.asked).toEqual([{ no: 3, language: 'ts', text: 'next' }])
})
