// The newest memories of a list, read in pages.
import type { Memory } from '@tandem/contract/memory'
import type { SlicedWork } from '../../scheduler/slices.ts'
import type { Cursor } from './memories.ts'

const most = 2_000
const page = 100

export function* newestFirst(read: (before: Cursor | null, limit: number) => readonly Memory[]): SlicedWork<readonly Memory[]> {
  const found: Memory[] = []
  for (;;) {
    const next = read(found.at(-1) ?? null, page)
    found.push(...next)
    if (next.length < page || found.length >= most) return found
    yield
  }
}
