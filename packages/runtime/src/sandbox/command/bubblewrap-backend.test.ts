import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCommandTestEnvironment, runText } from '../../../test/support/sandbox/command/test-command-scope.ts'
import { systemClock } from '../../clock/clock.ts'
import { protectedPathNames } from '../../policy/executed-files.ts'
import { bubblewrapBackend } from './bubblewrap-backend.ts'
import { openCommandSandbox } from './sandbox.ts'

test("Tandem's own folder in the workspace is hidden, although commands may read other folders of that name", async () => {
  const ground = createCommandTestEnvironment()
  const home = join(ground.workspace, '.tandem')
  mkdirSync(home)
  mkdirSync(join(ground.workspace, '.vscode'))
  writeFileSync(join(home, 'runtime.db'), 'secret')
  writeFileSync(join(ground.workspace, '.vscode', 'tasks.json'), '{}')
  const sandbox = openCommandSandbox({
    clock: systemClock,
    home,
    temp: join(ground.root, 'self-test'),
    frozen: protectedPathNames,
    choose: async () => ({ backend: bubblewrapBackend(), missing: '' }),
  })
  onTestFinished(async () => {
    await sandbox.stop()
    ground.remove()
  })
  const said = await runText(
    sandbox.runner({ ...ground.scope(), home }),
    'cat .tandem/runtime.db 2>/dev/null; cat .vscode/tasks.json; echo evil > .vscode/tasks.json; cat .vscode/tasks.json',
    ground.workspace,
  )
  expect(said.stdout).toBe('{}{}')
})

test.each([
  ['bubblewrap', { choose: async () => ({ backend: bubblewrapBackend(), missing: '' }) }],
  ['the usual backend', {}],
])('a folder that a call may read is visible and read-only, wherever it is: %s', async (_name, chosen) => {
  const ground = createCommandTestEnvironment()
  const home = join(ground.workspace, '.tandem')
  const [open, closed] = [join(home, 'skill-copies/a/pdf'), join(home, 'skill-copies/b/pdf')]
  for (const folder of [open, closed]) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'script.sh'), `echo ran ${folder.at(-5)}`)
  }
  writeFileSync(join(home, 'runtime.db'), 'secret')
  const sandbox = openCommandSandbox({
    clock: systemClock,
    home,
    temp: join(ground.root, 'self-test'),
    frozen: protectedPathNames,
    ...chosen,
  })
  onTestFinished(async () => {
    await sandbox.stop()
    ground.remove()
  })
  const probe = [
    `bash ${open}/script.sh`,
    `(echo evil > ${open}/script.sh; echo evil > ${open}/new; rm -rf ${open}; mv ${open} ${open}-2; cat .tandem/runtime.db ${closed}/script.sh) 2>/dev/null`,
    `ls ${open}`,
    'touch made && rm made && echo writable',
  ].join('\n')
  const run = (readable: readonly string[]) => runText(sandbox.runner({ ...ground.scope(), home, readable }), probe, ground.workspace)
  expect((await run([open])).stdout).toBe('ran a\nscript.sh\nwritable\n')
  expect((await run([])).stdout).toBe('writable\n')
})

test.each([
  ['bubblewrap', { choose: async () => ({ backend: bubblewrapBackend(), missing: '' }) }],
  ['the usual backend', {}],
])('a planted link with the name of a protected path shows nothing of its target: %s', async (_name, chosen) => {
  const ground = createCommandTestEnvironment()
  symlinkSync(ground.home, join(ground.workspace, '.vscode'))
  mkdirSync(join(ground.workspace, 'kept'))
  writeFileSync(join(ground.workspace, 'kept', 'tasks.json'), '{}')
  symlinkSync('kept', join(ground.workspace, '.idea'))
  const sandbox = openCommandSandbox({
    clock: systemClock,
    home: ground.home,
    temp: join(ground.root, 'self-test'),
    frozen: protectedPathNames,
    ...chosen,
  })
  onTestFinished(async () => {
    await sandbox.stop()
    ground.remove()
  })
  const said = await runText(
    sandbox.runner(ground.scope()),
    'ls .vscode/; cat .vscode/runtime.db 2>/dev/null; echo evil > kept/tasks.json; mv kept away; cat .idea/tasks.json',
    ground.workspace,
  )
  expect(said.stdout).toBe('{}')
})
