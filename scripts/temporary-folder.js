// Each test run has its own folder for temporary files, deleted at its end. A process that a test kills cannot delete its own.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export default function setup() {
  // A short name: the path of a socket is limited to about a hundred characters, and some tests have one in a deep folder.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 't-'))
  // The same permissions as the folder it replaces: some tests start programs as another user.
  if (process.platform !== 'win32') chmodSync(folder, 0o1777)
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  // What Node compiled in one process, the others of the run load: most of the time of a short process is spent on compiling.
  process.env.NODE_COMPILE_CACHE = join(folder, 'node-compile-cache')
  // Not in a teardown: those of other files run later, and stop what uses the folder.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
}
