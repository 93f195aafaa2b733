// What the actions share.
import type { CommandError } from '@tandem/contract/command'
import { idProblem } from '../terminal/options.ts'

/** The next step for an item that was not found. */
export function stepFor({ message }: CommandError): string | undefined {
  if (message.includes('no recommendation')) return 'List the recommendations and their ids with tandem evolution list.'
  return message.includes('no gap') ? 'List the gaps and their ids with tandem evolution gaps.' : undefined
}

/** What is wrong with the words after an action; null if they are one id. */
export function oneIdProblem(noun: string, given: readonly string[]): string | null {
  const [id, ...more] = given
  return id === undefined || more.length > 0 ? `specify one ${noun}` : idProblem('ID', id)
}
