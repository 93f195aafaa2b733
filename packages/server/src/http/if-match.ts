import { versionFromIfMatch } from '@tandem/contract/http'
import { refuse } from './refusal.ts'

/** Refuses a write that expects another version than the current one. Without `If-Match` any version is accepted. */
export function requireVersion(ifMatch: string | undefined, current: number, thing: string): void {
  if (ifMatch === undefined) return
  const asked = versionFromIfMatch(ifMatch)
  if (asked === 'any' || asked === current) return
  throw refuse('version_conflict', `${thing} is at version ${current}, not ${ifMatch}`, { current_version: current })
}
