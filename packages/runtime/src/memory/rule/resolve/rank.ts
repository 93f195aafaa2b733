// How much a memory counts when it contradicts another. Pure.
import type { Memory } from '@tandem/contract/memory'

type Ranked = Pick<Memory, 'source_type' | 'authority' | 'confirmed_by_user'>

/** The highest first: the first row that applies gives the rank. */
export const rankTable = [
  { name: 'user correction', applies: ({ source_type, authority }: Ranked) => source_type === 'user_correction' && authority === 'person' },
  { name: 'confirmed by the user', applies: ({ confirmed_by_user }: Ranked) => confirmed_by_user },
  // The description of an agent is a person's text too, but it was not said about the user.
  { name: "a person's words", applies: ({ source_type, authority }: Ranked) => authority === 'person' && source_type !== 'bootstrap' },
  { name: 'writeback', applies: ({ source_type, authority }: Ranked) => authority !== 'untrusted' && source_type === 'memory_writeback' },
  {
    name: 'conclusion of the agent',
    applies: ({ source_type, authority }: Ranked) =>
      authority !== 'untrusted' && source_type !== 'distillation' && source_type !== 'bootstrap',
  },
  { name: 'distillation', applies: ({ source_type, authority }: Ranked) => authority !== 'untrusted' && source_type === 'distillation' },
  { name: 'bootstrap', applies: ({ source_type, authority }: Ranked) => authority !== 'untrusted' && source_type === 'bootstrap' },
] as const

/** 7 for a user correction down to 1 for bootstrap. 0 is untrusted: such a memory never competes. */
export function rankOf(memory: Ranked): number {
  const row = rankTable.findIndex(({ applies }) => applies(memory))
  return row === -1 ? 0 : rankTable.length - row
}
