// Ids of entities that two devices create independently and that must be equal.
import { fingerprint } from '../fingerprint.ts'

export * from './readable.ts'
export type { EntityPayload } from './schema.ts'

const longestKey = 200

/** The policy of one agent for one tool is one entity, whichever device writes it first. */
export function toolPolicyEntityId(agentId: string, tool: string): string {
  return entityId(agentId, tool)
}

export function skillBindingEntityId(agentId: string, skill: string): string {
  return entityId(agentId, skill)
}

/** Two names as one key. Characters that a key may not contain are written as `@` and their code point, so no two pairs share a key. */
function entityId(owner: string, name: string): string {
  const key = `${owner}/${encode(name)}`
  return key.length <= longestKey ? key : `${key.slice(0, longestKey - 16)}@h${fingerprint(key)}`
}

function encode(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/gu, (letter) => `@${letter.codePointAt(0)?.toString(16)}.`)
}
