// Refresh tokens: opaque to clients, derived and checked here. `<user_id>.<session, counter and their seal>`.
//
// The token of each counter is derived, not random: a client whose response was lost gets the same successor again. The database stores
// only a seed, the configuration only a secret; a token cannot be derived from one of them alone, so nothing stored has to be hashed.
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

export interface RefreshTokenClaims {
  readonly user_id: string
  readonly session_id: string
  readonly counter: number
  /** Not trusted until `sealed` has verified it. */
  readonly seal: Buffer
}

export interface RefreshTokens {
  make(session: { user_id: string; session_id: string; seed: Buffer }, counter: number): string
  /** Whether this service created the token. */
  sealed(claim: RefreshTokenClaims, seed: Buffer): boolean
}

const headBytes = 16 + 4
const sealBytes = 32
const pattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]+)$/

export function openRefreshTokens(secret: string): RefreshTokens {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'tandem refresh tokens', 32))
  const seal = (userId: string, head: Buffer, seed: Buffer) => createHmac('sha256', key).update(seed).update(userId).update(head).digest()

  return {
    make({ user_id, session_id, seed }, counter) {
      const head = headOf(session_id, counter)
      return `${user_id}.${Buffer.concat([head, seal(user_id, head, seed)]).toString('base64url')}`
    },
    sealed(claim, seed) {
      return timingSafeEqual(claim.seal, seal(claim.user_id, headOf(claim.session_id, claim.counter), seed))
    },
  }
}

export function newSeed(): Buffer {
  return randomBytes(32)
}

/** The claims in the text; undefined if it is not a refresh token. */
export function readRefreshToken(text: string): RefreshTokenClaims | undefined {
  const [, user_id, rest] = pattern.exec(text) ?? []
  if (user_id === undefined || rest === undefined) return undefined
  const bytes = Buffer.from(rest, 'base64url')
  if (bytes.length !== headBytes + sealBytes) return undefined
  const hex = bytes.toString('hex', 0, 16)
  const session_id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  return { user_id, session_id, counter: bytes.readUInt32BE(16), seal: bytes.subarray(headBytes) }
}

function headOf(sessionId: string, counter: number): Buffer {
  const head = Buffer.alloc(headBytes)
  head.write(sessionId.replaceAll('-', ''), 'hex')
  head.writeUInt32BE(counter, 16)
  return head
}
