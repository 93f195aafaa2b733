import { versionAskedFor } from '@tandem/contract/http'
import { refuse } from './refusal.ts'

/** Refuses a write that was made for another version than the present one. Without `If-Match` any version will do. */
export function demandVersion(ifMatch: string | undefined, current: number, thing: string): void {
  if (ifMatch === undefined) return
  const asked = versionAskedFor(ifMatch)
  if (asked === 'any' || asked === current) return
  throw refuse('version_conflict', `${thing} is at version ${current}, not ${ifMatch}`, { current_version: current })
}
