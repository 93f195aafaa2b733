// The places of the window beside its conversations. The map stands apart and has pages of its own.
export const placeNames = ['todos', 'runs', 'agents', 'devices', 'files', 'tasks', 'settings', 'diagnostics', 'map'] as const
export type PlaceName = (typeof placeNames)[number]
