// `POST /session`: a window exchanges the one-time code of its address for a cookie that no script can read.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { rpcPath } from '@tandem/contract/command'
import { cookieName } from './request-checks.ts'
import type { WindowSessions } from './session.ts'

const bodyBytes = 1_024

/** The status of the refusal, or null if the cookie was set. */
export async function handleSessionRequest(
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  sessions: WindowSessions,
): Promise<number | null> {
  const text = await bodyOf(request)
  if (text === null) return 413
  const code = codeIn(text)
  if (code === null) return 400
  const cookie = sessions.redeem(code)
  if (cookie === null) return 401
  response.setHeader('set-cookie', `${cookieName(port)}=${cookie}; Path=${rpcPath}; HttpOnly; SameSite=Strict`)
  response.setHeader('cache-control', 'no-store')
  response.writeHead(204).end()
  return null
}

/** Null if the body is larger than any code. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > bodyBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function codeIn(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'code')) return null
    const { code } = value as { code: unknown }
    return typeof code === 'string' ? code : null
  } catch {
    // Not JSON: the caller responds with 400.
    return null
  }
}
