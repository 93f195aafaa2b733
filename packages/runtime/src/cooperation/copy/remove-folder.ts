import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes a folder with everything in it, also below folders that are closed to their owner. Links are removed, never followed. */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM'))) throw error
    openFolders(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

function openFolders(folder: string): void {
  const facts = lstatSync(folder, { throwIfNoEntry: false })
  if (!facts?.isDirectory()) return
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) openFolders(join(folder, entry.name))
}
