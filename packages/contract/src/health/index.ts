export type { Health, HealthPart, Ready } from './schema.ts'

export const healthStates = ['ok', 'degraded'] as const
export type HealthState = (typeof healthStates)[number]

/** What the service depends on. */
export const healthParts = ['database', 'cache', 'storage', 'accounts', 'models', 'realtime'] as const
export type HealthPartName = (typeof healthParts)[number]

/** Without these no request can be answered: the service is not ready. Without the others, only some features fail. */
export const requiredParts = ['database'] as const satisfies readonly HealthPartName[]

interface PartState {
  readonly name: HealthPartName
  readonly status: 'ok' | 'failing'
}

export function healthOf(parts: readonly PartState[]): HealthState {
  return parts.every((part) => part.status === 'ok') ? 'ok' : 'degraded'
}

/** A required part that was not checked yet is not ready either. */
export function isReady(parts: readonly PartState[]): boolean {
  return requiredParts.every((name) => parts.some((part) => part.name === name && part.status === 'ok'))
}
