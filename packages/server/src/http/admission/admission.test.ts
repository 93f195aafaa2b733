import { EventEmitter } from 'node:events'
import { routes } from '@tandem/contract/http/schema'
import { describe, expect, test } from 'vitest'
import { countOpenRequests, type OpenKind, openAdmission } from './admission.ts'

const limits = {
  places: 2,
  places_per_user: 2,
  queue: 2,
  queue_per_user: 2,
  patience_ms: 10_000,
  standing_ms: 1_000,
}
const list = routes.tasks_list

test('limits concurrent requests, queues some, and refuses the rest with a code', async () => {
  const admission = openAdmission(limits)
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<number>())
  const running = gates.map((gate) => admission.admit(list, undefined, () => gate.promise))
  expect([admission.inFlight, admission.waiting]).toEqual([2, 2])
  await expect(admission.admit(list, undefined, async () => 5)).rejects.toMatchObject({
    code: 'overloaded',
    extra: { retry_after_seconds: 1 },
  })
  expect(() => admission.demandRoom(list, 'anyone')).toThrow(expect.objectContaining({ code: 'overloaded' }))
  expect(() => admission.demandRoom(routes.health, undefined)).not.toThrow()
  gates.forEach((gate, index) => {
    gate.resolve(index)
  })
  expect(await Promise.all(running)).toEqual([0, 1, 2, 3])
  expect([admission.inFlight, admission.waiting, admission.shed]).toEqual([0, 0, 2])
})

describe('one user', () => {
  const shared = {
    places: 4,
    places_per_user: 2,
    queue: 10,
    queue_per_user: 3,
    patience_ms: 10_000,
    standing_ms: 1_000,
  }

  test('never takes the slots of others, running or queued', async () => {
    const admission = openAdmission(shared)
    const gate = Promise.withResolvers<void>()
    const greedy = Array.from({ length: 5 }, () => admission.admit(list, 'greedy', () => gate.promise))
    expect([admission.inFlight, admission.waiting]).toEqual([2, 3])
    await expect(admission.admit(list, 'greedy', async () => undefined)).rejects.toMatchObject({ code: 'overloaded' })
    expect(await admission.admit(list, 'modest', async () => 'served')).toBe('served')
    gate.resolve()
    await Promise.all(greedy)
    expect([admission.inFlight, admission.waiting]).toEqual([0, 0])
  })

  test('a request that waits for a slot of its user does not block those behind it', async () => {
    const admission = openAdmission({ ...shared, places: 3 })
    const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
    const order: string[] = []
    const run = (user: string, gate?: Promise<void>) =>
      admission.admit(list, user, async () => {
        order.push(user)
        await gate
      })
    const all = [run('a', gates[0]?.promise), run('a', gates[1]?.promise), run('b', gates[2]?.promise), run('a'), run('c')]
    gates[2]?.resolve()
    await all[4]
    expect(order).toEqual(['a', 'a', 'b', 'c'])
    for (const gate of gates) gate.resolve()
    await Promise.all(all)
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a'])
  })
})

describe('a persistent queue', () => {
  const stood = { ...limits, queue: 10, standing_ms: 100 }
  const parallel = (admission: ReturnType<typeof openAdmission>, count: number, user?: string) => {
    const gate = Promise.withResolvers<string>()
    const all = Array.from({ length: count }, () => admission.admit(list, user, () => gate.promise))
    return {
      async end() {
        gate.resolve('served')
        return await Promise.all(all)
      },
    }
  }

  test('grows no longer than the number of slots, and everything in it is served', async () => {
    let now = 1_000
    const admission = openAdmission(stood, () => now)
    const some = parallel(admission, 3)
    now += 101
    const more = parallel(admission, 1)
    expect([admission.inFlight, admission.waiting]).toEqual([2, 2])
    expect(() => admission.demandRoom(list, undefined)).toThrow(expect.objectContaining({ code: 'overloaded' }))
    await expect(admission.admit(list, undefined, async () => undefined)).rejects.toMatchObject({ code: 'overloaded' })
    expect([...(await some.end()), ...(await more.end())]).toEqual(['served', 'served', 'served', 'served'])
  })

  test('a burst after light traffic is not a persistent queue, however long the traffic lasted', async () => {
    let now = 1_000
    const admission = openAdmission(stood, () => now)
    for (let turn = 0; turn < 50; turn += 1) {
      now += 20
      await admission.admit(list, undefined, async () => undefined)
    }
    const burst = parallel(admission, 9)
    expect(admission.waiting).toBe(7)
    expect(await burst.end()).toHaveLength(9)
  })

  test('a moment without a queue is not a break, a longer one is', async () => {
    let now = 1_000
    const admission = openAdmission(stood, () => now)
    const first = parallel(admission, 3)
    now += 80
    await first.end()
    now += 50
    const second = parallel(admission, 4)
    expect(() => admission.demandRoom(list, undefined)).toThrow(expect.objectContaining({ code: 'overloaded' }))
    await second.end()
    now += 101
    const third = parallel(admission, 4)
    expect(() => admission.demandRoom(list, undefined)).not.toThrow()
    await third.end()
  })

  test('does not exist while slots are free: a user who waits for their own slot blocks no one', async () => {
    let now = 1_000
    const admission = openAdmission({ ...stood, places: 4, places_per_user: 1, queue_per_user: 9 }, () => now)
    const greedy = parallel(admission, 6, 'greedy')
    const modest = parallel(admission, 1, 'modest')
    now += 1_000
    expect(() => admission.demandRoom(list, 'modest')).not.toThrow()
    await Promise.all([greedy.end(), modest.end()])
  })
})

test('a failure frees its slot', async () => {
  const admission = openAdmission(limits)
  await expect(admission.admit(list, 'u', async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(admission.inFlight).toBe(0)
})

test('a request that waited too long is refused, and the next in the queue gets the slot', async () => {
  const admission = openAdmission({ ...limits, places: 1, patience_ms: -1 })
  const gate = Promise.withResolvers<void>()
  const first = admission.admit(list, undefined, () => gate.promise)
  const late = admission.admit(list, undefined, async () => undefined)
  gate.resolve()
  await first
  await expect(late).rejects.toMatchObject({ code: 'overloaded' })
  expect(await admission.admit(list, undefined, async () => 'served')).toBe('served')
  expect(admission.inFlight).toBe(0)
})

test('probes never wait', async () => {
  const admission = openAdmission({ ...limits, places: 1, queue: 0 })
  const gate = Promise.withResolvers<void>()
  const busy = admission.admit(list, undefined, () => gate.promise)
  expect(await admission.admit(routes.health, undefined, async () => 'alive')).toBe('alive')
  gate.resolve()
  await busy
})

test('limits the open requests of a user, and each that ends frees one', () => {
  const requests = countOpenRequests({ requests: 2, model_calls: 3 })
  const open = (user: string, kind: OpenKind = 'requests') => {
    const response = new EventEmitter<{ close: [] }>()
    requests.open(user, response, kind)
    return response
  }
  const first = open('a')
  open('a')
  expect(() => open('a')).toThrow(expect.objectContaining({ code: 'rate_limited', extra: { retry_after_seconds: 1 } }))
  open('b')
  first.emit('close')
  open('a')
  expect(() => open('a')).toThrow('this account has 2 requests open at the same time')
})

test('model calls have their own limit', () => {
  const requests = countOpenRequests({ requests: 1, model_calls: 3 })
  const open = (kind: OpenKind) => requests.open('a', new EventEmitter<{ close: [] }>(), kind)
  open('requests')
  for (let n = 0; n < 3; n += 1) open('model_calls')
  expect(() => open('model_calls')).toThrow('this account has 3 model calls open at the same time')
})
