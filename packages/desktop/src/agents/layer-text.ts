import type { PolicyLayers } from '@tandem/contract/tool'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

type Layers = PolicyLayers['in_force']

/** The layers of a policy and the fields that each changes, in words; null if there are none. */
export function layersText(layers: Layers): string | null {
  if (layers.length === 0) return null
  return layers
    .map(({ name, changes }) => `${layerName(name)} (${changes.map((field) => words.agents.changes[field]).join(', ')})`)
    .join(', ')
}

/** That of a newer version is shown as it is. */
function layerName(name: string): string {
  const names: Readonly<Record<string, string>> = words.agents.layers
  return Object.hasOwn(names, name) ? (names[name] ?? name) : visibleText(name)
}
