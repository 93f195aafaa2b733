// `runtime.json`: how programs of the same person find this runtime. Its owner alone can read it.
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RuntimeFile, runtimeFileName } from '@tandem/contract/command'

/** The answer removes it again, unless another runtime has written its own meanwhile. */
export function writeRuntimeFile(home: string, content: RuntimeFile): () => void {
  const file = join(home, runtimeFileName)
  const arriving = `${file}.${content.pid}.part`
  rmSync(arriving, { force: true })
  // `wx` follows no link that lies in wait.
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
    // Gone or not ours: there is nothing of ours to remove.
    return null
  }
}
