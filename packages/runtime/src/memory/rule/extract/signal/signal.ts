// A signal is something in a sentence that speaks for keeping it, or against it.
import type { MemoryKind } from '@tandem/contract/memory'
import type { Reading } from '../reading.ts'

export interface Signal {
  readonly name: string
  /** A sentence is kept if the sum of its weights reaches the threshold. */
  readonly weight: number
  /** The kind it speaks for; null if for any. */
  readonly kind: MemoryKind | null
  readonly holds: (reading: Reading) => boolean
}

export function says(name: string, kind: MemoryKind | null, weight: number, ...patterns: readonly RegExp[]): Signal {
  return { name, kind, weight, holds: ({ core }) => patterns.some((pattern) => pattern.test(core)) }
}

export function when(name: string, kind: MemoryKind | null, weight: number, holds: (reading: Reading) => boolean): Signal {
  return { name, kind, weight, holds }
}
