// JSON that means the same after it was read. A number that JavaScript can not hold, and text that UTF-8 can not hold, would be stored as
// something else: both are found here, with their place.
import type { Fault } from './fault.ts'

/** Stands where a number was that can not be kept. */
class UnkeptNumber {}

const strangeNumber = 'is a number that can not be kept exactly: send it as text'
const loneSurrogate = 'contains half of a surrogate pair, which is no character'

/** What both look like in the text; most bodies hold neither, and are not walked. */
const maybeStrangeNumber = /\d{16}|\d[eE][+-]?\d{2}/
const maybeSurrogate = /\\u[dD][89a-fA-F]/

/** Throws a SyntaxError for what is not JSON. Faulty numbers are left as objects without members. */
export function parseExact(text: string): { readonly value: unknown; readonly numbers: readonly Fault[] } {
  if (!maybeStrangeNumber.test(text)) return { value: JSON.parse(text), numbers: [] }
  const value: unknown = JSON.parse(text, (_key, read: unknown, context: { source?: string } = {}) =>
    typeof read === 'number' && context.source !== undefined && !isExact(read, context.source) ? new UnkeptNumber() : read,
  )
  return { value, numbers: faultsIn(value, (part) => (part instanceof UnkeptNumber ? strangeNumber : undefined)) }
}

/** Text and names of members that hold half a surrogate pair. */
export function surrogatesIn(text: string, value: unknown): Fault[] {
  if (!maybeSurrogate.test(text)) return []
  return faultsIn(value, (part) => (typeof part === 'string' && !part.isWellFormed() ? loneSurrogate : undefined))
}

/** Decimals are rounded to the nearest double, as everywhere; a whole number must be written again as it came, or as its equal. */
function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false
  if (value === 0) return !/[1-9]/.test(source.split(/[eE]/)[0] ?? '')
  if (!/^-?\d+$/.test(source)) return true
  return Number.isSafeInteger(value) || String(value) === source || BigInt(source) === BigInt(value)
}

const faultsAtMost = 100

function faultsIn(value: unknown, faultOf: (part: unknown) => string | undefined): Fault[] {
  const faults: Fault[] = []
  const open: { readonly part: unknown; readonly pointer: string }[] = [{ part: value, pointer: '' }]
  for (let next = open.pop(); next && faults.length < faultsAtMost; next = open.pop()) {
    const { part, pointer } = next
    const message = faultOf(part)
    if (message !== undefined) faults.push({ pointer, message })
    if (typeof part !== 'object' || part === null) continue
    for (const [name, inner] of Object.entries(part).reverse()) {
      const named = faultOf(name)
      if (named !== undefined) faults.push({ pointer, message: `has a member whose name ${named}` })
      open.push({ part: inner, pointer: `${pointer}/${name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}` })
    }
  }
  return faults
}
