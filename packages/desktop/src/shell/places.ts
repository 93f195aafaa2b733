// The pages of the window other than conversations.
export const placeNames = [
  'todos',
  'runs',
  'recovery',
  'agents',
  'memory',
  'mcp',
  'skills',
  'devices',
  'files',
  'tasks',
  'settings',
  'diagnostics',
] as const
export type PlaceName = (typeof placeNames)[number]
