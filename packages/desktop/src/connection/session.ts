// The fragment of the window's address has a one-time code, which is exchanged for an HttpOnly cookie.
import { sessionPath } from '@tandem/contract/command'

export type SessionResult = 'opened' | 'no_code' | 'refused' | 'unreachable'

/** Removes the code from the address first: it must not stay in the history, even if the exchange fails. */
export async function openSession(): Promise<SessionResult> {
  const code = codeFromHash(location.hash)
  if (code === null) return 'no_code'
  history.replaceState(history.state, '', location.pathname + location.search)
  try {
    const reply = await fetch(sessionPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    return reply.ok ? 'opened' : 'refused'
  } catch {
    // The runtime is not running; the channel retries and reports it.
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
