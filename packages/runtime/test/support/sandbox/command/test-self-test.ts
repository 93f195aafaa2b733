// The self-test of the sandbox passes once in a test run. Runtimes of other tests find its result, as a runtime does that starts again.
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const name = 'sandbox.json'
const kept = () => join(tmpdir(), `tandem-${name}`)

/** Before a runtime is opened in a new folder. The runtime checks whether the result is still valid. */
export function recallSelfTest(home: string): void {
  if (!existsSync(kept())) return
  mkdirSync(home, { recursive: true })
  copyFileSync(kept(), join(home, name))
}

/** After a runtime ended. */
export function keepSelfTest(home: string): void {
  if (existsSync(kept()) || !existsSync(join(home, name))) return
  const arriving = `${kept()}.${process.pid}`
  copyFileSync(join(home, name), arriving)
  renameSync(arriving, kept())
}
