import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type CommandTestEnvironment,
  createCommandTestEnvironment,
  runText,
} from '../../../test/support/sandbox/command/test-command-scope.ts'
import { type Clock, systemClock } from '../../clock/clock.ts'
import { makeControlGroup } from './control-group.ts'
import { limits } from './limits.ts'
import { processes } from './process-tree.ts'
import { type CommandSandbox, openCommandSandbox } from './sandbox.ts'

let ground: CommandTestEnvironment
let sandbox: CommandSandbox

beforeAll(() => {
  ground = createCommandTestEnvironment()
  sandbox = openCommandSandbox({ clock: systemClock, home: ground.home, temp: join(ground.root, 'self-test') })
})

afterAll(async () => {
  await sandbox.stop()
  ground.remove()
})

const modes = ['trusted', 'workspace'] as const
const runner = (sandbox_mode: (typeof modes)[number]) => sandbox.runner(ground.scope({ sandbox_mode }))

/** Processes that run this program with this name, seen from outside. */
const named = (name: string) => processes().filter(({ command, zombie }) => command === name && !zombie).length

async function begin(mode: (typeof modes)[number], text: string, signal = new AbortController().signal, from = runner(mode)) {
  let output = ''
  const command = await from.start(
    { argv: ['bash', '-c', text], cwd: ground.workspace, onOutput: (chunk) => (output += Buffer.from(chunk).toString('utf8')) },
    signal,
  )
  return { command, until: (text: string) => vi.waitFor(() => expect(output).toContain(text), { timeout: 60_000 }), said: () => output }
}

describe.each(modes)('a command in %s mode', (mode) => {
  test('exits with its code', async () => {
    expect((await runText(runner(mode), 'exit 7', ground.workspace)).exit).toMatchObject({ code: 7, signal: null, timed_out: false })
  })

  test('a missing program is reported by the shell', async () => {
    const said = await runText(runner(mode), 'no-such-program-here', ground.workspace)
    expect(said.exit.code).toBe(127)
    expect(said.stderr).toContain('no-such-program-here: command not found')
  })

  test('reads its stdin, and no .bashrc', async () => {
    const said = await runText(runner(mode), 'cat; echo "[$PS1]"; shopt -q expand_aliases && echo aliases', ground.workspace, {
      stdin: 'given\n',
    })
    expect(said.stdout).toBe('given\n[]\n')
  })

  test('does not get the pipe that its start depends on', async () => {
    const said = await runText(runner(mode), 'if { true <&3; } 2>/dev/null; then echo open; else echo closed; fi', ground.workspace)
    expect(said.stdout).toBe('closed\n')
  })

  test('can be written to while it runs', async () => {
    const { command, until, said } = await begin(mode, 'read a; echo "got $a"; read b; echo "and $b"')
    command.write('one\n')
    await until('got one')
    command.write('two\n')
    await command.done
    expect(said()).toBe('got one\nand two\n')
  })

  test('ends without being killed if it is ended at any moment of its start', async () => {
    const never: Clock = { ...systemClock, after: (ms, call) => systemClock.after(ms === limits.grace_ms ? 300_000 : ms, call) }
    const patient = openCommandSandbox({ clock: never, home: ground.home, temp: join(ground.root, 'self-test') })
    onTestFinished(() => patient.stop())
    for (const pause of [0, 1, 2, 4, 6, 8, 10, 12, 15, 18, 22, 26, 30, 40]) {
      const { command } = await begin(mode, 'sleep 300', undefined, patient.runner(ground.scope({ sandbox_mode: mode })))
      await setTimeout(pause)
      await command.kill()
      expect(command.pids()).toEqual([])
    }
  })

  test('gets TERM first, and can clean up', async () => {
    // With as much time as a busy machine may need.
    const clock: Clock = { ...systemClock, after: (ms, call) => systemClock.after(ms === limits.grace_ms ? 60_000 : ms, call) }
    const patient = openCommandSandbox({ clock, home: ground.home, temp: join(ground.root, 'self-test') })
    onTestFinished(() => patient.stop())
    const tidy = 'trap "echo tidied; exit 0" TERM; echo ready; while :; do sleep 0.05; done'
    const from = patient.runner(ground.scope({ sandbox_mode: mode }))
    const { command, until, said } = await begin(mode, tidy, new AbortController().signal, from)
    await until('ready')
    await command.kill()
    await command.done
    expect(said()).toContain('tidied')
  })

  test('is killed if it ignores TERM, including processes that left its session', async () => {
    const name = `td${mode.slice(0, 4)}${process.pid % 10_000}`
    const stubborn = `cp "$(command -v sleep)" "$TMPDIR/${name}"; trap "" TERM; (setsid "$TMPDIR/${name}" 300 & ) ; setsid bash -c 'trap "" TERM; (setsid "$TMPDIR/${name}" 300 &); echo ready; exec "$TMPDIR/${name}" 300' & wait`
    const { command, until } = await begin(mode, stubborn)
    await until('ready')
    await vi.waitFor(() => expect(named(name)).toBe(3), { timeout: 60_000 })
    await command.kill()
    await command.done
    expect(named(name)).toBe(0)
  })

  test('leaves no process behind', async () => {
    const name = `tl${mode.slice(0, 4)}${process.pid % 10_000}`
    const said = await runText(
      runner(mode),
      `cp "$(command -v sleep)" "$TMPDIR/${name}"; (setsid nohup env -i "$TMPDIR/${name}" 300 >/dev/null 2>&1 &); sleep 0.1; echo left`,
      ground.workspace,
    )
    expect(said.stdout).toBe('left\n')
    expect(named(name)).toBe(0)
  })

  test('a deadline ends it and is distinguished from a cancel', async () => {
    const late = new AbortController()
    const { command, until } = await begin(mode, 'echo ready; sleep 300', late.signal)
    await until('ready')
    late.abort(new DOMException('time is over', 'TimeoutError'))
    expect(await command.done).toMatchObject({ timed_out: true })
    const canceled = new AbortController()
    const second = await begin(mode, 'echo ready; sleep 300', canceled.signal)
    await second.until('ready')
    canceled.abort(new Error('no longer wanted'))
    expect(await second.command.done).toMatchObject({ timed_out: false })
    await expect(begin(mode, 'echo never', canceled.signal)).rejects.toThrow('no longer wanted')
  })

  test('a fork bomb stays small and is killed', async () => {
    const probe = makeControlGroup(`${process.pid}-probe-${mode}`)
    probe?.remove()
    // RLIMIT_NPROC does not apply to root: without a control group this test would take down the machine.
    expect(probe !== null || process.getuid?.() !== 0, 'needs a writable control group, or a user that is not root').toBe(true)
    const name = `tb${mode.slice(0, 4)}${process.pid % 10_000}`
    const late = new AbortController()
    const { command, until } = await begin(
      mode,
      `cp "$(command -v bash)" "$TMPDIR/${name}"; echo ready; exec "$TMPDIR/${name}" -c 'bomb() { bomb | bomb & }; bomb; sleep 300'`,
      late.signal,
    )
    await until('ready')
    await vi.waitFor(() => expect(named(name)).toBeGreaterThan(20), { timeout: 60_000 })
    late.abort(new DOMException('time is over', 'TimeoutError'))
    await command.done
    expect(named(name)).toBe(0)
  })

  test('the size of files is limited, and there are no core dumps', async () => {
    const said = await runText(runner(mode), 'ulimit -f; ulimit -c; ulimit -d; ulimit -t', ground.workspace)
    expect(said.stdout.trim().split('\n').map(Number)).toEqual([
      limits.file_bytes / 1024,
      0,
      limits.memory_bytes / 1024,
      limits.cpu_seconds,
    ])
  })
})

test('a command with endless output is ended after a gigabyte', async () => {
  let bytes = 0
  const command = await runner('workspace').start(
    {
      argv: ['yes', 'x'.repeat(60_000)],
      cwd: ground.workspace,
      stdin: '',
      onOutput(chunk) {
        bytes += chunk.length
      },
    },
    new AbortController().signal,
  )
  const exit = await command.done
  expect(bytes).toBeGreaterThan(1_000_000_000)
  expect(bytes).toBeLessThan(limits.output_bytes + 1024 * 1024)
  expect(exit.violations).toContainEqual({
    attempted: 'execute',
    resource: `more than ${limits.output_bytes} bytes of output`,
    blocked: true,
  })
})

test('trusted mode reports once that the command was not restricted', async () => {
  const before = ground.reported.length
  const said = await runText(runner('trusted'), 'true', ground.workspace)
  const warning = { attempted: 'execute', resource: 'bash -c true', blocked: false } as const
  expect(said.exit.violations).toEqual([warning])
  expect(ground.reported.slice(before)).toEqual([warning])
})

test('stopping the sandbox ends running commands, and it can be used again', async () => {
  const own = openCommandSandbox({ clock: systemClock, home: ground.home, temp: join(ground.root, 'self-test') })
  const command = await own
    .runner(ground.scope())
    .start({ argv: ['sleep', '300'], cwd: ground.workspace, stdin: '', onOutput: () => undefined }, new AbortController().signal)
  await own.stop()
  expect((await command.done).code).not.toBe(0)
  mkdirSync(join(ground.workspace, 'after'), { recursive: true })
  expect((await runText(own.runner(ground.scope()), 'echo again > after/x', ground.workspace)).exit.code).toBe(0)
  expect(readFileSync(join(ground.workspace, 'after/x'), 'utf8')).toBe('again\n')
  await own.stop()
  expect(existsSync(join(ground.root, 'self-test'))).toBe(true)
})
