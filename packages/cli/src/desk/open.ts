// Finds the runtime that is running, or opens one.

import { warnAboutUser } from '../terminal/user-warning.ts'
import type { Desk } from './desk.ts'
import { homeFolder } from './home.ts'
import { readRuntimeFile } from './runtime-file.ts'

/** Exit code 1 with the reason when there is none to be had. */
export async function withDesk(workspace: string, work: (desk: Desk) => Promise<number>): Promise<number> {
  warnAboutUser()
  const desk = await openDesk(workspace)
  if (!desk) {
    console.error(
      `tandem: ${homeFolder()} is in use by another tandem command. Wait for it to finish, or run tandem start, so that commands share one runtime.`,
    )
    return 1
  }
  // The runtime's own timers keep no process alive; while someone waits for it, it must stay.
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
