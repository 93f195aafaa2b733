// Small files that must survive the end of the process and of the machine, and are never partially written.
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { platform } from 'node:os'
import { dirname } from 'node:path'

/** For its owner alone. */
export function writeDurably(file: string, text: string): void {
  const arriving = `${file}.part`
  const handle = openSync(arriving, 'w', 0o600)
  try {
    chmodSync(arriving, 0o600)
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(arriving, file)
  syncFolder(dirname(file))
}

/** Without it, a power failure could undo the renaming. */
function syncFolder(folder: string): void {
  if (platform() === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
