import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type CommandTestEnvironment,
  createCommandTestEnvironment,
  runText,
} from '../../../test/support/sandbox/command/test-command-scope.ts'
import { systemClock } from '../../clock/clock.ts'
import { chooseBackend } from './choose-backend.ts'
import { type CommandSandbox, openCommandSandbox } from './sandbox.ts'

const path = process.env.PATH
let ground: CommandTestEnvironment
let sandbox: CommandSandbox

beforeEach(() => {
  ground = createCommandTestEnvironment()
  sandbox = openCommandSandbox({ clock: systemClock, home: ground.home, temp: join(ground.root, 'self-test') })
})
afterEach(async () => {
  process.env.PATH = path
  await sandbox.stop()
  ground.remove()
})

/** A machine on which only these programs are installed. */
function machineWith(...programs: string[]): void {
  const folder = join(ground.root, 'bin')
  mkdirSync(folder)
  for (const program of programs) symlinkSync(join('/usr/bin', program), join(folder, program))
  process.env.PATH = folder
}

test('without bubblewrap, commands run unrestricted and are reported as such, and strict mode refuses them', async () => {
  machineWith('bash', 'touch')
  const runner = sandbox.runner(ground.scope())
  expect(runner.enforcement).toBe('none')
  const said = await runText(runner, 'echo ran', ground.workspace)
  expect({ stdout: said.stdout, violations: said.exit.violations }).toEqual({
    stdout: 'ran\n',
    violations: [{ attempted: 'execute', resource: 'bash -c echo ran', blocked: false }],
  })
  expect(await sandbox.selfTest()).toEqual({
    state: 'absent',
    backend: null,
    checks: [],
    detail: 'bwrap is not installed',
    remedy: expect.stringContaining('apt-get install bubblewrap socat ripgrep'),
  })
  await expect(runText(sandbox.runner(ground.scope({ sandbox_mode: 'strict' })), 'echo never', ground.workspace)).rejects.toMatchObject({
    name: 'Refused',
    reason_code: 'sandbox_unavailable',
    facts: { blocked_by: 'sandbox', attempted: 'execute', remedy: expect.stringContaining('bubblewrap') },
  })
})

test('without the proxy, plain bubblewrap is used, and the reason is reported', async () => {
  machineWith('bash', 'bwrap')
  const { backend, missing } = await chooseBackend()
  expect({ name: backend?.name, missing }).toEqual({ name: 'bubblewrap', missing: expect.stringContaining('socat') })
})

test('a bubblewrap that does not work is detected before it is used', async () => {
  machineWith('bash')
  symlinkSync('/usr/bin/false', join(ground.root, 'bin', 'bwrap'))
  const runner = sandbox.runner(ground.scope())
  expect(runner.enforcement).toBe('os')
  await expect(runText(runner, 'echo never', ground.workspace)).rejects.toMatchObject({ reason_code: 'sandbox_unavailable' })
  // From now on it is known, and reported before the next command is approved.
  expect(sandbox.runner(ground.scope()).enforcement).toBe('none')
  expect((await sandbox.selfTest()).state).toBe('failed')
})
