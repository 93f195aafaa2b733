// What the sandbox adds to a command: ours with its scope, its limits and its record on disk, compared with bare bubblewrap that has the same
// mounts, and with the CLI of the sandbox library. The limit is the command without any sandbox.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { protectedPathNames } from '../packages/runtime/src/policy/executed-files.ts'
import { bubblewrapArguments } from '../packages/runtime/src/sandbox/command/bubblewrap-backend.ts'
import { fileAccessOf } from '../packages/runtime/src/sandbox/command/file-access.ts'
import { openCommandSandbox } from '../packages/runtime/src/sandbox/command/sandbox.ts'
import { createCommandTestEnvironment, runText } from '../packages/runtime/test/support/sandbox/command/test-command-scope.ts'
import { type Bench, type BenchRow, median } from './bench.ts'

const commands = 60
const shell = ['bash', '-c', 'true']
/** At most this much more than bare bubblewrap. */
const most_ms = 10

export const bench: Bench = {
  name: 'sandbox',
  summary: `true in a shell ${commands} times, in our sandbox, in bare bubblewrap with the same mounts, with srt, and without a sandbox`,
  async run(progress) {
    const ground = createCommandTestEnvironment()
    const sandbox = openCommandSandbox({
      ...{ clock: systemClock, home: ground.home, temp: join(ground.root, 'self-test') },
      frozen: protectedPathNames,
    })
    try {
      progress('self-test')
      await sandbox.selfTest()
      const scope = ground.scope()
      const runner = sandbox.runner(scope)
      const reach = fileAccessOf(scope, { argv: shell }, { environment: process.env, frozen: [] })
      const bare = ['bwrap', ...bubblewrapArguments({ reach, cwd: ground.workspace }), '--', ...shell]
      const library = join(import.meta.dirname, '../node_modules/.bin/srt')
      progress('commands')
      const times = { ours: [] as number[], bare: [] as number[], srt: [] as number[], none: [] as number[] }
      // Alternating, so that a slow moment of the machine affects all of them.
      for (let count = -5; count < commands; count += 1) {
        const took = {
          ours: await timed(() => runText(runner, 'true', ground.workspace)),
          bare: await timed(() => run(bare, ground.workspace)),
          srt: await timed(() => run([library, '-c', 'true'], ground.workspace)),
          none: await timed(() => run(shell, ground.workspace)),
        }
        if (count >= 0) for (const name of ['ours', 'bare', 'srt', 'none'] as const) times[name].push(took[name])
      }
      const [ours, bubblewrap] = [median(times.ours), median(times.bare)]
      const rows: BenchRow[] = [
        {
          ...{ metric: 'a command in the sandbox', unit: 'ms', better: 'lower', ours },
          ...{ peers: { bubblewrap, srt: median(times.srt) }, limit: median(times.none), target: null, met: null },
        },
        {
          ...{ metric: 'the same, more than bare bubblewrap', unit: 'ms', better: 'lower', ours: ours - bubblewrap },
          ...{
            peers: { srt: median(times.srt) - bubblewrap },
            limit: null,
            target: `at most ${most_ms} ms`,
            met: ours - bubblewrap <= most_ms,
          },
        },
      ]
      return rows
    } finally {
      await sandbox.stop()
      ground.remove()
    }
  },
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function run([program = '', ...args]: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text
    })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}: ${said}`))))
  })
}
