import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { pinToCore } from './cores.ts'

const allowed = () => /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]

test('a process on one core still knows how many it can have, and gets them back', () => {
  const before = { cores: allowed(), count: availableParallelism() }
  const [first = 0] = (before.cores ?? '').split(/[-,]/).map(Number)
  const pin = pinToCore(first)
  try {
    expect({ cores: pin.cores, count: pin.count }).toEqual(before)
    expect([allowed(), availableParallelism()]).toEqual([String(first), 1])
  } finally {
    pin.release()
  }
  expect({ cores: allowed(), count: availableParallelism() }).toEqual(before)
})
