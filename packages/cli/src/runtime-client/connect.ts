// Attaches to the running runtime, or starts one.

import { warnAboutUser } from '../terminal/user-warning.ts'
import { homeFolder } from './home.ts'
import type { RuntimeClient } from './runtime-client.ts'
import { readRuntimeFile } from './runtime-file.ts'

/** `errand`: the runtime of one command. `resident`: of a session, which also retries and continues by itself. */
export type RuntimeLife = 'errand' | 'resident'

/** Exit code 1 with the reason if neither is possible. */
export async function withRuntimeClient(
  workspace: string,
  work: (client: RuntimeClient) => Promise<number>,
  life: RuntimeLife = 'errand',
): Promise<number> {
  warnAboutUser()
  const client = await openClient(workspace, life)
  if (!client) {
    console.error(
      `tandem: ${homeFolder()} is in use by another tandem command. Wait for it to finish. To run several commands at once, run tandem start first.`,
    )
    return 1
  }
  // The runtime's timers do not keep the process alive; while a command waits for it, the process must stay.
  const alive = setInterval(() => undefined, 60_000)
  try {
    return await work(client)
  } finally {
    await client.close()
    clearInterval(alive)
  }
}

async function openClient(workspace: string, life: RuntimeLife): Promise<RuntimeClient | null> {
  const home = homeFolder()
  const embedded = async () => await (await import('./embedded.ts')).openEmbeddedRuntime(home, workspace, life)
  return (await attached(home)) ?? (await embedded()) ?? (await attached(home))
}

async function attached(home: string): Promise<RuntimeClient | null> {
  const file = readRuntimeFile(home)
  return file && (await (await import('./attached.ts')).attachToRuntime(file))
}
