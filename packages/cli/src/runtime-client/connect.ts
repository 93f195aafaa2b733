// Attaches to the running runtime, or starts one.
import { setTimeout as sleep } from 'node:timers/promises'
import { warnAboutUser } from '../terminal/user-warning.ts'
import { homeFolder } from './home.ts'
import { reconnectingClient } from './reconnecting.ts'
import type { RuntimeClient } from './runtime-client.ts'
import { readRuntimeFile } from './runtime-file.ts'

/** `errand`: the runtime of one command. `resident`: of a session, which also retries and continues by itself. */
export type RuntimeLife = 'errand' | 'resident'

/** How long a command waits for another one that uses the folder: it ends soon, or can be attached to in a moment. */
const patience_ms = 10_000
const look_ms = 100

/** Exit code 1 with the reason if neither is possible. */
export async function withRuntimeClient(
  workspace: string,
  work: (client: RuntimeClient) => Promise<number>,
  life: RuntimeLife = 'errand',
): Promise<number> {
  warnAboutUser()
  const client = await reconnectingClient(() => openClient(workspace, life))
  if (!client) {
    console.error(
      `tandem: ${homeFolder()} is in use by another tandem command, which does not respond. Wait for it to finish, then try again.`,
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
  for (const until = performance.now() + patience_ms; ; ) {
    const client = (await attached(home)) ?? (await (await import('./embedded.ts')).openEmbeddedRuntime(home, workspace, life))
    if (client || performance.now() >= until) return client
    await sleep(look_ms)
  }
}

async function attached(home: string): Promise<RuntimeClient | null> {
  const file = readRuntimeFile(home)
  return file && (await (await import('./attached.ts')).attachToRuntime(file))
}
