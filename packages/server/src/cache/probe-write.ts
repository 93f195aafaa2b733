// Tests whether the cache accepts writes: a replica, a full cache and a user without write permission all answer a plain PING.
import type { Commands } from './connect.ts'
import type { KeyNames } from './keys.ts'

const keepMs = 10_000
const probes = Array.from({ length: 64 }, (_, index) => `probe:${index}`)

/** In a Cluster a random one of many keys, so that every node is tested before long. */
export async function writeProbe(commands: Pick<Commands, 'set'>, names: KeyNames): Promise<void> {
  await write(commands, names, probes[Math.floor(Math.random() * probes.length)] ?? '')
}

/** Every key: a node of a Cluster accepts the keys of its own slots, so one key alone does not show that it is part of a Cluster. */
export async function writeEveryProbe(commands: Pick<Commands, 'set'>, names: KeyNames): Promise<void> {
  await Promise.all(probes.map((probe) => write(commands, names, probe)))
}

async function write(commands: Pick<Commands, 'set'>, names: KeyNames, probe: string): Promise<void> {
  await commands.set(names.key(probe), '1', 'PX', keepMs)
}

export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && /^READONLY\b/.test(error.message)
}
