import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createCommandTestEnvironment, runText } from '../../../test/support/sandbox/command/test-command-scope.ts'
import { systemClock } from '../../clock/clock.ts'
import { callMark } from './environment.ts'
import { processes, startTimeOf } from './process-tree.ts'
import { openCommandSandbox } from './sandbox.ts'

test('a command without a sandbox ends with the runtime, even if the runtime is killed', async () => {
  const child = fork(fileURLToPath(new URL('../../../test/support/sandbox/command/test-orphan-child.ts', import.meta.url)), {
    stdio: 'ignore',
  })
  const [{ root, pids }] = (await once(child, 'message')) as [{ root: string; pids: number[] }]
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  expect(pids.map(startTimeOf)).not.toContain(null)
  child.kill('SIGKILL')
  await vi.waitFor(() => expect(pids.map(startTimeOf)).toEqual(pids.map(() => null)), { timeout: 60_000 })
})

test.each(['sandbox-runtime', 'bubblewrap'])('a command that %s was starting when the runtime was killed never runs', async (backend) => {
  const program = fileURLToPath(new URL('../../../test/support/sandbox/command/test-starting-child.ts', import.meta.url))
  const child = fork(program, [backend], { stdio: 'ignore' })
  const [{ root, workspace, others }] = (await once(child, 'message')) as [{ root: string; workspace: string; others: number[] }]
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  // Not even the process that ends commands is left.
  for (const pid of others) process.kill(pid, 'SIGKILL')
  child.kill('SIGKILL')
  const isStarting = () => processes().some(({ pid }) => commandLine(pid).includes(`${root}/`))
  await vi.waitFor(() => expect(isStarting()).toBe(false), { timeout: 60_000 })
  expect(readdirSync(workspace)).toEqual(['first.txt'])
})

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

test('commands of a killed runtime are ended before the next runtime opens, and no others', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tandem-orphans-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const stray = (mark: string) => {
    const { pid = 0 } = spawn('sleep', ['600'], { env: { PATH: process.env.PATH, [callMark]: mark }, stdio: 'ignore', detached: true })
    onTestFinished(() => void (startTimeOf(pid) !== null && process.kill(pid, 'SIGKILL')))
    return pid
  }
  const gone = { pid: process.pid, started: 'before' }
  const here = { pid: process.pid, started: startTimeOf(process.pid) }
  const [left, cut, unmarked, reused, ours] = [stray('left'), stray('cut'), stray('x'), stray('y'), stray('ours')]
  mkdirSync(join(home, 'running'))
  const records = {
    left: { owner: gone, first: null },
    unmarked: { owner: gone, first: { pid: unmarked, started: startTimeOf(unmarked) } },
    reused: { owner: gone, first: { pid: reused, started: 'before' } },
    ours: { owner: here, first: { pid: ours, started: startTimeOf(ours) } },
  }
  for (const [mark, record] of Object.entries(records)) writeFileSync(join(home, 'running', mark), JSON.stringify(record))
  writeFileSync(join(home, 'running', 'cut'), '{"own')
  await openCommandSandbox({ clock: systemClock, home, temp: home }).stop()
  expect([left, cut, unmarked, reused, ours].map((pid) => startTimeOf(pid) !== null)).toEqual([false, false, false, true, true])
  expect(readdirSync(join(home, 'running'))).toEqual(['ours'])
})

test('the record of an ended command is removed', async () => {
  const ground = createCommandTestEnvironment()
  onTestFinished(() => ground.remove())
  const sandbox = openCommandSandbox({ clock: systemClock, home: ground.home, temp: ground.root })
  const said = await runText(sandbox.runner(ground.scope({ sandbox_mode: 'trusted' })), 'echo hi', ground.workspace)
  expect(said.stdout).toBe('hi\n')
  await vi.waitFor(() => expect(readdirSync(join(ground.home, 'running'))).toEqual([]), { timeout: 60_000 })
  await sandbox.stop()
  expect(existsSync(join(ground.home, 'running'))).toBe(true)
})
