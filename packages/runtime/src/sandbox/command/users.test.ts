// The sandbox restricts root and an ordinary user, by different means: the same attempts are made as both. Root can become an ordinary user
// for the test; an ordinary user cannot become root, so only one of the two is tested there.
import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'

const probe = fileURLToPath(new URL('../../../test/support/sandbox/command/test-user-probe.ts', import.meta.url))
const own = process.getuid?.() ?? 0

/** No account has this uid: all processes with it were started here. */
const ordinary = 61_417

test.each(own === 0 ? [0, ordinary] : [own])(
  'as user %i: nothing can be planted, read or reached, and git works, with each backend',
  async (uid) => {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-user-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    if (uid !== own) chownSync(folder, uid, uid)
    const closed = uid === own ? [] : [folder, probe, process.execPath].flatMap(closedFolders)
    expect(closed, 'another user must be able to enter these folders, where the test, its files and Node are').toEqual([])
    const { code, stdout, stderr } = await run(uid, folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const held = { broken: [], uid, works: 'one', planted: [], secret: '', reached: '', ipc: 'own', settings: '' }
    expect(JSON.parse(stdout)).toEqual([
      { state: 'enforced', backend: 'sandbox-runtime', ...held },
      { state: 'enforced', backend: 'bubblewrap', ...held },
    ])
    if (uid !== own) await vi.waitFor(() => expect(processesOf(uid)).toEqual([]), { timeout: 60_000 })
  },
  120_000,
)

function run(uid: number, folder: string): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const become = uid === own ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
  const [program = process.execPath, ...args] = [...become, process.execPath, probe]
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' }
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const out = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text: string) => (out[name] += text))
  return new Promise((resolve, reject) => child.once('error', reject).once('close', (code) => resolve({ code, ...out })))
}

/** The parent folders that other users may not enter. */
function closedFolders(path: string): string[] {
  const above = dirname(path)
  if (above === path) return []
  return [...closedFolders(above), ...((statSync(above).mode & 0o1) === 0 ? [above] : [])]
}

function processesOf(uid: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return new RegExp(`^Uid:\\s+${uid}\\b`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8'))
      } catch {
        // It exited in the meantime.
        return false
      }
    })
}
