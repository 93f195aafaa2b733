// Checks that the key set for tokens is available. If not, returns one clear line, within the deadline.
import type { ConfigProblem } from '../config/problem.ts'

/** The variable the address came from. */
export type KeySetName = 'BAAS_JWKS' | 'BAAS_URL'

export async function probeKeySet(url: string, name: KeySetName, deadline: number): Promise<ConfigProblem | undefined> {
  try {
    const reply = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'manual', signal: AbortSignal.timeout(deadline) })
    const text = await reply.text()
    if (reply.status !== 200) return unusable(name, `returns ${reply.status} instead of a key set`)
    return inspect(text, name)
  } catch (error) {
    const [cause, remedy] = explain(error)
    return { variable: name, code: 'unreachable', cause: `the key set cannot be loaded: ${cause}`, remedy }
  }
}

function inspect(text: string, name: KeySetName): ConfigProblem | undefined {
  const keys = keysOf(text)
  if (keys === undefined) return unusable(name, 'does not return a key set')
  if (keys.length > 0) return undefined
  return {
    variable: 'BAAS_JWKS',
    code: 'refused',
    cause: 'the key set is empty, so no token can be verified',
    remedy: 'add a signing key to the project, or set BAAS_JWT_SECRET if it signs with a secret',
  }
}

function keysOf(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys) ? value.keys : undefined
  } catch {
    return undefined
  }
}

function unusable(variable: KeySetName, cause: string): ConfigProblem {
  const remedy = variable === 'BAAS_URL' ? 'correct the address of the project' : 'use "project" or the https:// URL of a key set'
  return { variable, code: 'refused', cause, remedy }
}

/** `fetch` hides the reason in its cause. */
function explain(error: unknown): [cause: string, remedy: string] {
  if (error instanceof Error && error.name === 'TimeoutError')
    return ['no response in time', 'correct the host and port, or allow the connection']
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return ['its host cannot be resolved', 'correct the host or the DNS settings']
  if (code === 'ECONNREFUSED') return ['nothing is listening there', 'correct the host and port']
  return [code, 'check the address and its certificate']
}
