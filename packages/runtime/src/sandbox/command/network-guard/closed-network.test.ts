// needs: bubblewrap, socat, curl
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type CommandTestEnvironment,
  createCommandTestEnvironment,
  runText,
} from '../../../../test/support/sandbox/command/test-command-scope.ts'
import { systemClock } from '../../../clock/clock.ts'
import { type CommandSandbox, openCommandSandbox } from '../sandbox.ts'

let ground: CommandTestEnvironment
let sandbox: CommandSandbox

// The first one stores the result of its self-test; the second starts only what its commands need.
beforeAll(async () => {
  ground = createCommandTestEnvironment()
  const first = open()
  await first.selfTest()
  await first.stop()
  sandbox = open()
})

afterAll(async () => {
  await sandbox.stop()
  ground.remove()
})

function open(): CommandSandbox {
  return openCommandSandbox({ clock: systemClock, home: ground.home, temp: join(ground.root, 'self-test') })
}

const run = (text: string, hosts: string[] = []) => runText(sandbox.runner(ground.scope({ hosts })), text, ground.workspace)

function guards(): number {
  return readdirSync('/proc').filter((name) => {
    try {
      const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
      return Number(parent) === process.pid && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('network-guard-process')
    } catch {
      // Not a process, or one that has ended.
      return false
    }
  }).length
}

test('what a command without hosts tries to reach is refused and reported, without a guard process', async () => {
  const said = await run(
    [
      'curl -s http://example.org/a',
      `curl -s -o /dev/null -w '%{http_connect}\\n' https://example.org/`,
      'curl -s --socks5-hostname localhost:3128 http://socks.example.org:8080/; echo $?',
    ].join('; '),
  )
  expect(said.stdout).toBe('Connection blocked by network allowlist\n403\n97\n')
  expect(said.exit.violations).toEqual([
    { attempted: 'network', resource: 'example.org:80', blocked: true },
    { attempted: 'network', resource: 'example.org:443', blocked: true },
    { attempted: 'network', resource: 'socks.example.org:8080', blocked: true },
  ])
  expect(guards()).toBe(0)
})

test('concurrent commands get reports about their own connections only', async () => {
  const both = await Promise.all(['one', 'two'].map((name) => run(`curl -s -o /dev/null http://${name}.example.org/`)))
  expect(both.map(({ exit }) => exit.violations)).toEqual(
    ['one', 'two'].map((name) => [{ attempted: 'network', resource: `${name}.example.org:80`, blocked: true }]),
  )
})

test('a command is told nothing of the one before it', async () => {
  const ask = 'curl -s -o /dev/null http://again.example.org/'
  const [first, quiet, second] = [await run(ask), await run('true'), await run(ask)]
  const reported = [{ attempted: 'network', resource: 'again.example.org:80', blocked: true }]
  expect([first, quiet, second].map(({ exit }) => exit.violations)).toEqual([reported, [], reported])
})

test('a flood of connections harms no one else', async () => {
  const flood = `for i in $(seq 300); do (exec 3<>/dev/tcp/localhost/3128; printf 'CONNECT h%d.example.org:443 HTTP/1.1\\r\\n\\r\\n' $i >&3) & done; wait`
  const [, calm] = await Promise.all([run(flood), run('curl -s http://calm.example.org/')])
  expect(calm.exit.violations).toEqual([{ attempted: 'network', resource: 'calm.example.org:80', blocked: true }])
})

test('the first command with a host starts the guard', async () => {
  await run('true', ['example.org'])
  expect(guards()).toBe(1)
})
