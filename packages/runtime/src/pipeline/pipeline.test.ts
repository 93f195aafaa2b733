// The real rule, the real tools and a real disk: what a yes was given to is what runs.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApprovalMode, defaultToolPolicy } from '@tandem/contract/tool'
import { TruncatedOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import { Check } from 'typebox/value'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { noExecutors } from '../../test/support/executor/no-executors.ts'
import { defineTool, type Tool } from '../call/tool.ts'
import { Committing, Waiting } from '../call/wait.ts'
import { systemClock } from '../clock/clock.ts'
import { idMaker } from '../clock/id.ts'
import { openLongTexts } from '../journal/long-texts.ts'
import { decideCall } from '../policy/decider.ts'
import { isExecutedByOthers } from '../policy/executed-files.ts'
import { openFiles } from '../sandbox/files/scoped-files.ts'
import { fsTools } from '../tools/fs/index.ts'
import { openProcesses, shellTools } from '../tools/shell/index.ts'
import { openPipeline } from './pipeline.ts'
import type { CallingRun, Prepared } from './prepared-call.ts'
import { openRegistry } from './registry.ts'
import { type Mismatch, openMismatch } from './validate.ts'

function ground(
  mode: ApprovalMode,
  { tools = [], mismatch = openMismatch(() => undefined) }: { tools?: Tool[]; mismatch?: Mismatch } = {},
) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-pipeline-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [workspace = '', temp = '', home = ''] = ['ws', 'temp', 'home'].map((name) => join(root, name))
  for (const folder of [join(workspace, '.git/hooks'), join(workspace, 'plain'), temp, home]) mkdirSync(folder, { recursive: true })
  const newId = idMaker(systemClock)
  const opened: string[] = []
  const logged: string[] = []
  const registry = openRegistry()
  registry.add([...fsTools, ...shellTools(openProcesses({ clock: systemClock, newId }), () => noExecutors), ...tools])
  const clock = testClock()
  const pipeline = openPipeline({
    clock,
    home,
    registry,
    wholes: openLongTexts(home, newId),
    policyOf: ({ sandbox_mode }) => ({
      policy: { ...defaultToolPolicy('fs.write'), approval_mode: mode, sandbox_mode },
      layers: { in_force: [], ignored: [] },
      remembered: [],
      source: 'default',
    }),
    takeRate: () => ({ ok: true }),
    giveRateBack: () => undefined,
    environment: 'test',
    decide: (call) =>
      decideCall({ ...call, enforcement: 'os' }, { changes: { among: () => [], isApproved: () => false }, targetsOf: () => [] }),
    givesPower: isExecutedByOthers,
    ports: (scope) =>
      ({
        get files() {
          opened.push('files')
          return openFiles(scope)
        },
        get network() {
          throw new Error('no call here needs the network')
        },
        get commands() {
          throw new Error('no call here needs commands')
        },
      }) as never,
    planCheckpoint: async () => ({ ok: true, plan: null }),
    isWeaker: () => false,
    mismatch,
    log: (line) => void logged.push(line),
  })
  const ids = { agent_id: 'agent', conversation_id: 'conversation', run_id: 'run' }
  const run: CallingRun = { ...ids, workspace, temp, sandbox_mode: 'workspace', remembered: () => [] }
  const call = (tool: string, input: object) => ({ call_id: 'call', tool, arguments: JSON.stringify(input) })
  const live = { signal: new AbortController().signal, report: () => undefined, progress: () => undefined }
  const execute = async (prepared: Prepared) => {
    if (prepared.state !== 'ready') throw new Error(`it is ${prepared.state}`)
    const made = await pipeline.execute(prepared.call, run, live)
    if (made instanceof Waiting || made instanceof Committing) throw new Error('it has no result yet')
    const { outcome, failure_contract } = made
    return failure_contract?.reason_code ?? outcome
  }
  const approved = (prepared: Prepared) => {
    if (prepared.state !== 'ask') throw new Error(`it is ${prepared.state}`)
    const { fingerprint, arguments: shown } = prepared.call
    return { fingerprint, shown, edited: false, plan: null, preview: null }
  }
  const at = (path: string) => join(workspace, path)
  return { pipeline, run, call, live, execute, approved, opened, logged, registry, clock, at }
}

const hook = { path: 'docs/pre-commit', content: 'evil' }

test('a link to where power is given asks even in auto, and is written after a yes', async () => {
  const { pipeline, run, call, execute, approved, at } = ground('auto')
  symlinkSync('.git/hooks', at('docs'))
  const asked = await pipeline.prepare(call('fs.write', hook), run)
  expect(asked).toMatchObject({ state: 'ask', call: { choices: ['once', 'no'], powers: [at('.git/hooks/pre-commit')] } })
  expect(await execute(await pipeline.recheck(call('fs.write', hook), run, approved(asked)))).toBe('succeeded')
  expect(readFileSync(at('.git/hooks/pre-commit'), 'utf8')).toBe('evil')
})

test.each<[string, object, string]>([
  ['fs.write', hook, '.git/hooks/pre-commit'],
  ['fs.mkdir', { path: 'docs/sub' }, '.git/hooks/sub'],
  ['fs.move', { from: 'a', to: 'docs/pre-commit' }, '.git/hooks/pre-commit'],
])('%s through a link that was moved after the decision writes nothing', async (tool, input, path) => {
  const { pipeline, run, call, execute, at } = ground('auto')
  writeFileSync(at('a'), 'evil')
  symlinkSync('plain', at('docs'))
  const ready = await pipeline.prepare(call(tool, input), run)
  rmSync(at('docs'))
  symlinkSync('.git/hooks', at('docs'))
  expect(await execute(ready)).toBe('power_unseen')
  expect(existsSync(at(path))).toBe(false)
})

test('a link that was moved after the yes is asked about again', async () => {
  const { pipeline, run, call, approved, at } = ground('required')
  symlinkSync('plain', at('docs'))
  const asked = await pipeline.prepare(call('fs.write', hook), run)
  rmSync(at('docs'))
  symlinkSync('.git/hooks', at('docs'))
  expect(await pipeline.recheck(call('fs.write', hook), run, approved(asked))).toMatchObject({ state: 'ask' })
})

test('a call opens only the ports that it uses', async () => {
  const { pipeline, run, call, execute, opened } = ground('auto')
  const ready = await pipeline.prepare(call('fs.write', { path: 'a', content: 'x' }), run)
  expect(opened).toEqual([])
  expect(await execute(ready)).toBe('succeeded')
  expect(new Set(opened)).toEqual(new Set(['files']))
})

test('a folder that only leads to such files may be made on the way to another', async () => {
  const { pipeline, run, call, execute, at } = ground('auto')
  const issue = call('fs.write', { path: '.github/ISSUE.md', content: 'x', create_parents: true })
  expect(await execute(await pipeline.prepare(issue, run))).toBe('succeeded')
  expect(existsSync(at('.github/ISSUE.md'))).toBe(true)
  expect(await pipeline.prepare(call('fs.move', { from: 'plain', to: '.git' }), run)).toMatchObject({ state: 'ask' })
})

test('a yes to a script by its path is one to what was in it', async () => {
  const { pipeline, run, call, approved, at } = ground('required')
  const script = call('script.run', { language: 'bash', path: 'build.sh' })
  writeFileSync(at('build.sh'), 'echo good')
  const yes = approved(await pipeline.prepare(script, run))
  expect(await pipeline.recheck(script, run, yes)).toMatchObject({ state: 'ready' })
  writeFileSync(at('build.sh'), 'echo evil')
  expect(await pipeline.recheck(script, run, yes)).toMatchObject({ state: 'ask' })
})

test('arguments the person wrote instead run, as long as what was shown still stands', async () => {
  const { pipeline, run, call, approved, at } = ground('required')
  writeFileSync(at('build.sh'), 'echo good')
  const shown = call('script.run', { language: 'bash', path: 'build.sh' })
  const yes = { ...approved(await pipeline.prepare(shown, run)), edited: true }
  const edited = call('script.run', { language: 'bash', source: 'echo mine' })
  expect(await pipeline.recheck(edited, run, yes)).toMatchObject({ state: 'ready' })
  writeFileSync(at('build.sh'), 'echo evil')
  expect(await pipeline.recheck(edited, run, yes)).toMatchObject({ state: 'ask' })
})

const counted = Type.Object({ count: Type.Integer() }, { additionalProperties: false })

/** Returns what it is given, and once it has waited too. */
const echo = defineTool({
  name: 'test.echo',
  summary: 'Returns anything.',
  input: Type.Object({ output: Type.Unknown() }, { additionalProperties: false }),
  output: counted,
  effects: () => [],
  limits: { seconds: 10 },
  run: async ({ output }) => output as { count: number },
  resumed: (_wait, end) => (end.outcome === 'completed' ? (end.value as { count: number }) : { count: 0 }),
})

test.each([
  [{ count: 1 }, []],
  [{ count: 'many' }, ['the result of test.echo does not match its output schema: `count` must be a whole number']],
  [{ count: 1, more: 2 }, ['the result of test.echo does not match its output schema: `more` is not a known field']],
  [null, ['the result of test.echo does not match its output schema: the result must be an object']],
])('at run time the result %j is recorded as it is, and the log says what does not match', async (output, lines) => {
  const logged: string[] = []
  const { pipeline, run, call, live } = ground('auto', { tools: [echo], mismatch: openMismatch((line) => logged.push(line), false) })
  const prepared = await pipeline.prepare(call('test.echo', { output }), run)
  if (prepared.state !== 'ready') throw new Error(`it is ${prepared.state}`)
  const recorded = { outcome: 'succeeded', output, output_file: null, truncated: false, failure_contract: null }
  expect(await pipeline.execute(prepared.call, run, live)).toEqual(recorded)
  expect(await pipeline.resume('test.echo', { for: 'child', id: 'c' }, { outcome: 'completed', value: output })).toEqual(recorded)
  expect(logged).toEqual([...lines, ...lines])
})

test('in a test a result that does not match fails', async () => {
  const { pipeline, run, call, live } = ground('auto', { tools: [echo] })
  const prepared = await pipeline.prepare(call('test.echo', { output: { count: 1.5 } }), run)
  if (prepared.state !== 'ready') throw new Error(`it is ${prepared.state}`)
  await expect(pipeline.execute(prepared.call, run, live)).rejects.toThrow('the result of test.echo does not match its output schema')
  const end = { outcome: 'completed', value: { count: 1.5 } } as const
  await expect(pipeline.resume('test.echo', { for: 'child', id: 'c' }, end)).rejects.toThrow('does not match')
})

test('an output that is too long is checked before it is shortened', async () => {
  const output = Type.Object({ text: Type.String() }, { additionalProperties: false })
  const long: Tool = { ...echo, name: 'test.long', output }
  const { pipeline, run, call, live } = ground('auto', { tools: [long] })
  const prepared = await pipeline.prepare(call('test.long', { output: { text: 'x'.repeat(2_000_000) } }), run)
  if (prepared.state !== 'ready') throw new Error(`it is ${prepared.state}`)
  const made = await pipeline.execute(prepared.call, run, live)
  expect(made).toMatchObject({ outcome: 'succeeded', truncated: true, output: { characters: 2_000_011 } })
  expect(Check(TruncatedOutput, 'output' in made ? made.output : null)).toBe(true)
})

const greeting = { path: 'a.js', edits: [{ old_text: 'hello', new_text: 'hi' }] }

test('what a call would do is shown to the user who is asked', async () => {
  const { pipeline, run, call, at } = ground('required')
  writeFileSync(at('a.js'), 'hello\n')
  const asked = await pipeline.prepare(call('fs.edit', greeting), run)
  if (asked.state !== 'ask') throw new Error(`it is ${asked.state}`)
  expect(await pipeline.preview(asked.call, run)).toMatchObject({ kind: 'change', path: 'a.js', lines_added: 1, lines_removed: 1 })
  rmSync(at('a.js'))
  expect(await pipeline.preview(asked.call, run)).toEqual({ kind: 'fails', message: expect.stringContaining('a.js') })
})

test.each<[string, object, (at: (path: string) => string) => void, 'ask' | 'ready']>([
  ['fs.edit', greeting, (at) => writeFileSync(at('a.js'), 'hello\nand hello again\n'), 'ask'],
  ['fs.edit', greeting, (at) => writeFileSync(at('a.js'), 'evil\nhello\n'), 'ask'],
  ['fs.write', { path: 'a.js', content: 'new' }, (at) => writeFileSync(at('a.js'), 'precious'), 'ask'],
  ['fs.write', { path: 'b.js', content: 'new' }, (at) => writeFileSync(at('b.js'), 'precious'), 'ask'],
  ['fs.delete', { path: 'plain', recursive: true }, (at) => writeFileSync(at('plain/more'), 'precious'), 'ask'],
  ['fs.move', { from: 'a.js', to: 'b.js', overwrite: true }, (at) => writeFileSync(at('b.js'), 'precious'), 'ask'],
  ['fs.write', { path: 'a.js', content: 'new' }, (at) => writeFileSync(at('other'), 'x'), 'ready'],
])('%s %j: what was shown is what runs, or it is asked again', async (tool, input, meanwhile, state) => {
  const { pipeline, run, call, approved, at } = ground('required')
  writeFileSync(at('a.js'), 'hello\n')
  const asked = await pipeline.prepare(call(tool, input), run)
  if (asked.state !== 'ask') throw new Error(`it is ${asked.state}`)
  const yes = { ...approved(asked), preview: await pipeline.preview(asked.call, run) }
  expect(await pipeline.recheck(call(tool, input), run, yes)).toMatchObject({ state: 'ready' })
  meanwhile(at)
  expect(await pipeline.recheck(call(tool, input), run, yes)).toMatchObject({ state })
})

test('a preview that breaks is logged and left out; a late one is left out', async () => {
  const { pipeline, run, call, registry, logged, clock } = ground('required')
  const tool = {
    summary: '',
    input: Type.Object({}),
    output: Type.Null(),
    effects: () => [{ does: 'send', host: 'a.test' } as const],
    limits: { seconds: 1 },
  }
  let signal: AbortSignal | undefined
  registry.add([
    { ...tool, name: 'test.broken', run: async () => null, preview: () => Promise.reject(new Error('oops')) },
    { ...tool, name: 'test.thrown', run: async () => null, preview: () => JSON.parse('{') },
    {
      ...tool,
      name: 'test.late',
      run: async () => null,
      preview(_, context) {
        signal = context.signal
        return new Promise(() => undefined)
      },
    },
  ])
  const preview = async (name: string) => {
    const asked = await pipeline.prepare(call(name, {}), run)
    if (asked.state !== 'ask') throw new Error(`it is ${asked.state}`)
    return pipeline.preview(asked.call, run)
  }
  expect([await preview('test.broken'), await preview('test.thrown')]).toEqual([null, null])
  expect(logged).toEqual(['the preview of test.broken failed: oops', expect.stringContaining('the preview of test.thrown failed: ')])
  const late = preview('test.late')
  await vi.waitFor(() => expect(signal).toBeDefined())
  clock.advance(1_999)
  expect(signal?.aborted).toBe(false)
  clock.advance(1)
  expect([await late, signal?.aborted, logged.length]).toEqual([null, true, 2])
})
