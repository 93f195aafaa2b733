// A separate runtime that starts a command and is killed during it. Prints which processes there are.
import { systemClock } from '../../../../src/clock/clock.ts'
import { openCommandSandbox } from '../../../../src/sandbox/command/sandbox.ts'
import { createCommandTestEnvironment } from './test-command-scope.ts'

const ground = createCommandTestEnvironment()
const sandbox = openCommandSandbox({ clock: systemClock, home: ground.home, temp: ground.root })
const command = await sandbox.runner(ground.scope({ sandbox_mode: 'trusted' })).start(
  {
    argv: ['bash', '-c', 'sleep 600 & setsid env sleep 600 & echo ready; wait'],
    cwd: ground.workspace,
    stdin: '',
    onOutput() {
      const tell = () => {
        const pids = command.pids()
        if (pids.length < 3) setImmediate(tell)
        else process.send?.({ root: ground.root, pids })
      }
      setImmediate(tell)
    },
  },
  new AbortController().signal,
)
await command.done
