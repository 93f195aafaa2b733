// How the cloud backend looks from here: one question to its /health, with a deadline.
import { healthParts, healthStates } from '@tandem/contract/health'
import type { BackendSight, SeenHealth, SightFailure } from '@tandem/contract/status'

const deadlineMs = 2_000
const answerBytes = 64 * 1024

/** Looks when asked; questions that come while one is open share its answer. */
export function watchBackend(backend: string | null): () => Promise<BackendSight> {
  if (backend === null) return async () => ({ state: 'absent' })
  const { origin: address, protocol } = new URL(backend)
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`the backend's address must be http or https, not ${protocol}`)
  let open: Promise<BackendSight> | null = null
  return () => {
    open ??= look(address).finally(() => {
      open = null
    })
    return open
  }
}

async function look(address: string): Promise<BackendSight> {
  const failing = (code: SightFailure, detail: string): BackendSight => ({ state: 'failing', address, code, detail })
  try {
    const reply = await fetch(`${address}/health`, { redirect: 'error', signal: AbortSignal.timeout(deadlineMs) })
    const text = await textOf(reply)
    if (reply.status !== 200) return failing('unexpected_answer', `it answers with status ${reply.status}`)
    const health = text === null ? null : seenHealth(text)
    return health ? { state: 'answering', address, health } : failing('unexpected_answer', 'its answer is not a health report')
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return failing('timeout', `no answer within ${deadlineMs / 1000} s`)
    return failing('unreachable', reasonOf(error))
  }
}

/** Null when the answer is larger than a health report ever is. */
async function textOf(reply: Response): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of reply.body ?? []) {
    size += chunk.byteLength
    if (size > answerBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function seenHealth(text: string): SeenHealth | null {
  const answer = parsed(text)
  if (!isRecord(answer)) return null
  const status = healthStates.find((name) => name === answer.status)
  if (!status) return null
  const { version, uptime_seconds, parts } = answer
  return {
    status,
    version: typeof version === 'string' && version.length <= 100 ? version : null,
    uptime_seconds: typeof uptime_seconds === 'number' ? uptime_seconds : null,
    parts: Array.isArray(parts) ? parts.flatMap(seenPart) : [],
  }
}

function seenPart(part: unknown): SeenHealth['parts'] {
  if (!isRecord(part)) return []
  const name = healthParts.find((known) => known === part.name)
  return name ? [{ name, status: part.status === 'ok' ? 'ok' : 'failing' }] : []
}

/** Undefined for a text that is not JSON: the caller reports it as an answer that is no health report. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** `fetch` hides the cause behind "fetch failed"; the system's code says it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (isRecord(cause) && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cause.message : String(cause)
}
