import { warningsFor } from '@tandem/contract/status'

/** Said by every command that works with a runtime: a warning that was seen once is forgotten. */
export function warnAboutUser(): void {
  for (const { message, remedy } of warningsFor(process.getuid?.() ?? null)) console.error(`tandem: warning: ${message} ${remedy}`)
}
