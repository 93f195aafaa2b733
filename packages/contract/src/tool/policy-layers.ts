import type { PolicyLayers } from './schema.ts'

/** The layers that changed the configured policy, each with the fields it changed; null if there are none. */
export function changingLayers(layers: PolicyLayers | undefined): string | null {
  return text(layers?.in_force.filter(({ kind }) => kind !== 'configured'))
}

/** The overlays that were ignored, each with the fields in which it would allow more; null if there are none. */
export function ignoredLayers(layers: PolicyLayers | undefined): string | null {
  return text(layers?.ignored)
}

function text(layers: PolicyLayers['in_force'] = []): string | null {
  return layers.length === 0 ? null : layers.map(({ name, changes }) => `${name} (${changes.join(', ')})`).join(', ')
}
