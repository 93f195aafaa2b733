// What has become of a memory since a run used it. Pure.
import type { Memory, MemoryFate } from '@tandem/contract/memory'

export interface UsedThen {
  /** The text in the prompt; null if that version is not known any more. */
  readonly content: string | null
}

export interface StoredNow {
  readonly memory: Memory | undefined
  /** What superseded it, at the end of the chain. */
  readonly successor: Memory | undefined
}

/** A memory that was forgotten has no text here, whatever replaced it. */
export function fateOf({ content }: UsedThen, { memory, successor }: StoredNow): { fate: MemoryFate; memory: Memory | null } {
  if (!memory) return { fate: 'forgotten', memory: null }
  if (memory.state === 'archived') return { fate: 'archived', memory }
  if (memory.state === 'active') return { fate: content === null || content === memory.content ? 'active' : 'corrected', memory }
  // What replaced it may have been forgotten.
  if (!successor) return { fate: 'replaced', memory }
  // Merged with an equal memory: nothing changed for the user.
  if (successor.state === 'active' && successor.content === content) return { fate: 'active', memory: successor }
  return { fate: successor.source_type === 'user_correction' ? 'corrected' : 'replaced', memory: successor }
}
