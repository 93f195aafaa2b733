import { warningsFor } from '@tandem/contract/status'

/** Printed by every command that works with a runtime, because a warning that is shown once is forgotten. */
export function warnAboutUser(): void {
  for (const { message, remedy } of warningsFor(process.getuid?.() ?? null)) console.error(`tandem: warning: ${message} ${remedy}`)
}
