// Asks the cache to write: a replica, a full cache and a user without the right to write all answer a plain PING.
import type { Commands } from './connect.ts'
import type { KeyNames } from './keys.ts'

const keepMs = 10_000

/** In a Cluster a random one of many keys, so that every node is asked before long. */
export async function writeProbe(commands: Pick<Commands, 'set'>, names: KeyNames): Promise<void> {
  await commands.set(names.key(`probe:${Math.floor(Math.random() * 64)}`), '1', 'PX', keepMs)
}

export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && /^READONLY\b/.test(error.message)
}
