// By what memories of one subject and owner are found that may concern each other. Pure. A change of what is computed here needs a migration
// that deletes `memory_numbers` and `memory_terms`: they are computed again.
import { hash } from 'node:crypto'
import type { Memory } from '@tandem/contract/memory'
import { stems } from '../resolve/revoke.ts'
import { statementKey, statementWords } from '../resolve/same.ts'

export type Termed = Pick<Memory, 'agent_id' | 'subject' | 'content' | 'procedure' | 'supersedes'>
type Owned = Pick<Memory, 'agent_id' | 'subject'>

/** A safe integer: two texts with the same one are only compared without need. */
export function term({ agent_id, subject }: Owned, kind: 'statement' | 'word' | 'ended', text: string): number {
  return Number.parseInt(hash('sha1', JSON.stringify([agent_id, subject, kind, text])).slice(0, 12), 16)
}

export const statementTerm = (memory: Termed) => term(memory, 'statement', statementKey(memory))

/** As they stand there, and as statements are compared: "don't" and "do not", "two" and "2" are the same. */
export function wordsOf(content: string): ReadonlySet<string> {
  return stems(content).union(stems(statementWords(content).join(' ')))
}

export function termsOf(memory: Termed): readonly number[] {
  return [
    statementTerm(memory),
    ...[...wordsOf(memory.content)].map((word) => term(memory, 'word', word)),
    ...memory.supersedes.map((id) => term(memory, 'ended', id)),
  ]
}
