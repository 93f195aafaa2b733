// The guarantee of a subscription, tested with generated histories: whatever is written while it catches up, each item arrives once and in order.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testFeatures } from '../../../test/support/commands/test-features.ts'
import { openSubscription, type Sink } from './subscription.ts'

/** A reader that accepts this much, then needs a while. */
function slowSink(room: number): Sink & { readonly seqs: number[]; readonly nos: number[]; lagged: boolean } {
  let unread = 0
  const sink = {
    seqs: [] as number[],
    nos: [] as number[],
    lagged: false,
    send(notification: Parameters<Sink['send']>[0]) {
      unread += 1
      if (notification.method === 'step') sink.seqs.push(notification.params.step.seq)
      if (notification.method === 'event') sink.nos.push(notification.params.no)
      if (notification.method === 'lagging') sink.lagged = true
    },
    isFull: () => unread >= room,
    async drained() {
      await new Promise((resolve) => setImmediate(resolve))
      unread = 0
    },
  }
  return sink
}

test('no gaps and no duplicates', async () => {
  const written = fc.record({
    before: fc.nat(60),
    /** How many steps are written in each turn of the loop while the feed catches up. */
    during: fc.array(fc.nat(4), { maxLength: 12 }),
    after_seq: fc.integer({ min: -1, max: 70 }),
    room: fc.integer({ min: 30, max: 200 }),
  })
  await fc.assert(
    fc.asyncProperty(written, async ({ before, during, after_seq, room }) => {
      const here = testFeatures()
      try {
        const { run_id } = here.startRun()
        const other = here.startRun()
        const { journal, events } = here.features
        const step = (id: string) => journal.append(id, { kind: 'model.called', model: 'm', turn: 1 })
        for (let no = 0; no < before; no += 1) step(run_id)
        const sink = slowSink(room)
        const sources = { bus: here.bus, events, journal }
        const feed = openSubscription(
          sources,
          's1',
          { topics: ['step', 'event'], run_id, after_seq, after_event: 0 },
          sink,
          () => undefined,
        )
        for (const count of during) {
          for (let no = 0; no < count; no += 1) {
            step(run_id)
            step(other.run_id)
          }
          await sink.drained()
        }
        for (let turn = 0; turn < 20; turn += 1) await sink.drained()
        feed.end()
        step(run_id)
        const all = journal.steps(run_id, { after: after_seq }).map(({ step: { seq } }) => seq)
        const recorded = events.list({ run_id, limit: 1_000 }).map(({ no }) => no)
        expect(sink.lagged).toBe(false)
        expect(sink.seqs).toEqual(all.filter((seq) => seq < (journal.run(run_id)?.next_seq ?? 0) - 1))
        expect(sink.nos).toEqual(recorded.slice(0, -1))
      } finally {
        here.close()
      }
    }),
    { numRuns: 40 },
  )
})
