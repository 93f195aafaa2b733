// Run as a separate process: swaps a folder and a file for links to the outside and back, as fast as it can, until it is killed.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'

const [workspace, outside] = process.argv.slice(2)
process.chdir(workspace ?? '')
mkdirSync('folder', { recursive: true })
writeFileSync('folder/file', 'inside')
symlinkSync(outside ?? '', 'folder-link')
writeFileSync('plain', 'inside')
process.send?.('ready')
for (;;) {
  renameSync('folder', 'folder-kept')
  swap('folder-link', 'folder')
  renameSync('folder', 'folder-link')
  swap('folder-kept', 'folder')
  symlinkSync(`${outside}/file`, 'next')
  renameSync('next', 'plain')
  writeFileSync('next', 'inside')
  renameSync('next', 'plain')
}

/** A folder that was created in between is deleted. */
function swap(from: string, to: string): void {
  for (;;) {
    try {
      renameSync(from, to)
      return
    } catch {
      rmSync(to, { recursive: true, force: true })
    }
  }
}
