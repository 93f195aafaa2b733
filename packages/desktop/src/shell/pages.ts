// The pages of the window other than conversations.
export const pageNames = [
  'pending',
  'todos',
  'runs',
  'teams',
  'workflows',
  'recovery',
  'agents',
  'memory',
  'knowledge',
  'mcp',
  'skills',
  'devices',
  'files',
  'tasks',
  'settings',
  'diagnostics',
] as const
export type PageName = (typeof pageNames)[number]
