// The places of the window beside its conversations.
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
] as const
export type PlaceName = (typeof placeNames)[number]
