// The pages of the map by name and address.

export const pageNames = ['overview', 'states', 'tools', 'commands', 'events', 'endpoints', 'sync', 'cards'] as const
export type PageName = (typeof pageNames)[number]

export function pathOf(name: PageName): string {
  return name === 'overview' ? '/map' : `/map/${name}`
}
