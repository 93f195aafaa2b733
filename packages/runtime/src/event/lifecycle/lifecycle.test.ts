import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { beforeCompaction, runEnded, settled, testLifecycle } from '../../../test/support/event/lifecycle/test-lifecycle.ts'
import { mergeEvents } from './lifecycle.ts'
import type { LifecycleEvent, LifecycleListener } from './lifecycle-event.ts'
import { latestRetry, retryAfter } from './retry.ts'

function opened(...args: Parameters<typeof testLifecycle>) {
  const here = testLifecycle(...args)
  onTestFinished(here.remove)
  return here
}

/** Remembers the events it gets, after doing what the test wants. */
function listener(name: string, from: LifecycleListener['from'] = 'now', first: (event: LifecycleEvent) => unknown = () => undefined) {
  const heard: string[] = []
  const hear = async (event: LifecycleEvent) => {
    await first(event)
    heard.push(event.event_id)
  }
  const hears = { run_ended: hear, before_compaction: hear, agent_created: hear, conversation_created: hear }
  return { name, from, hears, heard } satisfies LifecycleListener & { heard: string[] }
}

test('a failed delivery delays only its own run for its own listener, is retried with backoff, and is never dropped', async () => {
  const here = opened()
  const attempts: string[] = []
  let isBroken = true
  const bad = listener('bad', 'now', ({ event_id, no }) => {
    if (event_id.startsWith('x')) attempts.push(`${event_id} ${here.clock.elapsed()}`)
    if (isBroken && event_id === 'x1') throw new Error(`no room for ${no}`)
  })
  const good = listener('good')
  const lifecycle = here.open(bad, good)
  lifecycle.begin()
  for (const event of [runEnded('x', 'x1'), runEnded('y', 'y1'), runEnded('x', 'x2'), runEnded('y', 'y2')]) here.record(event)
  await settled()
  expect([bad.heard, good.heard.toSorted()]).toEqual([
    ['y1', 'y2'],
    ['x1', 'x2', 'y1', 'y2'],
  ])
  expect([here.rows(), lifecycle.parked()]).toEqual([['x1', 'x2'], []])
  for (const wait_ms of [1_000, 2_000]) {
    here.clock.advance(wait_ms - 1)
    await settled()
    here.clock.advance(1)
    await settled()
  }
  expect(attempts).toEqual(['x1 0', 'x1 1000', 'x1 3000'])
  expect(lifecycle.parked()).toEqual([
    {
      listener: 'bad',
      event: 'run_ended',
      event_id: 'x1',
      subject: { kind: 'run', id: 'x' },
      since: '2026-03-01T09:00:00.000Z',
      failures: 3,
      retry_at: '2026-03-01T09:00:07.000Z',
      reason: 'no room for 1',
    },
  ])
  expect(here.logged()).toEqual(
    [1, 2, 4].map((seconds) => `bad could not process an event of run x: no room for 1. Retrying in ${seconds} seconds.`),
  )
  for (let hour = 0; hour < 30; hour += 1) {
    here.clock.advance(3_600_000)
    await settled()
  }
  expect([lifecycle.parked()[0]?.failures, here.rows()]).toEqual([expect.any(Number), ['x1', 'x2']])
  isBroken = false
  here.clock.advance(3_600_000)
  await settled()
  expect([bad.heard, here.rows(), lifecycle.parked()]).toEqual([['y1', 'y2', 'x1', 'x2'], [], []])
})

test('retries survive a restart, and a wall clock that was set back does not delay them', async () => {
  const here = opened()
  const broken = listener('l', 'now', () => {
    throw new Error('no')
  })
  here.open(broken).begin()
  here.record(runEnded('x'))
  await settled()
  here.kill()
  here.clock.set(here.clock.now() - 30 * 86_400_000)
  const fixed = listener('l')
  here.open(fixed).begin()
  await settled()
  expect([fixed.heard, here.rows()]).toEqual([['x'], []])
})

test('stores nothing without listeners, and no event that no listener handles', async () => {
  const here = opened()
  here.open()
  here.record(runEnded('x'))
  expect(here.rows()).toEqual([])
  here.open({ name: 'deaf', from: 'now', hears: {} })
  here.record(runEnded('y'))
  expect(here.rows()).toEqual([])
})

test('keeps a row for a listener that this process does not have', async () => {
  const here = opened()
  here.open(listener('later'), listener('always'))
  here.record(runEnded('x'))
  const always = listener('always')
  here.open(always).begin()
  here.record(runEnded('y'))
  await settled()
  expect([always.heard, here.rows()]).toEqual([
    ['x', 'y'],
    ['x', 'y'],
  ])
  const later = listener('later')
  here.open(later, listener('always')).begin()
  await settled()
  expect([later.heard, here.rows()]).toEqual([['x', 'y'], []])
})

test('a listener starts with the next event, or with the history and the events that another listener has not processed', async () => {
  const past = [
    { ...runEnded('x', 'x1'), at: 10 },
    { ...runEnded('x', 'x2'), at: 20 },
    { ...runEnded('y', 'y1'), at: 30 },
  ]
  const here = opened(() => past)
  here.open(
    listener('slow', 'now', () => {
      throw new Error('not yet')
    }),
  )
  here.record(runEnded('y', 'y1'))
  here.record(beforeCompaction('x', 'x3'))
  const [fresh, whole] = [listener('fresh', 'now'), listener('whole', 'beginning')]
  here.open(listener('slow'), fresh, whole).begin()
  here.record(runEnded('x', 'x4'))
  await settled()
  const of = (run: string) => whole.heard.filter((id) => id.startsWith(run))
  expect([fresh.heard, of('x'), of('y')]).toEqual([['x4'], ['x1', 'x2', 'x3', 'x4'], ['y1']])
  // The history is delivered once: after a restart, the listener continues where it was.
  const again = listener('whole', 'beginning')
  here.open(listener('slow'), listener('fresh'), again).begin()
  await settled()
  expect([again.heard, here.rows()]).toEqual([[], []])
})

test('agents and conversations that existed before or came from another device are introduced at their first use, once per listener', async () => {
  const here = opened()
  const [first, second] = [listener('first'), listener('second')]
  const lifecycle = here.open(first)
  lifecycle.begin()
  here.record({ event: 'agent_created', event_id: 'a', data: { agent_id: 'a', cause: 'created' } })
  const use = (agent_id: string) => {
    const { store, lifecycle: current } = here.now()
    store.transaction(() => current.used({ agent_id, conversation_id: 'c' }))
  }
  use('a')
  use('a')
  await settled()
  expect(first.heard).toEqual(['a', 'c'])
  const [known, causes] = [listener('first'), [] as unknown[]]
  const watched = {
    ...second,
    hears: { ...second.hears, agent_created: async ({ data }: LifecycleEvent<'agent_created'>) => void causes.push(data) },
  }
  here.open(known, watched).begin()
  use('a')
  use('b')
  await settled()
  expect([known.heard, second.heard, causes]).toEqual([
    ['b'],
    ['c'],
    [
      { agent_id: 'a', cause: 'first_use' },
      { agent_id: 'b', cause: 'first_use' },
    ],
  ])
})

test('a listener that hangs times out after ten minutes, and its other runs are not blocked', async () => {
  const here = opened()
  const signals: AbortSignal[] = []
  const hung: LifecycleListener = {
    name: 'hung',
    from: 'now',
    hears: {
      async run_ended({ data: { run_id } }, signal) {
        signals.push(signal)
        if (run_id !== 'last') await new Promise(() => undefined)
      },
    },
  }
  const lifecycle = here.open(hung)
  lifecycle.begin()
  for (const run of ['1', '2', '3', '4', 'last']) here.record(runEnded(run))
  await settled()
  expect(signals.length).toBe(4)
  here.clock.advance(600_000)
  await settled()
  expect([signals.slice(0, 4).map(({ aborted }) => aborted), here.rows()]).toEqual([
    [true, true, true, true],
    ['1', '2', '3', '4'],
  ])
  expect(here.logged()[0]).toContain('it did not finish within 10 minutes')
})

test('waiting for an event ends when all have processed it, when one fails, or at the limit; other runs do not delay it', async () => {
  const here = opened()
  const goOn = Promise.withResolvers<void>()
  const slow = listener('slow', 'now', ({ event_id }) => {
    if (event_id.startsWith('busy')) return goOn.promise
    if (event_id === 'bad') throw new Error('no')
  })
  const lifecycle = here.open(slow)
  expect(await lifecycle.hear(beforeCompaction('x', 'x1'), {})).toBe('heard')
  for (let run = 0; run < 9; run += 1) here.record(runEnded(`busy${run}`))
  lifecycle.begin()
  await settled()
  expect(await lifecycle.hear(beforeCompaction('x', 'x2'), {})).toBe('heard')
  expect(await lifecycle.hear(beforeCompaction('x', 'bad'), {})).toBe('failed')
  const late = lifecycle.hear(beforeCompaction('busy1', 'busy-late'), { within_ms: 5_000 })
  const stopped = new AbortController()
  const ended = lifecycle.hear(beforeCompaction('busy1', 'busy-ended'), { signal: stopped.signal })
  stopped.abort()
  expect(await ended).toBe('late')
  here.clock.advance(5_000)
  expect(await late).toBe('late')
  goOn.resolve()
  await settled()
  expect([slow.heard.slice(0, 2), slow.heard.filter((id) => /busy(?:1|-)/.test(id))]).toEqual([
    ['x1', 'x2'],
    ['busy1', 'busy-late', 'busy-ended'],
  ])
})

test('a process that stops delivers for a limited time; the next one delivers the rest', async () => {
  const here = opened()
  const quick = listener('quick')
  const hung = listener('hung', 'now', () => new Promise(() => undefined))
  const errand = here.open(quick, hung)
  for (let run = 0; run < 20; run += 1) here.record(runEnded(`run${run}`))
  await settled()
  expect(quick.heard).toEqual([])
  let hasStopped = false
  const stopping = errand.stop({ within_ms: 300 }).then(() => (hasStopped = true))
  await settled()
  here.clock.advance(299)
  await settled()
  expect([quick.heard.length, hasStopped]).toEqual([20, false])
  here.clock.advance(1)
  await stopping
  const next = listener('hung')
  await here.open(listener('quick'), next).stop({ within_ms: 300 })
  expect([next.heard.length, here.rows()]).toEqual([20, []])
})

test('refuses two listeners with the same name', () => {
  const lifecycle = opened().open(listener('one'))
  expect(() => lifecycle.listen(listener('one'))).toThrow('two lifecycle listeners have the name one')
})

test('the delay doubles from one second up to one hour', () => {
  expect([1, 2, 3, 4, 12, 13, 1_000].map(retryAfter)).toEqual([1_000, 2_000, 4_000, 8_000, 2_048_000, 3_600_000, 3_600_000])
  fc.assert(fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(), (failures, now) => now + retryAfter(failures) <= latestRetry(now)))
})

test('merges history and pending events by time, each in its own order, each event once', () => {
  const times = fc.array(fc.nat(20), { maxLength: 10 }).map((all) => all.toSorted((left, right) => left - right))
  fc.assert(
    fc.property(times, times, fc.nat(3), (past, waiting, shared) => {
      const history = past.map((at, index) => ({ ...runEnded('r', `h${index}`), at }))
      const both = history.slice(history.length - Math.min(shared, history.length))
      const pending = [...both, ...waiting.map((at, index) => ({ ...runEnded('r', `p${index}`), at }))].toSorted((a, b) => a.at - b.at)
      const all = mergeEvents(history, pending)
      const known = new Set(pending.map(({ event_id }) => event_id))
      expect(all.filter(({ event_id }) => known.has(event_id))).toEqual(pending)
      expect(all.filter(({ event_id }) => !known.has(event_id))).toEqual(history.filter(({ event_id }) => !known.has(event_id)))
      expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted((left, right) => left - right))
    }),
  )
})
