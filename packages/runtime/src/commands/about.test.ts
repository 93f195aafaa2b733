import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { warningsFor } from '@tandem/contract/status'
import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { openRuntime, startRuntime } from '../runtime.ts'
import type { SandboxReport } from '../sandbox/command/self-test.ts'
import { aboutRuntime } from './about.ts'

const report: SandboxReport = { state: 'enforced', backend: 'bubblewrap', checks: [], detail: '', remedy: '' }

async function logged(selfTest: () => Promise<SandboxReport>): Promise<string[]> {
  const lines: string[] = []
  await aboutRuntime({
    clock: systemClock,
    sandbox: { selfTest },
    model: () => null,
    parked: () => [],
    executors: () => [],
    states: () => [],
    log: (line) => lines.push(line),
  }).testSandbox()
  return lines
}

test('at startup the failed checks of the sandbox are logged, and nothing if all pass', async () => {
  expect(await logged(async () => report)).toEqual([])
  const checks = [{ name: 'sysctl', held: false, detail: 'Not blocked: writing kernel settings of the machine' }] as const
  expect(await logged(async () => ({ ...report, state: 'failed', checks, remedy: 'Do this.' }))).toEqual([
    'commands cannot be restricted on this machine: its sandbox failed the self-test (Not blocked: writing kernel settings of the machine). Do this.',
  ])
  expect(await logged(async () => ({ ...report, state: 'absent', detail: 'bwrap is not installed', remedy: 'Install it.' }))).toEqual([
    'commands cannot be restricted on this machine: bwrap is not installed. Install it.',
  ])
  expect(await logged(() => Promise.reject(new Error('the disk is full')))).toEqual([
    'the sandbox could not be tested: Error: the disk is full',
  ])
})

test('a served runtime tests its sandbox at startup, and its status warns about root', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-about-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [home, workspace, windowDir] = [join(folder, 'home'), join(folder, 'workspace'), join(folder, 'window')]
  for (const made of [workspace, windowDir]) mkdirSync(made)
  writeFileSync(join(windowDir, 'index.html'), '<!doctype html>')
  const log = () => undefined
  const runtime = openRuntime({ home, workspace, environment: process.env, log })
  const window = await startRuntime({ windowDir, runtime, log })
  try {
    // The result is stored; no command was called that would have run the test.
    await vi.waitFor(() => expect(existsSync(join(home, 'sandbox.json'))).toBe(true), { timeout: 60_000 })
    const status = await runtime.commands.call('runtime_status', {})
    expect(status).toMatchObject({ ok: true, value: { warnings: warningsFor(process.getuid?.() ?? null) } })
  } finally {
    await window.stop()
    await runtime.stop()
  }
})
