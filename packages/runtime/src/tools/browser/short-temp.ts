// Chromium opens a socket in its folder for temporary files, and the path of a socket is limited to about a hundred characters, which the path of
// a run exceeds.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const name = /^tandem-b(\d+)-/

/** A folder for this process; also removes the folders that dead processes left. */
export async function shortTemp(parent = tmpdir()): Promise<string> {
  for (const one of await readdir(parent)) {
    const pid = name.exec(one)?.[1]
    if (pid && !isAlive(Number(pid)) && (await isOurs(join(parent, one)))) await rm(join(parent, one), { recursive: true, force: true })
  }
  return await mkdtemp(join(parent, `tandem-b${process.pid}-`))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function isOurs(folder: string): Promise<boolean> {
  const facts = await stat(folder).catch(() => null)
  return facts !== null && facts.uid === process.getuid?.()
}
