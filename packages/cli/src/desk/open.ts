// Attaches to the running runtime, or starts one.

import { warnAboutUser } from '../terminal/user-warning.ts'
import type { Desk } from './desk.ts'
import { homeFolder } from './home.ts'
import { readRuntimeFile } from './runtime-file.ts'

/** Exit code 1 with the reason if neither is possible. */
export async function withDesk(workspace: string, work: (desk: Desk) => Promise<number>): Promise<number> {
  warnAboutUser()
  const desk = await openDesk(workspace)
  if (!desk) {
    console.error(
      `tandem: ${homeFolder()} is in use by another tandem command. Wait for it to finish, or run tandem start, so that commands share one runtime.`,
    )
    return 1
  }
  // The runtime's timers do not keep the process alive; while a command waits for it, the process must stay.
  const alive = setInterval(() => undefined, 60_000)
  try {
    return await work(desk)
  } finally {
    await desk.close()
    clearInterval(alive)
  }
}

async function openDesk(workspace: string): Promise<Desk | null> {
  const home = homeFolder()
  return (await attached(home)) ?? (await (await import('./own.ts')).openOwn(home, workspace)) ?? (await attached(home))
}

async function attached(home: string): Promise<Desk | null> {
  const file = readRuntimeFile(home)
  return file && (await (await import('./attached.ts')).attach(file))
}
