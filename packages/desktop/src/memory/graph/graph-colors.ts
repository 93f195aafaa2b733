// The colors of the graph. A canvas does not know `var()` and `light-dark()`: hidden elements have the colors, and the browser computes them.
import { type RelationshipEntityKind, relationshipEntityKinds } from '@tandem/contract/memory'
import type { PictureColors } from './graph-painter.ts'

export const entityColors: Readonly<Record<RelationshipEntityKind, string>> = {
  stakeholder: 'var(--cloud)',
  workflow: 'var(--desktop)',
  preference: 'var(--good)',
  channel: 'var(--warn)',
  resource: 'var(--code-keyword)',
  constraint: 'var(--bad)',
}

/** From elements with `data-color`. */
export function pictureColors(swatches: HTMLElement): PictureColors {
  const of = (name: string) => {
    const element = swatches.querySelector(`[data-color="${name}"]`)
    return element ? getComputedStyle(element).color : 'gray'
  }
  const kinds = Object.fromEntries(relationshipEntityKinds.map((kind) => [kind, of(kind)])) as Record<RelationshipEntityKind, string>
  return { line: of('line'), ink: of('ink'), halo: of('halo'), kinds }
}
