// What the runtime tells its window about itself and about the backend beside it.
export type { BackendSight, HostStatus, SeenHealth } from './schema.ts'

export const sides = ['both', 'desktop', 'cloud'] as const
export type Side = (typeof sides)[number]

/** Why the backend could not be asked. */
export const sightFailures = ['unreachable', 'timeout', 'unexpected_answer'] as const
export type SightFailure = (typeof sightFailures)[number]
