// Which headers pass through the gateway, in each direction. All others are dropped: keys, cookies, accounts, addresses. Pure.
import { createHash } from 'node:crypto'

const toUpstream = ['accept', 'anthropic-version', 'anthropic-beta', 'openai-beta'] as const
const toCaller = ['openai-processing-ms', 'openai-version', 'x-should-retry', 'retry-after', 'retry-after-ms'] as const
const toCallerPrefix = 'anthropic-ratelimit-'

type Incoming = Readonly<Record<string, string | readonly string[] | undefined>>

export function upstreamHeaders(headers: Incoming, userId: string): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const name of toUpstream) {
    const value = headers[name]
    if (value !== undefined) passed[name] = typeof value === 'string' ? value : value.join(', ')
  }
  const key = headers['idempotency-key']
  // All users share one account at the provider: the same key of two users must be different there.
  if (typeof key === 'string') passed['idempotency-key'] = createHash('sha256').update(`${userId}\0${key}`).digest('base64url')
  return passed
}

export function callerHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const name of toCaller) {
    const value = headers[name]
    if (value !== undefined) passed[name] = value
  }
  for (const name in headers) {
    const value = headers[name]
    if (name.startsWith(toCallerPrefix) && value !== undefined) passed[name] = value
  }
  const id = headers['x-request-id'] ?? headers['request-id']
  if (id !== undefined) passed['x-upstream-request-id'] = id
  return passed
}

/** Sent by the calling device, so that its owner can see what each device used. */
export function deviceIn(headers: Incoming): string | null {
  const device = headers['x-device-id']
  return typeof device === 'string' && /^[A-Za-z0-9._:@/-]{1,200}$/.test(device) ? device : null
}
