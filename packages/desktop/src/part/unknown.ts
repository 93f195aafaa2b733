import type { CallError } from '../connection/channel.ts'

/** Whether what an address names does not exist. A name that cannot be an id is no reason to show the user a field of a command. */
export function isUnknown({ code }: Pick<CallError, 'code'>): boolean {
  return code === 'not_found' || code === 'invalid_params'
}
