// Run as a separate process, by any user: tries what a command must not be able to do, with each backend, and prints the results.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { systemClock } from '../../../../src/clock/clock.ts'
import { protectedPathNames } from '../../../../src/policy/executed-files.ts'
import { bubblewrapBackend } from '../../../../src/sandbox/command/bubblewrap-backend.ts'
import { chooseBackend } from '../../../../src/sandbox/command/choose-backend.ts'
import { openCommandSandbox } from '../../../../src/sandbox/command/sandbox.ts'
import { createCommandTestEnvironment, runText } from './test-command-scope.ts'

const person = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
const settings = 'user.name=A user.email=a@example.org commit.gpgsign=false'.split(' ').flatMap((one) => ['-c', one])

const server = createServer((socket) => socket.end('reached'))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = address !== null && typeof address === 'object' ? address.port : 0

const found = []
for (const choose of [chooseBackend, async () => ({ backend: bubblewrapBackend(), missing: '' })]) found.push(await probe(choose))
server.close()
console.log(JSON.stringify(found))

async function probe(choose: typeof chooseBackend) {
  const ground = createCommandTestEnvironment()
  const sandbox = openCommandSandbox({
    clock: systemClock,
    home: ground.home,
    temp: join(ground.root, 'self-test'),
    frozen: protectedPathNames,
    choose,
  })
  const run = async (text: string) => (await runText(sandbox.runner(ground.scope()), text, ground.workspace, { env: person })).stdout.trim()
  try {
    const { state, backend, checks } = await sandbox.selfTest()
    const broken = checks.flatMap(({ name, held }) => (held ? [] : [name]))
    // Without a sandbox, commands run unrestricted: nothing is tried then.
    if (state !== 'enforced') return { state, backend, broken }
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: ground.workspace, env: { ...process.env, ...person } })
    const shut = join(ground.workspace, 'shut')
    mkdirSync(join(shut, 'sub', '.git'), { recursive: true })
    chmodSync(shut, 0)
    const outside = [join(ground.outside, 'planted'), join(ground.home, 'planted')]
    const inGit = ['commondir', 'hooks/pre-commit', 'modules/x/config'].map((name) => join(ground.workspace, '.git', name))
    const inShut = join(shut, 'sub', '.git', 'hooks', 'pre-commit')
    await run(
      [`chmod 700 ${shut}`, ...[...outside, ...inGit, inShut].map((path) => `mkdir -p "$(dirname ${path})"; echo evil > ${path}`)].join(
        '\n',
      ),
    )
    chmodSync(shut, 0o700)
    return {
      state,
      backend,
      broken,
      uid: Number(await run('id -u')),
      works: await run(`echo a > a; git add a; git ${settings.join(' ')} commit -qm one; git log --format=%s`),
      planted: [...outside, ...inGit, inShut].filter((path) => existsSync(path)),
      secret: await run(`cat ${join(ground.home, 'runtime.db')} 2>/dev/null`),
      reached: await run(`(exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3) 2>/dev/null`),
      ipc: (await run('readlink /proc/self/ns/ipc')) === readlinkSync('/proc/self/ns/ipc') ? 'shared' : 'own',
      settings: await run(
        'for file in /proc/sys/vm/* /proc/sys/kernel/core_pattern; do test -f "$file" && test -w "$file" && echo "$file"; done',
      ),
    }
  } finally {
    await sandbox.stop()
    ground.remove()
  }
}
