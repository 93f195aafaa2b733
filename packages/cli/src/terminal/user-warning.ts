import { warningsFor } from '@tandem/contract/status'
import { columnsOf } from './style.ts'
import { wrapped } from './wrapped-text.ts'

/** Printed by every command that works with a runtime, because a warning that is shown once is forgotten. */
export function warnAboutUser(): void {
  for (const { message, remedy } of warningsFor(process.getuid?.() ?? null)) {
    const text = `tandem: warning: ${message} ${remedy}`
    console.error(process.stderr.isTTY ? wrapped(text, columnsOf(process.stderr)) : text)
  }
}
