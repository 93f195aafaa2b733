// What the runtime reports to its window about itself.
export type { HostStatus } from './schema.ts'

export const runtimeWarningCodes = ['running_as_root'] as const

/** A problem with how a runtime was started, shown for as long as it runs. */
export interface RuntimeWarning {
  readonly code: (typeof runtimeWarningCodes)[number]
  readonly message: string
  readonly remedy: string
}

/** From the uid it runs as; null on systems without one. */
export function warningsFor(uid: number | null): RuntimeWarning[] {
  if (uid !== 0) return []
  return [
    {
      code: 'running_as_root',
      message: 'Tandem is running as root. What escapes its sandbox, or runs in trusted mode, controls the whole machine.',
      remedy: 'Stop Tandem and start it as an ordinary user.',
    },
  ]
}
