import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandResult, ProcessListOutput, StartedInBackground } from '@tandem/contract/tool/output'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { noExecutors } from '../../../test/support/executor/no-executors.ts'
import { type CommandTestEnvironment, createCommandTestEnvironment } from '../../../test/support/sandbox/command/test-command-scope.ts'
import { checkedResult } from '../../../test/support/tools/checked.ts'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import { type Clock, systemClock } from '../../clock/clock.ts'
import { idMaker } from '../../clock/id.ts'
import { limits } from '../../sandbox/command/limits.ts'
import { type CommandSandbox, openCommandSandbox } from '../../sandbox/command/sandbox.ts'
import { openFiles } from '../../sandbox/files/scoped-files.ts'
import { openSpool } from '../../store/spool.ts'
import { openProcesses, type Processes, shellTools } from './index.ts'

let ground: CommandTestEnvironment
let sandbox: CommandSandbox
let processes: Processes
let shown: string[]

/** The time that ending a process may need on a busy machine. */
const patient: Clock = { ...systemClock, after: (ms, call) => systemClock.after(ms === limits.grace_ms ? 60_000 : ms, call) }

beforeAll(() => {
  ground = createCommandTestEnvironment()
  sandbox = openCommandSandbox({ clock: patient, home: ground.home, temp: join(ground.root, 'self-test') })
  processes = openProcesses({ clock: systemClock, newId: idMaker(systemClock) })
})
beforeEach(() => {
  shown = []
})
afterAll(async () => {
  await processes.stop()
  await sandbox.stop()
  ground.remove()
})

interface Change {
  readonly run_id?: string
  readonly signal?: AbortSignal
  readonly sandbox_mode?: 'trusted' | 'workspace'
  readonly clock?: Clock
}

function context(change: Change = {}): ToolContext {
  const { run_id = 'run', signal = new AbortController().signal, sandbox_mode = 'workspace', clock = systemClock } = change
  const base = ground.scope({ sandbox_mode })
  const scope = { ...base, ids: { ...base.ids, run_id } }
  return {
    ...scope,
    signal,
    clock,
    files: openFiles(scope),
    // These tools never use it; the sandbox restricts the network of commands.
    network: undefined as never,
    commands: sandbox.runner(scope),
    spool: (name) => openSpool(join(ground.root, 'spool'), name),
    progress: (text) => shown.push(text),
  }
}

function tool(name: string) {
  const found = shellTools(processes, () => noExecutors).find((one) => one.name === name)
  if (!found) throw new Error(`no tool ${name}`)
  return {
    ...found,
    call: async <Answer>(input: object, change?: Change) =>
      (await checkedResult(found, found.run(input as never, context(change)))) as Answer,
    present: (output: unknown) => found.present?.(output) ?? '',
    effects: (input: object) => found.effects(input as never, { workspace: ground.workspace }),
  }
}

const exec = (input: object, change?: Change) => tool('shell.exec').call<CommandResult>(input, change)
const list = (input: object = {}, change?: Change) => tool('process.list').call<ProcessListOutput>(input, change)

async function start(input: object, change?: Change): Promise<StartedInBackground> {
  return tool('shell.exec').call<StartedInBackground>({ ...input, background: true }, change)
}

async function outputOf(process_id: string, change?: Change) {
  const listing = await list({ process_id }, change)
  return 'output' in listing ? listing.output.text : ''
}

describe('shell.exec', () => {
  test('returns the exit code and output; a failing command is a normal result', async () => {
    const result = await exec({ command: 'echo out; echo err >&2; exit 4' })
    expect({ ...result, duration_ms: 0 }).toEqual({
      exit_code: 4,
      signal: null,
      timed_out: false,
      duration_ms: 0,
      output: expect.stringMatching(/^(?:out\n\[stderr\] err\n|\[stderr\] err\nout\n)$/),
      output_end: '',
      bytes: 17,
      truncated: false,
      file: null,
      file_bytes: 0,
      violations: [],
    })
    expect(tool('shell.exec').present({ ...result, output: 'out\n[stderr] err\n', duration_ms: 1_234 })).toBe(
      'exit code 4 (the command failed) after 1.2 s\nout\n[stderr] err\n',
    )
  })

  test('runs in the given folder, and refuses one out of scope', async () => {
    mkdirSync(join(ground.workspace, 'sub'), { recursive: true })
    expect((await exec({ command: 'pwd', cwd: 'sub' })).output).toBe(`${join(ground.workspace, 'sub')}\n`)
    await expect(exec({ command: 'pwd', cwd: '../home' })).rejects.toMatchObject({ name: 'Refused' })
    expect(tool('shell.exec').effects({ command: 'ls', cwd: 'sub' })).toEqual([
      { does: 'execute', command: 'ls', cwd: 'sub', language: 'shell' },
    ])
  })

  test('has no input, so that no command waits for it', async () => {
    expect((await exec({ command: 'cat; echo end' })).output).toBe('end\n')
  })

  test('ends at its timeout, and keeps the output', async () => {
    let end: () => void = () => undefined
    const clock: Clock = {
      ...systemClock,
      after(ms, call) {
        if (ms === 7_000) end = call
        return ms === 7_000 ? () => undefined : systemClock.after(ms, call)
      },
    }
    const calling = exec({ command: 'echo begun; sleep 300', timeout_seconds: 7 }, { clock })
    await vi.waitFor(() => expect(shown.join('')).toContain('begun'), { timeout: 60_000 })
    end()
    const result = await calling
    expect(result).toMatchObject({ timed_out: true, output: 'begun\n' })
    expect(tool('shell.exec').present(result)).toContain('Timed out after')
  })

  test('ends when the call is canceled, and reports it', async () => {
    const cancel = new AbortController()
    const calling = exec({ command: 'echo begun; sleep 300' }, { signal: cancel.signal })
    await vi.waitFor(() => expect(shown.join('')).toContain('begun'), { timeout: 60_000 })
    cancel.abort(new Error('no longer wanted'))
    await expect(calling).rejects.toThrow('no longer wanted')
    expect(processes.of('run')).toEqual([])
  })

  test('shows output while it runs, a few times per second', async () => {
    let now = 0
    const clock: Clock = { ...systemClock, elapsed: () => now }
    const until = (name: string) => `until [ -e ${name} ]; do sleep 0.02; done; echo ${name}`
    const calling = exec({ command: `echo one; ${until('two')}; ${until('three')}` }, { clock, run_id: 'showing' })
    const isSaid = (text: string) =>
      vi.waitFor(() => expect(processes.of('showing').map((one) => one.read(0).text)).toEqual([text]), { timeout: 60_000 })
    await isSaid('one\n')
    writeFileSync(join(ground.workspace, 'two'), '')
    await isSaid('one\ntwo\n')
    expect(shown).toEqual(['one\n'])
    now = 250
    writeFileSync(join(ground.workspace, 'three'), '')
    await calling
    expect(shown).toEqual(['one\n', 'two\nthree\n'])
  })

  test('long output is cut in the middle and stored in a file', async () => {
    const result = await exec({ command: 'echo first; yes filler | head -n 200000; echo last' })
    expect(result.truncated).toBe(true)
    expect(result.output.startsWith('first\nfiller\n')).toBe(true)
    expect(result.output_end.endsWith('filler\nlast\n')).toBe(true)
    expect(readFileSync(result.file ?? '', 'utf8').length).toBe(result.bytes)
    expect(result.bytes).toBe(6 + 200_000 * 7 + 5)
    const told = tool('shell.exec').present(result)
    expect(told.length).toBeLessThan(70_000)
    expect(told.split('\n')[1]).toBe(`[1400011 bytes of output; all of it is in ${result.file}; the beginning and the end are shown here]`)
    expect(told).toContain('[… the middle was left out …]')
    const more = tool('shell.exec').present({ ...result, bytes: 2_000_000 })
    expect(more.split('\n')[1]).toBe(
      `[2000000 bytes of output; the first 1400011 bytes are in ${result.file}; the beginning and the end are shown here]`,
    )
  })

  test('reports what the sandbox blocked', async () => {
    const result = await exec({ command: `touch ${join(ground.outside, 'x')}` })
    expect(existsSync(join(ground.outside, 'x'))).toBe(false)
    expect(tool('shell.exec').present(result)).toContain(`[blocked by the sandbox: write ${join(ground.outside, 'x')}]`)
  })

  test('removes colors and cursor movements for the model', async () => {
    const result = await exec({ command: "printf '\\033[31mred\\033[0m \\033]8;;http://x\\007link\\033]8;;\\007\\n'" })
    expect(tool('shell.exec').present(result)).toMatch(/\nred link\n$/)
  })
})

describe('in the background', () => {
  test('returns immediately, is read in parts, and is ended', async () => {
    const begun = await start({ command: 'echo one; trap "echo two; exit 5" TERM; echo ready; while :; do sleep 0.02; done' })
    expect(begun).toEqual({ process_id: expect.any(String), pid: expect.any(Number), state: 'running' })
    await vi.waitFor(async () => expect(await outputOf(begun.process_id)).toBe('one\nready\n'), { timeout: 60_000 })
    const read = await list({ process_id: begun.process_id, since: 4 })
    expect('output' in read && read.output).toEqual({ text: 'ready\n', next: 10, missed: 0 })
    const ended = await tool('process.kill').call({ process_id: begun.process_id })
    expect(ended).toMatchObject({ process_id: begun.process_id, state: 'ended', exit_code: 5 })
    const rest = await list({ process_id: begun.process_id, since: 10 })
    expect(rest).toMatchObject({ state: 'ended', output: { text: expect.stringContaining('two\n'), missed: 0 } })
    expect(tool('process.list').present(rest)).toContain('exit code 5')
  })

  test('is listed only for its run, and ends with it', async () => {
    const begun = await start({ command: 'sleep 300' }, { run_id: 'other' })
    expect(await list({}, { run_id: 'third' })).toEqual({ processes: [] })
    expect(await list({}, { run_id: 'other' })).toEqual({
      processes: [
        {
          process_id: begun.process_id,
          pid: begun.pid,
          command: 'sleep 300',
          cwd: ground.workspace,
          background: true,
          state: 'running',
          started_at: expect.stringMatching(/^\d{4}-/),
          duration_ms: expect.any(Number),
          bytes: 0,
          exit_code: null,
          signal: null,
          timed_out: false,
        },
      ],
    })
    const foreign = tool('process.kill').call({ process_id: begun.process_id }, { run_id: 'third' })
    await expect(foreign).rejects.toMatchObject({ reason_code: 'not_ours' })
    await processes.endRun('other')
    expect(await list({}, { run_id: 'other' })).toEqual({ processes: [] })
    expect(existsSync(`/proc/${begun.pid}`)).toBe(false)
  })

  test('a pid is accepted only if it is in the process tree', async () => {
    const begun = await start({ command: 'sleep 301 & sleep 300; wait' }, { sandbox_mode: 'trusted' })
    const child = await vi.waitFor(() => {
      const found = processes
        .find('run', { process_id: begun.process_id })
        ?.pids()
        .find((pid) => pid !== begun.pid)
      expect(found).toBeDefined()
      return found ?? 0
    }, 60_000)
    expect(tool('process.kill').effects({ process_id: begun.process_id })).toEqual([{ does: 'signal', pid: begun.pid }])
    for (const pid of [1, process.pid, process.ppid]) {
      await expect(tool('process.kill').call({ pid })).rejects.toMatchObject({ reason_code: 'not_ours', facts: { subject: `pid ${pid}` } })
    }
    expect(await tool('process.kill').call({ pid: child })).toMatchObject({ process_id: begun.process_id, state: 'ended' })
  })

  test('an unknown process is reported with a remedy', async () => {
    await expect(list({ process_id: 'nobody' })).rejects.toBeInstanceOf(ToolFailure)
    await expect(tool('process.kill').call({})).rejects.toMatchObject({ reason_code: 'invalid_input' })
  })

  test('bytes that are no longer available are counted', async () => {
    const begun = await start({ command: 'head -c 3000000 /dev/zero | tr "\\0" x; echo; sleep 300' })
    await vi.waitFor(async () => expect(await list({ process_id: begun.process_id })).toMatchObject({ bytes: 3_000_001 }), {
      timeout: 30_000,
    })
    const page = await list({ process_id: begun.process_id })
    expect('output' in page && page.output.missed).toBeGreaterThan(2_000_000)
    expect('output' in page && page.output.text.length).toBe(32 * 1024)
    await tool('process.kill').call({ process_id: begun.process_id })
  })
})

describe('script.run', () => {
  const run = (input: object, change?: Change) => tool('script.run').call<CommandResult>(input, change)

  test.each([
    ['bash', 'echo "$1 $BASH_VERSINFO" | cut -d" " -f1'],
    ['python3', 'import sys\nprint(sys.argv[1])'],
    ['node', 'console.log(process.argv[2])'],
  ])('runs %s from its source, with unchanged arguments', async (language, source) => {
    const before = readdirSync(ground.temp)
    expect(await run({ language, source, args: ['$(id)'] })).toMatchObject({ exit_code: 0, output: '$(id)\n' })
    expect(readdirSync(ground.temp)).toEqual(before)
  })

  test('runs a file in the workspace, and refuses one outside', async () => {
    writeFileSync(join(ground.workspace, 'hello.py'), 'import os\nprint(os.getcwd())\n')
    expect((await run({ language: 'python3', path: 'hello.py' })).output).toBe(`${ground.workspace}\n`)
    await expect(run({ language: 'python3', path: '../home/x.py' })).rejects.toMatchObject({ name: 'Refused' })
    expect(tool('script.run').effects({ language: 'python3', path: 'hello.py', args: ['a'] })).toEqual([
      { does: 'execute', command: 'python3 hello.py a', cwd: '.', language: 'script' },
      { does: 'read', path: 'hello.py' },
    ])
  })

  test('requires either source or path, and an installed language', async () => {
    await expect(run({ language: 'bash' })).rejects.toMatchObject({ reason_code: 'invalid_input' })
    await expect(run({ language: 'bash', source: 'ls', path: 'x' })).rejects.toMatchObject({ reason_code: 'invalid_input' })
    const path = process.env.PATH
    process.env.PATH = ground.outside
    try {
      await expect(run({ language: 'ruby', source: 'puts 1' })).rejects.toMatchObject({
        reason_code: 'interpreter_missing',
        facts: { subject: 'ruby', remedy: 'Install it, or use one of: node.' },
      })
    } finally {
      process.env.PATH = path
    }
  })
})
