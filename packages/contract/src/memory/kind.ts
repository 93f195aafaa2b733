export const memoryKinds = ['episodic', 'semantic', 'preference', 'decision', 'procedural', 'relationship'] as const
export type MemoryKind = (typeof memoryKinds)[number]

const day = 24 * 60 * 60 * 1000

/** How long a memory of each kind is kept by default, in milliseconds; null means never archived by age. */
export const memoryRetention: Readonly<Record<MemoryKind, number | null>> = {
  episodic: 90 * day,
  semantic: 365 * day,
  preference: 730 * day,
  decision: 365 * day,
  procedural: 365 * day,
  relationship: 730 * day,
}

/** The last moment the wire's form of time can say. */
const endOfTime = Date.parse('9999-12-31T23:59:59.999Z')

/** When a memory made at `created_at` is archived, unless it is given another time; null means never. */
export function memoryExpiry(kind: MemoryKind, created_at: string): string | null {
  const retention = memoryRetention[kind]
  if (retention === null) return null
  return new Date(Math.min(Date.parse(created_at) + retention, endOfTime)).toISOString()
}

/** Whether a memory's time is over at `now`. Times are fixed-width ISO text, so text order is time order. */
export function isMemoryExpired(memory: { readonly expires_at: string | null }, now: string): boolean {
  return memory.expires_at !== null && memory.expires_at <= now
}

/** The two answers `memory_search` gives: what means the same, and where the very words stand. */
export const recallChannels = ['semantic_recall', 'exact_evidence'] as const
export type RecallChannel = (typeof recallChannels)[number]
