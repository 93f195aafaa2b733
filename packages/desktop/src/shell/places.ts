// The places of the window beside its conversations. The map stands apart and has pages of its own.
export const placeNames = [
  'todos',
  'runs',
  'recovery',
  'agents',
  'mcp',
  'skills',
  'devices',
  'files',
  'tasks',
  'settings',
  'diagnostics',
  'map',
] as const
export type PlaceName = (typeof placeNames)[number]
