// API keys as text: the prefix, then 16 bytes of the user's id, 16 of the key's id and 32 random ones. Pure, except for the randomness.
//
// The ids are inside, so that a key is looked up in the rows of its own user, like everything else. Only a hash of the random part is
// stored: it has 256 bits, so a fast hash is enough.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { apiKeyPrefix } from '@tandem/contract/auth'

export interface ApiKeyClaim {
  readonly user_id: string
  readonly key_id: string
  readonly hash: Buffer
}

const idBytes = 16
const secretBytes = 32
const pattern = new RegExp(`^${apiKeyPrefix}([A-Za-z0-9_-]{86})$`)

export function newApiKey(userId: string, keyId: string): { readonly key: string; readonly hash: Buffer; readonly ends_with: string } {
  const secret = randomBytes(secretBytes)
  const key = apiKeyPrefix + Buffer.concat([bytesOf(userId), bytesOf(keyId), secret]).toString('base64url')
  return { key, hash: hashOf(secret), ends_with: key.slice(-4) }
}

export function isApiKey(token: string): boolean {
  return token.startsWith(apiKeyPrefix)
}

/** The claims in the text; undefined if it is not a complete key. */
export function readApiKey(text: string): ApiKeyClaim | undefined {
  const bytes = Buffer.from(pattern.exec(text)?.[1] ?? '', 'base64url')
  if (bytes.length !== 2 * idBytes + secretBytes) return undefined
  return { user_id: idOf(bytes, 0), key_id: idOf(bytes, idBytes), hash: hashOf(bytes.subarray(2 * idBytes)) }
}

export function sameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

function hashOf(secret: Buffer): Buffer {
  return createHash('sha256').update(secret).digest()
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function idOf(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + idBytes)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
