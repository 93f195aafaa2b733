import { routes } from '@tandem/contract/http/schema'
import { expect, test } from 'vitest'
import { openAdmission } from './admission.ts'

const limits = { places: 2, queue: 2, patience_ms: 10_000 }

test('serves so many at once, lets so many wait, and refuses the rest by name', async () => {
  const admission = openAdmission(limits)
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<number>())
  const running = gates.map((gate) => admission.admit(routes.tasks_list, () => gate.promise))
  expect([admission.inFlight, admission.waiting]).toEqual([2, 2])
  await expect(admission.admit(routes.tasks_list, async () => 5)).rejects.toMatchObject({
    code: 'overloaded',
    extra: { retry_after_seconds: 1 },
  })
  gates.forEach((gate, index) => {
    gate.resolve(index)
  })
  expect(await Promise.all(running)).toEqual([0, 1, 2, 3])
  expect([admission.inFlight, admission.waiting, admission.shed]).toEqual([0, 0, 1])
})

test('a failure gives its place back', async () => {
  const admission = openAdmission(limits)
  await expect(admission.admit(routes.tasks_list, async () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(admission.inFlight).toBe(0)
})

test('who has waited too long is refused, and the next in line gets the place', async () => {
  const admission = openAdmission({ places: 1, queue: 5, patience_ms: -1 })
  const gate = Promise.withResolvers<void>()
  const first = admission.admit(routes.tasks_list, () => gate.promise)
  const late = admission.admit(routes.tasks_list, async () => undefined)
  gate.resolve()
  await first
  await expect(late).rejects.toMatchObject({ code: 'overloaded' })
  expect(await admission.admit(routes.tasks_list, async () => 'served')).toBe('served')
  expect(admission.inFlight).toBe(0)
})

test('probes never wait', async () => {
  const admission = openAdmission({ places: 1, queue: 0, patience_ms: 1 })
  const gate = Promise.withResolvers<void>()
  const busy = admission.admit(routes.tasks_list, () => gate.promise)
  expect(await admission.admit(routes.health, async () => 'alive')).toBe('alive')
  gate.resolve()
  await busy
})
