// The window's address brings a one-time code in its fragment; it is changed for a cookie that no script can read.
import { sessionPath } from '@tandem/contract/command'

export type SessionAnswer = 'opened' | 'no_code' | 'refused' | 'unreachable'

/** The code leaves the address first: it must not stay in the history, whatever comes of it. */
export async function openSession(): Promise<SessionAnswer> {
  const code = codeIn(location.hash)
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
    // The runtime is gone; the channel tries again and says so.
    return 'unreachable'
  }
}

export function codeIn(hash: string): string | null {
  const [, code] = /^#code=([\w-]{20,200})$/.exec(hash) ?? []
  return code ?? null
}

/** A socket that is refused looks like one that can't be reached; only the host can tell the two apart. */
export async function isHostThere(): Promise<boolean> {
  try {
    const reply = await fetch('/status.json', { cache: 'no-store' })
    return reply.ok
  } catch {
    // Nobody answers: that is the answer.
    return false
  }
}
