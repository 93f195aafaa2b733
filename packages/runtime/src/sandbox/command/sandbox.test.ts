import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type CommandTestEnvironment,
  createCommandTestEnvironment,
  runText,
} from '../../../test/support/sandbox/command/test-command-scope.ts'
import { systemClock } from '../../clock/clock.ts'
import { protectedPathNames } from '../../policy/executed-files.ts'
import { processes } from './process-tree.ts'
import { type CommandSandbox, openCommandSandbox } from './sandbox.ts'

let ground: CommandTestEnvironment
let sandbox: CommandSandbox
const servers: { close(): unknown }[] = []

beforeAll(() => {
  process.env.TANDEM_TEST_CANARY = 'canary-7f3a'
  ground = createCommandTestEnvironment()
  sandbox = openCommandSandbox({ clock: systemClock, home: ground.home, temp: join(ground.root, 'self-test'), frozen: protectedPathNames })
})

afterAll(async () => {
  await sandbox.stop()
  for (const server of servers) server.close()
  ground.remove()
  delete process.env.TANDEM_TEST_CANARY
})

const run = (text: string, change?: Parameters<CommandTestEnvironment['scope']>[0], cwd = ground.workspace) =>
  runText(sandbox.runner(ground.scope(change)), text, cwd)

async function webServer(answer: string): Promise<number> {
  const server = createServer((_, reply) => reply.end(answer))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

describe('workspace mode', () => {
  test('the self-test passes, and the runner reports its result', async () => {
    const report = await sandbox.selfTest()
    expect({
      state: report.state,
      backend: report.backend,
      broken: report.checks.filter(({ held }) => !held),
      tried: report.checks.length,
    }).toEqual({
      state: 'enforced',
      backend: 'sandbox-runtime',
      broken: [],
      tried: 9,
    })
    expect(await sandbox.selfTest()).toBe(report)
    expect(sandbox.runner(ground.scope()).enforcement).toBe('os')
    expect(sandbox.runner(ground.scope({ sandbox_mode: 'trusted' })).enforcement).toBe('none')
  })

  test('the next runtime uses the stored result, repeats the self-test on request, and restricts commands all the same', async () => {
    const trials = join(ground.root, 'trials')
    const next = openCommandSandbox({ clock: systemClock, home: ground.home, temp: trials, frozen: protectedPathNames })
    try {
      const said = await runText(next.runner(ground.scope()), 'echo here > made.txt; echo there > ../outside/made.txt', ground.workspace)
      expect([said.exit.code === 0, existsSync(join(ground.outside, 'made.txt')), existsSync(trials)]).toEqual([false, false, false])
      expect((await next.selfTest()).checks.length).toBe(9)
      expect(existsSync(trials)).toBe(true)
    } finally {
      await next.stop()
    }
  })

  test('a command works in its workspace and its temp folder', async () => {
    const said = await run('echo hello > made.txt; echo "$PWD"; mktemp; cat made.txt >&2; exit 3')
    expect(said.exit).toEqual({ code: 3, signal: null, timed_out: false, violations: [] })
    const [cwd, temp] = said.stdout.split('\n')
    expect(cwd).toBe(ground.workspace)
    expect(temp?.startsWith(ground.temp)).toBe(true)
    expect(said.stderr).toBe('hello\n')
    expect(readFileSync(join(ground.workspace, 'made.txt'), 'utf8')).toBe('hello\n')
  })

  test('it cannot write anywhere else: not next to the workspace, not through a link, not to the system', async () => {
    symlinkSync(ground.outside, join(ground.workspace, 'way-out'))
    const targets = [
      join(ground.outside, 'a'),
      join(ground.workspace, 'way-out', 'b'),
      '/etc/tandem-escape',
      join(ground.workspace, '../c'),
    ]
    const said = await run(targets.map((target) => `touch ${target}`).join('; '))
    expect(said.exit.code).toBe(1)
    expect(targets.filter((target) => existsSync(target))).toEqual([])
    expect(said.exit.violations.map(({ attempted, blocked }) => ({ attempted, blocked }))).toContainEqual({
      attempted: 'write',
      blocked: true,
    })
  })

  test("Tandem's own folder is hidden, even if it is in the workspace", async () => {
    const said = await run(`cat ${join(ground.home, 'runtime.db')}; ls -A ${ground.home} | wc -l; echo x > ${join(ground.home, 'y')}`)
    expect(said.stdout.trim()).toBe('0')
    expect(existsSync(join(ground.home, 'y'))).toBe(false)
    const inner = { ...ground.scope(), home: join(ground.workspace, '.tandem') }
    mkdirSync(inner.home, { recursive: true })
    writeFileSync(join(inner.home, 'runtime.db'), 'secret')
    const again = await runText(sandbox.runner(inner), 'cat .tandem/runtime.db; echo gone > .tandem/runtime.db; echo end', ground.workspace)
    expect(again.stdout).toBe('end\n')
    expect(readFileSync(join(inner.home, 'runtime.db'), 'utf8')).toBe('secret')
  })

  test('a temp folder inside the home of Tandem can be used nevertheless', async () => {
    const temp = join(ground.home, 'runs', 'r1')
    mkdirSync(temp, { recursive: true })
    const said = await runText(
      sandbox.runner({ ...ground.scope(), temp }),
      'echo note > "$TMPDIR/n"; cat "$TMPDIR/n"; ls -A ../home',
      ground.workspace,
    )
    expect(said.stdout).toBe('note\nruns\n')
    expect(readFileSync(join(temp, 'n'), 'utf8')).toBe('note\n')
  })

  test('the roots of the policy restrict what can be written', async () => {
    mkdirSync(join(ground.workspace, 'docs'), { recursive: true })
    const said = await run('touch docs/yes; touch no; touch ../outside/no', { roots: ['docs', ground.outside] })
    expect(said.exit.code).toBe(1)
    expect(
      [join(ground.workspace, 'docs/yes'), join(ground.workspace, 'no'), join(ground.outside, 'no')].map((path) => existsSync(path)),
    ).toEqual([true, false, false])
  })

  test('files that other programs run are frozen, and reported when they are created', async () => {
    mkdirSync(join(ground.workspace, '.git/hooks'), { recursive: true })
    writeFileSync(join(ground.workspace, '.git/config'), '[core]\n')
    writeFileSync(join(ground.workspace, '.npmrc'), 'mine\n')
    const said = await run(
      'echo evil > .git/hooks/pre-commit; echo evil >> .git/config; mv .git .was; echo ok > .git/HEAD; echo {} > .mcp.json; cp .git/HEAD .npmrc',
    )
    expect(readFileSync(join(ground.workspace, '.git/config'), 'utf8')).toBe('[core]\n')
    expect(readFileSync(join(ground.workspace, '.npmrc'), 'utf8')).toBe('mine\n')
    expect(existsSync(join(ground.workspace, '.git/hooks/pre-commit'))).toBe(false)
    expect(readFileSync(join(ground.workspace, '.git/HEAD'), 'utf8')).toBe('ok\n')
    expect(said.exit.violations).toContainEqual({ attempted: 'write', resource: join(ground.workspace, '.mcp.json'), blocked: false })
  })

  test('keys and passwords in the home of the user are hidden, and it gets only the given variables', async () => {
    const person = join(ground.root, 'person')
    mkdirSync(join(person, '.ssh'), { recursive: true })
    writeFileSync(join(person, '.ssh/id_ed25519'), 'private key')
    writeFileSync(join(person, '.netrc'), 'password x')
    writeFileSync(join(person, '.gitconfig'), 'plain settings')
    const environment = { ...process.env, HOME: person, LANG: 'C.handed-in' }
    const own = openCommandSandbox({ clock: systemClock, home: ground.home, temp: join(ground.root, 'self-test'), environment })
    const text = 'cat ~/.gitconfig; cat ~/.ssh/id_ed25519 ~/.netrc 2>/dev/null; printf " %s" "$LANG"'
    const said = await runText(own.runner(ground.scope()), text, ground.workspace)
    await own.stop()
    expect(said.stdout).toBe('plain settings C.handed-in')
  })

  test('it has its own IPC namespace, and cannot write settings of the machine', async () => {
    const said = await run(
      `readlink /proc/self/ns/ipc; ls /proc/sys/vm/* /proc/sys/kernel/core_pattern | while read -r file; do test -w "$file" && echo "$file"; done; cat /proc/self/mountinfo`,
    )
    const [ipc, ...rest] = said.stdout.trim().split('\n')
    expect(ipc).toMatch(/^ipc:\[\d+\]$/)
    expect(ipc).not.toBe(readlinkSync('/proc/self/ns/ipc'))
    expect(rest.filter((line) => line.startsWith('/'))).toEqual([])
    if (process.getuid?.() !== 0) return
    // Root has the permission to write them; the mount prevents it.
    const mounts = rest.map((line) => line.split(' ')).filter((words) => words[4] === '/proc/sys')
    expect(mounts.map((words) => words[5]?.split(',').includes('ro'))).toEqual([true])
  })

  test('the secrets of the runtime are neither in the environment nor in /proc', async () => {
    const said = await run(
      `env; cat /proc/${process.pid}/environ; cat /proc/1/environ | tr '\\0' '\\n'; for p in /proc/[0-9]*; do cat $p/environ; done`,
    )
    expect(said.stdout.includes('PATH=')).toBe(true)
    expect(said.stdout.includes('canary-7f3a')).toBe(false)
    const trusted = await run('env', { sandbox_mode: 'trusted' })
    expect(trusted.stdout.includes('canary-7f3a')).toBe(false)
    expect(
      trusted.stdout
        .split('\n')
        .map((line) => line.split('=')[0])
        .sort(),
    ).toEqual(
      [
        '',
        ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LC_ALL', 'LC_CTYPE', 'TZ'].filter((name) => process.env[name] !== undefined),
        'LANG',
        'TERM',
        'TMPDIR',
        'TANDEM_RUN',
        'TANDEM_CALL',
        'SHLVL',
        'PWD',
        '_',
      ].sort(),
    )
  })

  test('neither raw TCP nor a local socket is reachable', async () => {
    const port = await webServer('reached')
    const path = join(ground.outside, 'local.sock')
    const local = createSocketServer((socket) => socket.end('reached'))
    servers.push(local)
    await new Promise<void>((resolve) => local.listen(path, resolve))
    const unix = `require('net').connect('${path}').on('data',d=>console.log(String(d))).on('error',e=>console.log(e.code))`
    const said = await run(
      `(exec 3<>/dev/tcp/127.0.0.1/${port} && echo open) 2>/dev/null; curl -sS --noproxy '*' http://127.0.0.1:${port} 2>/dev/null; ${process.execPath} -e "${unix}"`,
    )
    expect(said.stdout).toBe('EPERM\n')
  })

  test('a host of the policy is reachable, another is refused and reported; an empty list allows none', async () => {
    const port = await webServer('reached')
    const get = `curl -sS http://127.0.0.1:${port}/`
    expect((await run(get, { hosts: [`127.0.0.1:${port}`] })).stdout).toBe('reached')
    const other = await run(get, { hosts: [`127.0.0.1:${port + 1}`] })
    expect(other.stdout.includes('reached')).toBe(false)
    expect(other.exit.violations).toEqual([{ attempted: 'network', resource: `127.0.0.1:${port}`, blocked: true }])
    const none = await run(`curl -sS --proxy "$HTTP_PROXY" --noproxy '' http://127.0.0.1:${port}/`)
    expect(none.stdout.includes('reached')).toBe(false)
    expect(none.exit.violations).toEqual([{ attempted: 'network', resource: `127.0.0.1:${port}`, blocked: true }])
  })

  test('two concurrent commands have their own hosts', async () => {
    const [left, right] = [await webServer('left'), await webServer('right')]
    const both = `for i in 1 2 3; do curl -s http://127.0.0.1:${left}/; curl -s http://127.0.0.1:${right}/; done`
    const [first, second] = await Promise.all([run(both, { hosts: [`127.0.0.1:${left}`] }), run(both, { hosts: [`127.0.0.1:${right}`] })])
    expect(first.stdout.replaceAll(/Connection blocked[^\n]*\n?/g, '').match(/left|right/g)).toEqual(['left', 'left', 'left'])
    expect(second.stdout.replaceAll(/Connection blocked[^\n]*\n?/g, '').match(/left|right/g)).toEqual(['right', 'right', 'right'])
  })
})

describe('a policy with `*`', () => {
  test('allows public names, and nothing on this machine or in its network', async () => {
    const port = await webServer('reached')
    const places = [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `2130706433:${port}`,
      `0x7f.1:${port}`,
      '10.0.0.1:80',
      '169.254.169.254:80',
    ]
    const said = await run(places.map((place) => `curl -s -m 5 --noproxy '' http://${place}/; echo`).join(';'), { hosts: ['*'] })
    expect(said.stdout.includes('reached')).toBe(false)
    expect(said.exit.violations.length).toBeGreaterThanOrEqual(5)
    // The name does not exist: the attempt of the proxy to resolve it shows that it was allowed.
    const name = await run(`curl -s -o /dev/null -w '%{http_code}' http://nobody.invalid/`, { hosts: ['*'] })
    expect({ code: name.stdout, violations: name.exit.violations }).toEqual({ code: expect.stringMatching(/^50\d$/), violations: [] })
  })

  test('does not allow them for a concurrent command', async () => {
    const ask = `curl -s -o /dev/null -w '%{http_code}' http://nobody.invalid/`
    const [open, closed] = await Promise.all([
      run(`sleep 0.3; ${ask}; sleep 0.3`, { hosts: ['*'] }),
      run(`sleep 0.3; ${ask}; sleep 0.3`, { hosts: ['example.org'] }),
    ])
    expect([open.stdout, closed.stdout]).toEqual([expect.stringMatching(/^50\d$/), '403'])
  })

  test('allows a listed address as well', async () => {
    const port = await webServer('reached')
    expect((await run(`curl -s http://127.0.0.1:${port}/`, { hosts: ['*', `127.0.0.1:${port}`] })).stdout).toBe('reached')
  })
})

test('long text with many quotes runs, and leaves no file', async () => {
  const text = `echo "${"'".repeat(15_000)}" | wc -c`
  const said = await run(text)
  expect(said.stdout.trim()).toBe('15001')
  expect(readdirSync(ground.temp).filter((name) => name.startsWith('command-'))).toEqual([])
})

describe('strict mode', () => {
  test('personal files are hidden; the workspace and the toolchain are visible', async () => {
    const said = await run(
      `cat ${join(ground.outside, 'neighbour.txt')}; ls ~ | wc -l; ls -A ${ground.workspace} | grep -c made.txt; awk 'BEGIN { print 1 + 1 }'; touch in-strict && echo wrote`,
      { sandbox_mode: 'strict' },
    )
    expect(said.stdout.split('\n').slice(-4)).toEqual(['1', '2', 'wrote', ''])
    expect(said.stdout.includes('not ours')).toBe(false)
  })
})

test('a guard that was killed is replaced, and nothing is allowed in the meantime', async () => {
  const port = await webServer('reached')
  const get = `curl -s -m 5 http://127.0.0.1:${port}/`
  const guards = processes().filter(({ ppid, command }) => ppid === process.pid && command.startsWith('node'))
  const words = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  for (const { pid } of guards) if (words(pid).includes('network-guard-process.ts')) process.kill(pid, 'SIGTERM')
  await vi.waitFor(async () => expect((await run(get, { hosts: [`127.0.0.1:${port}`] })).stdout).toBe('reached'), { timeout: 60_000 })
  expect((await run(get)).stdout).toBe('')
})
