// The fragment of the window's address has a one-time code, which is exchanged for an HttpOnly cookie.
import { sessionPath } from '@tandem/contract/command'
import { systemClock } from './clock.ts'

export type SessionResult = 'opened' | 'no_code' | 'refused' | 'unreachable'

/** How long each attempt may take, and the wait before the next one: a browser that has just started drops requests. */
const attempts = [
  { limit_ms: 3_000, wait_ms: 250 },
  { limit_ms: 3_000, wait_ms: 1_000 },
  { limit_ms: 3_000, wait_ms: 0 },
] as const

/** Removes the code from the address first: it must not stay in the history, even if the exchange fails. */
export async function openSession(): Promise<SessionResult> {
  const code = codeFromHash(location.hash)
  if (code === null) return 'no_code'
  history.replaceState(history.state, '', location.pathname + location.search)
  for (const { limit_ms, wait_ms } of attempts) {
    const result = await exchange(code, limit_ms)
    if (result !== 'unreachable') return result
    await new Promise<void>((resolve) => systemClock.after(wait_ms, resolve))
  }
  return 'unreachable'
}

async function exchange(code: string, limit_ms: number): Promise<SessionResult> {
  try {
    const reply = await fetch(sessionPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
      signal: AbortSignal.timeout(limit_ms),
    })
    return reply.ok ? 'opened' : 'refused'
  } catch {
    // The runtime is not running, or the request was dropped. The channel retries and reports it.
    return 'unreachable'
  }
}

export function codeFromHash(hash: string): string | null {
  const [, code] = /^#code=([\w-]{20,200})$/.exec(hash) ?? []
  return code ?? null
}

/** A refused socket looks like an unreachable one; only the host can tell which it is. */
export async function isHostReachable(): Promise<boolean> {
  try {
    const reply = await fetch('/status.json', { cache: 'no-store' })
    return reply.ok
  } catch {
    // No response: the host is not running.
    return false
  }
}
