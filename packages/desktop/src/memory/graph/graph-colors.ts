// The colors of the graph. A canvas does not know `var()` and `light-dark()`: hidden elements have the colors, and the browser computes them.
import { type RelationshipEntityKind, relationshipEntityKinds } from '@tandem/contract/memory'
import type { PictureColors } from './graph-painter.ts'

export const entityColors: Readonly<Record<RelationshipEntityKind, string>> = {
  stakeholder: 'var(--cloud)',
  workflow: 'light-dark(#d07000, #ffa63d)',
  preference: 'light-dark(#3f7d12, #a5d34f)',
  channel: 'light-dark(#0a93a0, #5fe6e0)',
  resource: 'light-dark(#9d3fd0, #d48bff)',
  constraint: 'light-dark(#a80f36, #ff6b81)',
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
