// Listeners get every event, in order, despite failures, retries and processes killed at any point of a delivery. Uses the real store.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beforeCompaction, runEnded, settled, testLifecycle } from '../../../test/support/event/lifecycle/test-lifecycle.ts'
import type { LifecycleEvent, LifecycleListener, NewLifecycleEvent } from './lifecycle-event.ts'
import { subjectOf } from './lifecycle-event.ts'
import type { DatedEvent } from './store.ts'

const names = ['all', 'ends', 'joined'] as const
type Name = (typeof names)[number]

type Happening =
  | { readonly does: 'record'; readonly kind: 'run_ended' | 'before_compaction' | 'agent_created'; readonly subject: number }
  /** From now on, a listener fails this many times at every event of a run. */
  | { readonly does: 'break'; readonly listener: Name; readonly subject: number; readonly times: number }
  /** The process dies before, during or after the next call of a listener, or now. */
  | { readonly does: 'kill'; readonly when: 'now' | 'during' | 'after' }
  | { readonly does: 'wait'; readonly ms: number }
  | { readonly does: 'join' }
  | { readonly does: 'end' }

const subject = fc.nat(2)
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('record' as const),
      kind: fc.constantFrom('run_ended', 'before_compaction', 'agent_created'),
      subject,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('break' as const), listener: fc.constantFrom(...names), subject, times: fc.nat(4) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('kill' as const),
      when: fc.constantFrom('now' as const, 'during' as const, 'after' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(0, 1_000, 5_000) }) },
  { weight: 1, arbitrary: fc.constant({ does: 'join' as const }) },
  { weight: 1, arbitrary: fc.constant({ does: 'end' as const }) },
)

function made(kind: 'run_ended' | 'before_compaction' | 'agent_created', about: number, id: string): NewLifecycleEvent {
  if (kind === 'run_ended') return runEnded(`r${about}`, id)
  if (kind === 'before_compaction') return beforeCompaction(`r${about}`, id)
  return { event: 'agent_created', event_id: id, data: { agent_id: `a${about}`, cause: 'created' } }
}

/** Simulates a device; returns what every listener processed. */
async function happen(happenings: readonly Happening[]) {
  const recorded: DatedEvent[] = []
  const here = testLifecycle(() => recorded.filter(({ event }) => event === 'run_ended'))
  const heard: Record<Name, LifecycleEvent[]> = { all: [], ends: [], joined: [] }
  const failing = new Map<string, number>()
  let fate: 'during' | 'after' | null = null
  /** What was recorded before the third listener joined; null until it joins. */
  let joinedAt: number | null = null

  function hearing(name: Name) {
    return async (event: LifecycleEvent) => {
      const left = failing.get(`${name} ${subjectOf(event)}`) ?? 0
      if (left > 0) {
        failing.set(`${name} ${subjectOf(event)}`, left - 1)
        throw new Error('scripted')
      }
      if (fate === 'during') {
        fate = null
        here.kill()
        return await new Promise<void>(() => undefined)
      }
      heard[name].push(event)
      if (fate === 'after') {
        fate = null
        here.kill()
      }
    }
  }
  const [all, ends, joined] = [hearing('all'), hearing('ends'), hearing('joined')]
  const listeners: Record<Name, LifecycleListener> = {
    all: { name: 'all', from: 'now', hears: { run_ended: all, before_compaction: all, agent_created: all } },
    ends: { name: 'ends', from: 'now', hears: { run_ended: ends } },
    joined: { name: 'joined', from: 'beginning', hears: { run_ended: joined, before_compaction: joined, agent_created: joined } },
  }
  const start = () => here.open(listeners.all, listeners.ends, ...(joinedAt === null ? [] : [listeners.joined])).begin()
  const alive = () => here.isKilled() && start()

  try {
    start()
    for (const one of happenings) {
      alive()
      if (one.does === 'record') {
        here.clock.advance(1)
        const event = made(one.kind, one.subject, `e${recorded.length}`)
        recorded.push({ ...event, at: here.clock.now() })
        here.record(event)
      }
      if (one.does === 'break') failing.set(`${one.listener} run:r${one.subject}`, one.times)
      if (one.does === 'kill' && one.when === 'now') here.kill()
      if (one.does === 'kill' && one.when !== 'now') fate = one.when
      if (one.does === 'wait') {
        await settled()
        if (!here.isKilled()) here.clock.advance(one.ms)
        await settled()
      }
      if (one.does === 'join' && joinedAt === null) {
        joinedAt = recorded.length
        here.now().lifecycle.listen(listeners.joined)
      }
      if (one.does === 'end') {
        const ending = here.now().lifecycle.stop({ within_ms: 300 })
        await settled()
        here.clock.advance(300)
        await ending
        here.kill()
      }
    }
    // Time passes, and the process is restarted whenever it was killed.
    for (let round = 0; round < 12; round += 1) {
      alive()
      await settled()
      if (!here.isKilled()) here.clock.advance(60_000)
      await settled()
    }
    alive()
    return { recorded, heard, joinedAt, rows: here.rows(), parked: here.now().lifecycle.parked() }
  } finally {
    here.remove()
  }
}

/** Each event once, in the order of first processing. */
function firsts(events: readonly LifecycleEvent[]): readonly string[] {
  return [...new Set(events.map(({ event_id }) => event_id))]
}

test('every listener processes each of its events, in the order of its run or agent, until nothing is left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 25 }), async (happenings) => {
      const { recorded, heard, joinedAt, rows, parked } = await happen(happenings)
      expect([rows, parked]).toEqual([[], []])
      const bySubject = (ids: readonly string[]) =>
        Object.groupBy(
          ids.map((id) => recorded.find(({ event_id }) => event_id === id)).filter((event) => event !== undefined),
          (event) => subjectOf(event),
        )
      const ids = (events: readonly DatedEvent[]) => events.map(({ event_id }) => event_id)
      expect(bySubject(firsts(heard.all))).toEqual(bySubject(ids(recorded)))
      expect(bySubject(firsts(heard.ends))).toEqual(bySubject(ids(recorded.filter(({ event }) => event === 'run_ended'))))
      // Its history, everything still pending when it joined, and everything after.
      const got = new Set(firsts(heard.joined))
      const owed = recorded.filter(({ event }, index) => joinedAt !== null && (event === 'run_ended' || index >= joinedAt))
      expect(ids(owed).filter((id) => !got.has(id))).toEqual([])
      expect(bySubject(firsts(heard.joined))).toEqual(bySubject(ids(recorded).filter((id) => got.has(id))))
    }),
    { numRuns: 60 },
  )
}, 600_000)
