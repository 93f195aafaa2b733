// Email addresses in the form the directory compares.
import { createHash } from 'node:crypto'

/** One account per mailbox: case and Unicode composition are ignored. */
export function directoryEmail(email: string): string {
  return email.normalize('NFC').toLowerCase().normalize('NFC')
}

/** Identifies an address in keys and counters without revealing it. */
export function emailDigest(email: string): string {
  return createHash('sha256').update(directoryEmail(email)).digest('base64url')
}

/** The default display name of a user. */
export function nameFromEmail(email: string): string {
  return [...email.slice(0, Math.max(1, email.lastIndexOf('@')))].slice(0, 100).join('')
}
