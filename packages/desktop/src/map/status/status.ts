// What the host behind this window says at /status.json.
import type { HostStatus } from '@tandem/contract/status'

export type Sight =
  | { readonly state: 'loading' }
  | { readonly state: 'seen'; readonly status: HostStatus }
  /** The host itself did not answer. */
  | { readonly state: 'lost'; readonly detail: string }

/** The host that answers is the one that served this page: same origin, same version. Its word is taken as it comes. */
export async function askStatus(signal: AbortSignal): Promise<Sight> {
  try {
    const reply = await fetch('/status.json', { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) })
    if (!reply.ok) return { state: 'lost', detail: `status ${reply.status}` }
    const status: HostStatus = await reply.json()
    return { state: 'seen', status }
  } catch (error) {
    return { state: 'lost', detail: error instanceof Error ? error.message : String(error) }
  }
}

/** `3 h 5 min`, never more than two units. */
export function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}
