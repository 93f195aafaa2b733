// The crash points around a delivery. Tests kill the process there; in the product they do nothing.
import { type LifecycleEventName, lifecycleEventNames } from '@tandem/contract/command'
import { reachCrashpoint } from '../../store/crash-hook.ts'

const moments = ['committed', 'delivering', 'heard'] as const

export const crashpoints = lifecycleEventNames.flatMap((event) => moments.map((moment) => `${event}:${moment}` as const))

export function crashPoint(event: LifecycleEventName, moment: (typeof moments)[number]): void {
  reachCrashpoint(`${event}:${moment}`)
}
