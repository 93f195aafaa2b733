// E-mail addresses as the directory compares them.
import { createHash } from 'node:crypto'

/** One account for one mailbox: case and the way accents are composed make no difference. */
export function directoryEmail(email: string): string {
  return email.normalize('NFC').toLowerCase().normalize('NFC')
}

/** Names an address in keys and counters without telling it. */
export function emailDigest(email: string): string {
  return createHash('sha256').update(directoryEmail(email)).digest('base64url')
}

/** What a person is called until they say otherwise. */
export function nameFromEmail(email: string): string {
  return [...email.slice(0, Math.max(1, email.lastIndexOf('@')))].slice(0, 100).join('')
}
