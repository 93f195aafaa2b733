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

/** The latest time that the wire format can represent. */
const endOfTime = Date.parse('9999-12-31T23:59:59.999Z')

/** When a memory created at `created_at` is archived, unless it has its own time; null means never. */
export function memoryExpiry(kind: MemoryKind, created_at: string): string | null {
  const retention = memoryRetention[kind]
  if (retention === null) return null
  return new Date(Math.min(Date.parse(created_at) + retention, endOfTime)).toISOString()
}

/** Whether a memory is expired at `now`. Times are fixed-width ISO text, so text order is time order. */
export function isMemoryExpired(memory: { readonly expires_at: string | null }, now: string): boolean {
  return memory.expires_at !== null && memory.expires_at <= now
}

/** The two result lists of `memory_search`: semantic matches and exact matches. */
export const recallChannels = ['semantic_recall', 'exact_evidence'] as const
export type RecallChannel = (typeof recallChannels)[number]
