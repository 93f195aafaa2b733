// A lookup function that returns only addresses that were checked before.
import type { LookupFunction } from 'node:net'
import type { CheckedHost } from './connection-policy.ts'

export function pinnedLookup(addresses: CheckedHost['addresses']): LookupFunction {
  return (_, options, callback) => {
    const asked = addresses.filter(({ family }) => !options.family || options.family === family || options.family === `IPv${family}`)
    const [first = addresses[0]] = asked
    if (options.all) callback(null, asked.length > 0 ? [...asked] : [first])
    else callback(null, first.address, first.family)
  }
}
