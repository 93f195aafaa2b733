// `runtime.json`: how programs of the same user find this runtime. Only its owner can read it.
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RuntimeFile, runtimeFileName } from '@tandem/contract/command'

/** Returns a function that removes the file, unless another runtime has replaced it. */
export function writeRuntimeFile(home: string, content: RuntimeFile): () => void {
  const file = join(home, runtimeFileName)
  const arriving = `${file}.${content.pid}.part`
  rmSync(arriving, { force: true })
  // `wx` does not follow a link that another program placed there.
  writeFileSync(arriving, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' })
  chmodSync(arriving, 0o600)
  renameSync(arriving, file)
  return () => {
    if (tokenIn(file) === content.token) rmSync(file, { force: true })
  }
}

function tokenIn(file: string): string | null {
  try {
    const { token } = JSON.parse(readFileSync(file, 'utf8')) as { token?: unknown }
    return typeof token === 'string' ? token : null
  } catch {
    // Missing or not ours: there is nothing to remove.
    return null
  }
}
