import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../clock/clock.ts'
import type { Backend } from './backend.ts'
import { bubblewrapArguments, bubblewrapBackend } from './bubblewrap-backend.ts'
import { describeFailure, runSelfTest } from './self-test.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-self-test-'))
  writeFileSync(join(folder, 'runtime.db'), 'secret')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const attempt = (backend: Backend) => runSelfTest({ backend, clock: systemClock, home: folder, temp: join(folder, '..') })
const held = (report: Awaited<ReturnType<typeof attempt>>) => Object.fromEntries(report.checks.map(({ name, held }) => [name, held]))

function weak(change: (words: string[]) => string[]): Backend {
  return {
    ...bubblewrapBackend(),
    wrap: async (job) => ({ argv: ['bwrap', ...change(bubblewrapArguments(job)), '--', ...job.argv], env: {}, release: () => undefined }),
  }
}

test('plain bubblewrap passes', async () => {
  const report = await attempt(bubblewrapBackend())
  expect({ ...report, checks: report.checks.filter((check) => !check.held) }).toEqual({
    state: 'enforced',
    backend: 'bubblewrap',
    checks: [],
    detail: '',
    remedy: '',
  })
  expect(report.checks.slice(0, 2).map(({ detail }) => detail)).toEqual([
    'Allowed: running a command that writes in its workspace',
    'Blocked: writing outside the workspace',
  ])
})

test('a machine on which the self-test takes half a minute still has a sandbox', async () => {
  const late: Clock = { ...systemClock, after: (ms, call) => systemClock.after(ms > 10_000 ? Math.max(0, ms - 30_000) : ms, call) }
  const report = await runSelfTest({ backend: bubblewrapBackend(), clock: late, home: folder, temp: join(folder, '..') })
  expect([report.state, report.checks.filter((check) => !check.held)]).toEqual(['enforced', []])
})

test('a wrapper that restricts little is detected, escape by escape', async () => {
  const report = await attempt(weak(() => ['--bind', '/', '/', '--dev-bind', '/dev', '/dev', '--die-with-parent']))
  expect(report.state).toBe('failed')
  expect(held(report)).toMatchObject({
    runs: true,
    write_outside: false,
    read_home: false,
    network: false,
    unix_socket: false,
    environment: false,
    ipc: false,
  })
  expect(report.remedy).toContain('bubblewrap')
  expect(describeFailure(report)).toMatch(/^its sandbox failed the self-test \(Not blocked: writing outside the workspace; /)
})

test('root with its capabilities can remount the disk writable', async () => {
  const report = await attempt(weak((words) => words.filter((word, at) => word !== '--cap-drop' && words[at - 1] !== '--cap-drop')))
  // Only root has these capabilities.
  expect(held(report).remount).toBe(process.getuid?.() !== 0)
})

test('without our additions root could write settings of the whole machine', async () => {
  const report = await attempt(weak((words) => words.filter((_, at) => ![at, at + 1, at - 1].some((one) => isKernelMount(words, one)))))
  // Other users cannot write them anywhere.
  expect(held(report)).toMatchObject({ sysctl: process.getuid?.() !== 0, ipc: true, remount: true })
})

test('a sandbox that shares the IPC namespace of the machine is detected', async () => {
  const apart = ['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-uts']
  const report = await attempt(weak((words) => words.flatMap((word) => (word === '--unshare-all' ? apart : [word]))))
  expect(report.state).toBe('failed')
  expect(held(report)).toMatchObject({ runs: true, ipc: false, write_outside: true })
})

test('a wrapper that does not start is not used', async () => {
  const report = await attempt(weak(() => ['--no-such-option']))
  expect(report.state).toBe('failed')
  expect(held(report).runs).toBe(false)
})

/** Whether the word is the source of a mount over a kernel file. */
function isKernelMount(words: readonly string[], at: number): boolean {
  return words[at - 1] === '--ro-bind' && words[at]?.startsWith('/proc/') === true && words[at + 1] === words[at]
}
