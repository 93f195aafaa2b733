import { mkdirSync, writeFileSync } from 'node:fs'
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
