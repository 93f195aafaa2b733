// What identifies an executor: the hash of its token, and its certificate. Both are created at the first start; the token is shown once.
import { createHash, createPrivateKey, randomBytes, timingSafeEqual, X509Certificate } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { certificateFingerprint, createCertificate } from './certificate.ts'
import { writeDurably } from './durable-file.ts'

export interface ExecutorIdentity {
  /** PEM */
  readonly key: string
  readonly cert: string
  readonly certificate_sha256: string
  /** Null unless it was created now: then it must be shown, because only its hash is stored. */
  readonly new_token: string | null
  /** Stores what was created. Called when it can be shown: a token that no one saw would be of no use. */
  save(): void
  /** In constant time. */
  isToken(token: string): boolean
}

interface StoredIdentity {
  readonly token_sha256: string
  readonly key: string
  readonly cert: string
}

export type IdentityOpening =
  | { readonly ok: true; readonly identity: ExecutorIdentity }
  | { readonly ok: false; readonly problem: string; readonly remedy: string }

type Reading = Exclude<IdentityOpening, { ok: true }> | { readonly ok: true; readonly stored: StoredIdentity | null }

/** `folder` belongs to this process alone. `renew_token`: the previous token stops working. */
export function openIdentity(folder: string, now: number, renew_token = false): IdentityOpening {
  const file = join(folder, 'identity.json')
  const read = readIdentity(file)
  if (!read.ok) return read
  const before = read.stored
  const new_token = before === null || renew_token ? randomBytes(32).toString('base64url') : null
  const { key, cert } = before ?? createCertificate(now)
  const token_sha256 = new_token === null ? (before?.token_sha256 ?? '') : sha256(new_token).toString('hex')
  const expected = Buffer.from(token_sha256, 'hex')
  const identity: ExecutorIdentity = {
    key,
    cert,
    certificate_sha256: certificateFingerprint(cert),
    new_token,
    save() {
      if (new_token !== null) writeIdentity(file, { token_sha256, key, cert })
    },
    isToken: (token) => timingSafeEqual(sha256(token), expected),
  }
  return { ok: true, identity }
}

/** For its owner alone, also if it existed before. */
export function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}

function readIdentity(file: string): Reading {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { ok: true, stored: null }
    throw error
  }
  if (platform() !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    return {
      ok: false,
      problem: `other users of this machine can read ${file}, which contains the private key of the executor`,
      remedy: 'Delete it to create a new token and certificate, or run chmod 600 on it if no one else has read it.',
    }
  const { token_sha256, key, cert } = parsed(text)
  const isToken = typeof token_sha256 === 'string' && /^[0-9a-f]{64}$/.test(token_sha256)
  if (!isToken || typeof key !== 'string' || typeof cert !== 'string' || !isKeyOf(key, cert))
    return { ok: false, problem: `${file} is not valid`, remedy: 'Restore it, or delete it to create a new token and certificate.' }
  return { ok: true, stored: { token_sha256, key, cert } }
}

function isKeyOf(key: string, cert: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    // One of them is damaged. Not shown: the message may quote the key.
    return false
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>
  } catch {
    // Not shown: it contains the key.
    return {}
  }
}

/** On disk before the token is shown. */
function writeIdentity(file: string, identity: StoredIdentity): void {
  writeDurably(file, `${JSON.stringify(identity, null, 2)}\n`)
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
