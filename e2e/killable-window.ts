// `tandem start` in a process of its own, which a test kills as a crash would.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))

/** `tandem start` without a backend, in a process that can be killed. */
export async function startProcess(folder: string, model_url: string): Promise<{ readonly url: string; kill(): Promise<void> }> {
  const { PATH, USER } = process.env
  const places = { HOME: folder, TANDEM_HOME: join(folder, 'home'), TMPDIR: tmpdir() }
  const child = spawn(process.execPath, [bin, 'start', '--no-window'], {
    cwd: join(folder, 'workspace'),
    env: { PATH, USER, ...places, ENV: 'production', TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: model_url, TANDEM_MODEL: 'scripted' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const found = /open at\s+(http:\S+)/.exec(said)?.[1]
        if (found !== undefined && said.includes('Press Ctrl-C to stop Tandem.')) resolve(found)
      })
    }
    child.on('close', () => reject(new Error(said)))
  })
  return {
    url,
    async kill() {
      if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    },
  }
}
