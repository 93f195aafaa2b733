// The places of the sidebar, and the pages of each. An address leads to its page as before; the place only says where it belongs.
import type { PageName } from './pages.ts'

export const placeNames = ['chat', 'runs', 'agents', 'tools', 'knowing', 'workflows', 'devices', 'settings'] as const
export type PlaceName = (typeof placeNames)[number]

/** The first page of a place is the one that it opens. The pages of the chat are its conversations. */
export const placePages: Readonly<Record<Exclude<PlaceName, 'chat'>, readonly [PageName, ...PageName[]]>> = {
  runs: ['runs', 'teams', 'todos', 'tasks', 'recovery'],
  agents: ['agents'],
  tools: ['mcp', 'skills'],
  knowing: ['memory', 'knowledge'],
  workflows: ['workflows'],
  devices: ['devices', 'files'],
  settings: ['settings', 'diagnostics'],
}

/** Where an address belongs; null for one that no place has. */
export function placeOf(path: string): PlaceName | null {
  const [, first = ''] = path.split('/')
  if (first === '' || first === 'c') return 'chat'
  return placeNames.find((name) => name !== 'chat' && placePages[name].some((page) => page === first)) ?? null
}

export function placeAddress(name: PlaceName): string {
  return name === 'chat' ? '/' : `/${placePages[name][0]}`
}
