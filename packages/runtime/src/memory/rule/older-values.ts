// Of memories that differ in nothing but a value, a prompt gets the newest one only: "The meeting is on Mondays", then "The meeting is on
// Fridays". Nothing is superseded: whether both can be true is not known, and a search still finds the older one. Pure.
import type { Memory } from '@tandem/contract/memory'
import { topicsOf } from './replace/topics.ts'
import { rankOf } from './resolve/rank.ts'

type Told = Pick<
  Memory,
  'id' | 'subject' | 'content' | 'created_at' | 'procedure' | 'quotes' | 'source_type' | 'authority' | 'confirmed_by_user'
>

/** One word in common says too little. */
const leastTopics = 2

/** The ids of those that a newer one replaces. One of a lower rank does not, however new it is. */
export function olderValues(memories: readonly Told[]): ReadonlySet<string> {
  const gone = new Set<string>()
  for (const [matter, list] of Map.groupBy(memories, matterOf)) {
    if (matter === '') continue
    for (const memory of list) if (list.some((other) => replaces(other, memory))) gone.add(memory.id)
  }
  return gone
}

/** What it is about; empty if that is not clear enough to compare it. */
function matterOf({ subject, content, procedure }: Told): string {
  const topics = procedure === null ? [...topicsOf(content)] : []
  return topics.length < leastTopics ? '' : `${subject}\n${topics.sort().join(' ')}`
}

/** What was said in one message is true together: "Choir is on Mondays and on Fridays". */
function replaces(newer: Told, older: Told): boolean {
  const said = new Set(older.quotes.map(({ message_id }) => message_id))
  if (newer.quotes.some(({ message_id }) => said.has(message_id))) return false
  return newer.created_at > older.created_at && rankOf(newer) >= rankOf(older)
}
