// How a refused command is shown in a terminal.
import type { CommandError } from '@tandem/contract/command'
import { plain } from './plain.ts'

export function sayRefusal({ code, message, remedy, failure_contract }: CommandError): void {
  console.error(`tandem: ${plain(message)} (${code})`)
  console.error(`        ${plain(failure_contract?.details.remedy ?? remedy)}`)
}
