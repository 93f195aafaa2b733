// The models of the backend that was started with the window, so that new users have one without setup. This machine gets its own account
// there, which users need not know about. After a sign-in to a cloud, the models of that cloud are used instead.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoModel } from '@tandem/contract/model'
import type { OfferedModels } from '@tandem/runtime'

interface LocalAccount {
  readonly email: string
  readonly password: string
}

/** A token is valid for 15 minutes; it is renewed well before that. */
const renewedAfter_ms = 10 * 60_000

export function localGateway(backend: string, home: string): OfferedModels {
  let held: { readonly token: string; readonly since: number } | null = null

  async function key(): Promise<string | null> {
    if (held && performance.now() - held.since < renewedAfter_ms) return held.token
    const token = (await signIn(backend, home)) ?? null
    held = token === null ? null : { token, since: performance.now() }
    return token
  }

  return { base_url: `${backend}/api/v1/llm`, default_model: demoModel, key }
}

async function signIn(backend: string, home: string): Promise<string | undefined> {
  const file = join(home, 'local-account.json')
  const known = readAccount(file)
  const token = known && (await tokenFrom(backend, 'login', known))
  if (token) return token
  // None yet, or one of a backend whose data was deleted.
  const fresh = { email: `desktop-${randomBytes(6).toString('hex')}@tandem.invalid`, password: randomBytes(24).toString('base64url') }
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(fresh)}\n`, { mode: 0o600 })
  return tokenFrom(backend, 'register', fresh)
}

function readAccount(file: string): LocalAccount | undefined {
  try {
    const { email, password } = JSON.parse(readFileSync(file, 'utf8')) as Partial<LocalAccount>
    return email && password ? { email, password } : undefined
  } catch {
    // Missing or unreadable: another account works as well.
    return undefined
  }
}

async function tokenFrom(backend: string, how: 'login' | 'register', account: LocalAccount): Promise<string | undefined> {
  const answer = await fetch(`${backend}/api/v1/auth/${how}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
    signal: AbortSignal.timeout(10_000),
  })
  return answer.ok ? ((await answer.json()) as { access_token?: string }).access_token : undefined
}
