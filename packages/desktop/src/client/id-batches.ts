import { limits } from '@tandem/contract/limits'

/** Conversations in groups that one command can name. */
export function idBatches(ids: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / limits.conversations_at_once) }, (_, at) =>
    ids.slice(at * limits.conversations_at_once, (at + 1) * limits.conversations_at_once),
  )
}
