// Argon2id in the PHC string format: the parameters are stored with the hash, so that they can be increased at any time.
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'

export interface PasswordCost {
  readonly memory_kib: number
  readonly passes: number
  readonly lanes: number
}

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. */
export const passwordCost: PasswordCost = { memory_kib: 19_456, passes: 2, lanes: 1 }

const saltBytes = 16
const tagBytes = 32

export async function hashPassword(password: string, cost: PasswordCost = passwordCost): Promise<string> {
  const salt = randomBytes(saltBytes)
  return phc(cost, salt, await derive(password, salt, cost, tagBytes))
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const { cost, salt, tag } = parsePhc(stored)
  return timingSafeEqual(await derive(password, salt, cost, tag.length), tag)
}

/** Whether the hash was created with other parameters than the current ones. */
export function isOutdated(stored: string, today: PasswordCost = passwordCost): boolean {
  const { cost, salt, tag } = parsePhc(stored)
  const same = cost.memory_kib === today.memory_kib && cost.passes === today.passes && cost.lanes === today.lanes
  return !same || salt.length < saltBytes || tag.length < tagBytes
}

/** A hash of an unknown random value: checking against it takes as long as checking a real one. */
export function dummyHash(cost: PasswordCost = passwordCost): string {
  return phc(cost, randomBytes(saltBytes), randomBytes(tagBytes))
}

function derive(password: string, nonce: Buffer, cost: PasswordCost, tagLength: number): Promise<Buffer> {
  const parameters: Argon2Parameters = {
    // The same password, regardless of how the keyboard composes accents.
    message: password.normalize('NFKC'),
    nonce,
    parallelism: cost.lanes,
    tagLength,
    memory: cost.memory_kib,
    passes: cost.passes,
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)))
  return promise
}

function phc({ memory_kib, passes, lanes }: PasswordCost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory_kib},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(tag)}`
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parsePhc(text: string): { cost: PasswordCost; salt: Buffer; tag: Buffer } {
  const [, memory, passes, lanes, salt = '', tag = ''] = phcPattern.exec(text) ?? []
  if (memory === undefined) throw new Error('a stored password hash is not an Argon2id PHC string')
  const cost = { memory_kib: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
