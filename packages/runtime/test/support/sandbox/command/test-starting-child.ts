// A separate runtime that is killed while the sandbox is starting a command: its `bwrap` waits until then. Sends the pids of the runtime's
// other processes when it waits. usage: fork(test-starting-child.ts, [BACKEND])
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../../../src/clock/clock.ts'
import { bubblewrapBackend } from '../../../../src/sandbox/command/bubblewrap-backend.ts'
import { chooseBackend } from '../../../../src/sandbox/command/choose-backend.ts'
import { processes } from '../../../../src/sandbox/command/process-tree.ts'
import { openCommandSandbox } from '../../../../src/sandbox/command/sandbox.ts'
import { createCommandTestEnvironment, runText } from './test-command-scope.ts'

const ground = createCommandTestEnvironment()
const programs = join(ground.root, 'bin')
const [isDelayed, hasStarted] = [join(ground.root, 'delayed'), join(ground.root, 'started')]
mkdirSync(programs)
writeFileSync(
  join(programs, 'bwrap'),
  `#!/usr/bin/env bash
PATH='${process.env.PATH}'
if [[ -e '${isDelayed}' ]]; then
  touch '${hasStarted}'
  while kill -0 ${process.pid} 2>/dev/null; do sleep 0.02; done
fi
exec bwrap "$@"
`,
)
chmodSync(join(programs, 'bwrap'), 0o755)
process.env.PATH = `${programs}:${process.env.PATH}`

const choose = process.argv[2] === 'bubblewrap' ? async () => ({ backend: bubblewrapBackend(), missing: '' }) : chooseBackend
const sandbox = openCommandSandbox({ clock: systemClock, home: ground.home, temp: ground.root, choose })
const runner = sandbox.runner(ground.scope())
await runText(runner, 'echo first > first.txt', ground.workspace)
writeFileSync(isDelayed, '')
const others = processes().flatMap(({ pid, ppid }) => (ppid === process.pid ? [pid] : []))
void runText(runner, 'echo second > second.txt', ground.workspace)
while (!existsSync(hasStarted)) await sleep(20)
process.send?.({ root: ground.root, workspace: ground.workspace, others })
