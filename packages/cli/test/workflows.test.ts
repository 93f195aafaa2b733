// `tandem workflows` as users and scripts see it, with a real runtime and a scripted model. What depends on the process has its own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ListedWorkflowRun, WorkflowSnapshot } from '@tandem/contract/command'
import { expect, test } from 'vitest'
import { useScriptedTandem } from './support/test-scripted.ts'
import { type ProcessResult, parseJsonLines } from './support/test-tandem.ts'
import { inTerminal } from './support/test-terminal.ts'

const timeout = 300_000

const { model, here } = await useScriptedTandem({ ENV: 'production' })

const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const second = /\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? UTC/g
const duration = /\d+\.\d s/g

async function workflows(...args: string[]): Promise<ProcessResult> {
  return await here.command('workflows', ...args)
}

/** With ids, times and the hash replaced. */
function plain({ status, stdout, stderr }: ProcessResult): ProcessResult {
  const [out = '', beside = ''] = [stdout, stderr].map((text) =>
    text
      .replaceAll(id, 'ID')
      .replaceAll(second, 'TIME')
      .replaceAll(duration, 'DURATION')
      .replaceAll(/\b[0-9a-f]{64}\b/g, 'HASH')
      .replaceAll(/ +$/gm, ''),
  )
  return { status, stdout: out, stderr: beside }
}

const shown = async (...args: string[]) => plain(await workflows(...args))

function file(name: string, text: string): string {
  writeFileSync(join(here.workspace, name), text)
  return name
}

async function saved(text: string, ...options: string[]): Promise<string> {
  const { status, stdout, stderr } = await workflows('save', file('workflow.yaml', text), ...options)
  expect([status, stderr]).toEqual([0, ''])
  return stdout.trim()
}

async function lastRun(): Promise<ListedWorkflowRun> {
  const [run] = parseJsonLines((await workflows('runs', '--limit', '1', '--json')).stdout)
  return run as unknown as ListedWorkflowRun
}

async function snapshot(workflow_run_id: string): Promise<WorkflowSnapshot> {
  return JSON.parse((await workflows('status', workflow_run_id, '--json')).stdout).run
}

const greet = `name: Greet
inputs:
  - { name: who, type: text, required: true }
nodes:
  - id: write
    kind: tool
    tool: fs.write
    arguments: { path: hello.txt, content: "Hello {{inputs.who}}" }
output: "{{inputs.who}}"
`

const asking = `name: Ask
nodes:
  - { id: ask, kind: question, question: Which color?, choices: [red, blue] }
output: "{{nodes.ask.output}}"
`

test('the calls of a finished run are printed as a workflow that can be saved', { timeout }, async () => {
  await saved(greet.replace('Greet', 'Drafted'), '--approve-calls')
  expect((await workflows('start', 'Drafted', '--input', 'who=Zoe')).status).toBe(0)
  const { run_id } = await lastRun()
  const { workflow_run_id } = await lastRun()
  expect(await shown('wait', workflow_run_id)).toEqual({ status: 0, stdout: '"Zoe"\n', stderr: '' })
  const { status, stdout, stderr } = await workflows('draft', run_id)
  expect([status, stderr]).toEqual([0, 'The order is that of the run. Arguments that are not placeholders stay as they were.\n'])
  expect(stdout).toContain('tool: fs.write\n    arguments:\n      path: hello.txt\n      content: Hello Zoe\n')
  expect((await workflows('check', file('drafted.yaml', stdout))).status).toBe(0)
  expect(JSON.parse((await workflows('draft', run_id, '--as-json')).stdout).nodes).toHaveLength(1)
  expect(await shown('draft', '00000000-0000-7000-8000-000000000000')).toMatchObject({
    ...{ status: 1, stdout: '', stderr: expect.stringContaining('there is no run ID on this device') },
  })
  expect(await shown('draft', 'Drafted')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('name one run of an agent by its id'),
  })
  expect((await workflows('delete', 'Drafted', '--yes')).status).toBe(0)
})

test('a workflow is saved, listed, shown, replaced and deleted', { timeout }, async () => {
  expect(await shown()).toEqual({
    status: 0,
    stdout: 'There are no workflows yet. Write one as described in docs/workflows.md, and save it with tandem workflows save FILE.\n',
    stderr: '',
  })
  expect((await shown('check', file('greet.yaml', greet))).stdout).toBe('greet.yaml has no mistakes: Greet, 1 node.\n')
  const workflow_id = await saved(greet)
  expect((await shown()).stdout).toBe('ID  Greet  1 node  approved  never run\n')
  const { stdout } = await workflows('show', 'Greet')
  expect(stdout).toMatch(new RegExp(`^# id: ${workflow_id}\n# version: 1, approved\n# sha256: [0-9a-f]{64}\nname: Greet\ninputs:\n`))
  // What is shown can be saved again.
  expect(await workflows('save', file('shown.yaml', stdout), '--id', 'Greet', '--approve-calls')).toEqual({
    ...{ status: 0, stdout: `${workflow_id}\n`, stderr: '' },
  })
  expect(JSON.parse((await workflows('show', workflow_id, '--json')).stdout).workflow).toMatchObject({
    ...{ workflow_id, version: 2, is_approved: true, covers_calls: true, definition: { nodes: [{ id: 'write' }] } },
  })
  expect((await shown('list')).stdout).toBe('ID  Greet  1 node  approved with its calls  never run\n')
  const second = await workflows('save', 'shown.yaml', '--approve-calls')
  expect(plain(second)).toEqual({
    status: 0,
    stdout: 'ID\n',
    stderr:
      'tandem: warning: another workflow is also named Greet: ID\n        To replace a workflow instead of adding one, save it with --id.\n',
  })
  expect(await shown('show', 'Greet')).toEqual({
    ...{ status: 1, stdout: '', stderr: 'tandem: 2 workflows are named Greet: ID, ID\n        Specify the id of one of them.\n' },
  })
  const other = second.stdout.trim()
  expect(await shown('delete', other)).toEqual({
    ...{ status: 2, stdout: '', stderr: 'tandem: without a terminal, delete needs --yes. Nothing was deleted.\n' },
  })
  expect((await shown('delete', other, '--yes')).stdout).toBe('Deleted Greet.\n')
  expect(await shown('delete', other, '--yes')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('tandem: no workflow is named ID'),
  })
  expect((await shown('list')).stdout).toBe('ID  Greet  1 node  approved with its calls  never run\n')
  const piped = await here.start(['workflows', 'save', '-'], asking).ended
  expect(plain(piped)).toEqual({ status: 0, stdout: 'ID\n', stderr: '' })
})

test('all mistakes are listed with their places, and nothing is saved', { timeout }, async () => {
  const text = 'name: Bad\nnodes:\n  - id: one\n    kind: wat\n  - id: Two\n    kind: wait\n    seconds: soon\n'
  for (const command of ['check', 'save']) {
    const { status, stdout, stderr } = await workflows(command, file('bad.yaml', text))
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr.split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      ...['bad.yaml:4:5 nodes/0/kind', 'bad.yaml:5:5 nodes/1/id', 'bad.yaml:7:5 nodes/1/seconds', 'tandem: bad.yaml', ''],
    ])
  }
  const workflow_id = await saved(asking)
  const itself = file('itself.yaml', `name: Itself\nnodes:\n  - { id: again, kind: workflow, workflow_id: ${workflow_id}, inputs: {} }\n`)
  expect(await workflows('save', itself, '--id', workflow_id)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^itself\.yaml nodes\/0\/workflow_id .+\ntandem: itself\.yaml has 1 mistake\n$/),
  })
  const empty = { status: 1, stdout: '', stderr: 'tandem: standard input is empty\n        Specify a file that contains text.\n' }
  expect(await workflows('save', '-')).toEqual(empty)
  expect(await workflows('save', 'none.yaml')).toMatchObject({ status: 1, stderr: expect.stringContaining('none.yaml cannot be read: ') })
  expect(parseJsonLines((await workflows('list', '--json')).stdout)).toMatchObject([{ workflow_id, name: 'Ask', version: 1 }])
})

test('a version must be approved, and what is approved is shown first', { timeout }, async () => {
  const workflow_id = await saved(greet)
  expect((await shown('disapprove', 'Greet', '--yes')).stdout).toBe('Greet is no longer approved.\n')
  expect((await shown()).stdout).toBe('ID  Greet  1 node  not approved  never run\n')
  expect(await workflows('start', 'Greet', '--input', 'who=Ann')).toMatchObject({ status: 1, stderr: expect.stringContaining('approved') })
  const asked = await workflows('approve', 'Greet')
  expect({ status: asked.status, stdout: asked.stdout }).toEqual({ status: 2, stdout: '' })
  expect(asked.stderr).toContain('content: Hello {{inputs.who}}\n')
  expect(asked.stderr).toContain(
    'The calls of its tools:\n' +
      '  write: fs.write {"path":"hello.txt","content":"Hello {{inputs.who}}"}\n' +
      'tandem: without a terminal, approve needs --yes. Nothing was approved.\n',
  )
  const home = join(here.folder, 'home')
  const no = await inTerminal(['workflows', 'approve', 'Greet'], here.workspace, home, 'for this device? [y]es, [n]o:', 'n')
  expect([no.status, no.text]).toEqual([1, expect.stringContaining('nothing was approved')])
  const yes = await inTerminal(
    ['workflows', 'approve', 'Greet', '--calls'],
    here.workspace,
    home,
    'with the calls of its tools? [y]es',
    'y',
  )
  expect([yes.status, yes.text]).toEqual([0, expect.stringContaining('Approved Greet with the calls of its tools.')])
  // Nothing is asked.
  expect(await shown('start', workflow_id, '--input', 'who=Ann')).toEqual({
    status: 0,
    stdout: '"Ann"\n',
    stderr: 'Workflow run ID\nThe workflow Greet started.\nNode write started.\nNode write is complete.\n',
  })
  expect(readFileSync(join(here.workspace, 'hello.txt'), 'utf8')).toBe('Hello Ann')
  expect((await shown('approve', 'Greet', '--yes')).stdout).toBe('Approved Greet.\n')
  expect((await shown()).stdout).toBe('ID  Greet  1 node  approved  completed, started TIME\n')
})

test('inputs are converted, and mistakes start nothing', { timeout }, async () => {
  await saved(`name: Types
inputs:
  - { name: count, type: number, required: true }
  - { name: fast, type: flag, required: false, default_value: false }
  - { name: data, type: json, required: false }
nodes:
  - { id: none, kind: wait, seconds: 0 }
outputs:
  - { name: count, type: number, value: "{{inputs.count}}" }
  - { name: fast, type: flag, value: "{{inputs.fast}}" }
  - { name: data, type: json, value: "{{inputs.data}}" }
`)
  const all = await workflows('start', 'Types', '--input', 'count=3', '--input', 'data={"a":"\u202e"}', '--input', 'fast=true')
  expect([all.status, JSON.parse(all.stdout), all.stdout.includes('\\u202e')]).toEqual([
    0,
    { count: 3, fast: true, data: { a: '\u202e' } },
    true,
  ])
  const inputs = file('inputs.json', '{"count": 1, "data": [1]}')
  const read = await workflows('start', 'Types', '--inputs', inputs, '--input', 'count=2', '--key', 'once')
  expect(JSON.parse(read.stdout)).toEqual({ count: 2, fast: false, data: [1] })
  // The same key starts nothing: the run is shown again.
  const again = await workflows('start', 'Types', '--inputs', inputs, '--key', 'once')
  expect([again.status, JSON.parse(again.stdout)]).toEqual([0, { count: 2, fast: false, data: [1] }])
  file('list.json', '[1]')
  for (const [args, status, message] of [
    [[], 2, 'these inputs are required: count (number)'],
    [['--input', 'count=many'], 2, '--input count must be a number, not "many"'],
    [
      ['--input', 'count=1', '--input', 'color=red'],
      2,
      '--input color: there is no such input. The inputs are count (number), fast (flag)',
    ],
    [['--inputs', 'list.json'], 1, 'list.json does not contain a JSON object'],
    [['--input', 'count=1', '--agent', 'Nobody'], 1, 'no agent is named Nobody'],
    [['--input', 'count=1', '--workspace', ''], 2, '--workspace must not be empty'],
    [['--input', 'count=1', '--detach'], 1, '--detach needs a running Tandem'],
  ] as const)
    expect(await workflows('start', 'Types', ...args)).toMatchObject({
      status,
      stdout: '',
      stderr: expect.stringContaining(`tandem: ${message}`),
    })
  expect(parseJsonLines((await workflows('runs', 'Types', '--json')).stdout)).toHaveLength(2)
})

test('without a terminal, a question pauses the workflow, and is answered later', { timeout }, async () => {
  await saved(asking)
  const paused = await shown('start', 'Ask')
  expect(paused).toEqual({
    status: 3,
    stdout: '',
    stderr:
      'Workflow run ID\nThe workflow Ask started.\nNode ask started.\nNode ask is waiting: ask needs an answer\n' +
      'The workflow is paused: it needs your answer. To continue it and answer in a terminal:\n  tandem workflows resume ID\n' +
      'To answer without a terminal:\n  tandem resume ID --answer "…"\n',
  })
  const { workflow_run_id, run_id } = await lastRun()
  expect((await shown('status', workflow_run_id)).stdout).toBe(
    'workflow  Ask\nrun       ID\nstate     paused (ask needs an answer)\nstarted   TIME\n\n' +
      'ask  waiting  TIME    waits for an answer: ask needs an answer\n',
  )
  expect(await shown('output', workflow_run_id, 'ask')).toEqual({
    ...{ status: 1, stdout: '', stderr: 'tandem: ask has no output: it is waiting\n' },
  })
  expect(await workflows('resume', workflow_run_id, '--yes')).toMatchObject({ status: 3, stdout: '' })
  expect(await here.command('resume', run_id, '--answer', 'blue')).toMatchObject({ status: 0 })
  expect(await snapshot(workflow_run_id)).toMatchObject({ state: 'completed', result: '"blue"' })
  expect((await shown('output', workflow_run_id, 'ask')).stdout).toContain('blue')
})

test('questions and approvals are answered in a terminal', { timeout }, async () => {
  await saved(asking)
  const home = join(here.folder, 'home')
  const { status, text } = await inTerminal(['workflows', 'start', 'Ask'], here.workspace, home, 'A number: ', '1')
  expect([status, text]).toEqual([0, expect.stringMatching(/Which color\?[\s\S]*1\. red[\s\S]*Node ask is complete\.[\s\S]*"red"/)])
  await saved(greet)
  const args = ['workflows', 'start', 'Greet', '--input', 'who=Ann']
  const approved = await inTerminal(args, here.workspace, home, '[s]how all: ', 'once')
  expect([approved.status, approved.text]).toEqual([0, expect.stringContaining('"Ann"')])
  expect(existsSync(join(here.workspace, 'hello.txt'))).toBe(true)
})

const withAgent = `name: Delegate
nodes:
  - { id: work, kind: agent, prompt: Write the file. }
output: "{{nodes.work.output}}"
`

test('the approvals of an agent that a workflow has started are asked, too', { timeout }, async () => {
  await saved(withAgent)
  const call = { call: 'fs.write', arguments: { path: 'made.txt', content: 'x' } }
  model.script(call, { text: 'Written.' })
  const paused = await workflows('start', 'Delegate')
  expect([paused.status, paused.stderr]).toEqual([3, expect.stringContaining('--answer once')])
  const { workflow_run_id, run_id } = await lastRun()
  expect(paused.stderr).not.toContain(`tandem resume ${run_id}`)
  expect(await shown('resume', workflow_run_id, '--yes')).toMatchObject({ status: 0, stdout: '"Written."\n' })
  expect(existsSync(join(here.workspace, 'made.txt'))).toBe(true)
  model.script(call, { text: 'Again.' })
  expect(await workflows('start', 'Delegate', '--yes')).toMatchObject({ status: 0, stdout: '"Again."\n' })
  model.script({ text: 'As lines.' })
  const lines = parseJsonLines((await workflows('start', 'Delegate', '--json')).stdout)
  expect([lines[0]?.type, lines[1], lines.at(-1)]).toMatchObject([
    'run',
    { type: 'event' },
    { type: 'end', run: { result: '"As lines."' } },
  ])
})

test('a question of a workflow within a workflow is asked, too', { timeout }, async () => {
  const workflow_id = await saved(asking)
  await saved(`name: Outer
nodes:
  - { id: inner, kind: workflow, workflow_id: ${workflow_id}, inputs: {} }
  - { id: after, kind: wait, seconds: 0 }
output: "{{nodes.inner.output}}"
`)
  expect(await shown('start', 'Outer')).toMatchObject({
    status: 3,
    stderr: expect.stringMatching(/Node inner is waiting: another workflow is running\n[\s\S]*tandem resume ID --answer "…"\n$/),
  })
  const all = parseJsonLines((await workflows('runs', '--json')).stdout)
  expect(all.map(({ name, state }) => `${name} ${state}`)).toEqual(['Ask paused', 'Outer paused'])
  const outer = String(all[1]?.workflow_run_id)
  const home = join(here.folder, 'home')
  const { status, text } = await inTerminal(['workflows', 'resume', outer], here.workspace, home, 'A number: ', '2')
  expect([status, text]).toEqual([0, expect.stringMatching(/Node after is complete\.[\s\S]*"blue"/)])
})

test('Ctrl-C cancels the workflow and its agent; SIGTERM pauses it', { timeout }, async () => {
  await saved(withAgent)
  model.script({ hang: true })
  const canceled = here.start(['workflows', 'start', 'Delegate'])
  await model.hanging()
  canceled.child.kill('SIGINT')
  expect(await canceled.ended).toMatchObject({ status: 130, stdout: '' })
  expect(await lastRun()).toMatchObject({ state: 'canceled' })
  expect(parseJsonLines((await here.command('runs', '--json')).stdout).map(({ state }) => state)).toEqual(['canceled', 'canceled'])
  model.script({ hang: true })
  const paused = here.start(['workflows', 'start', 'Delegate'])
  await model.hanging()
  paused.child.kill('SIGTERM')
  expect(await paused.ended).toMatchObject({ status: 3, stderr: expect.stringContaining('tandem workflows resume ') })
  model.script({ text: 'Done.' })
  expect(await workflows('resume', (await lastRun()).workflow_run_id)).toMatchObject({ status: 0, stdout: '"Done."\n' })
})

test('what a canceled workflow has to undo is approved later if it needs that', { timeout }, async () => {
  await saved(
    `name: Undo
nodes:
  - id: write
    kind: tool
    tool: fs.write
    arguments: { path: made.txt, content: x }
    compensation: { tool: fs.delete, arguments: { path: "{{nodes.write.output.path}}" } }
  - { id: work, kind: agent, prompt: Think. }
`,
    '--approve-calls',
  )
  model.script({ hang: true })
  const canceled = here.start(['workflows', 'start', 'Undo'])
  await model.hanging()
  canceled.child.kill('SIGINT')
  expect(await canceled.ended).toMatchObject({ status: 3, stderr: expect.stringContaining('--answer once') })
  const { workflow_run_id } = await lastRun()
  expect([(await snapshot(workflow_run_id)).state, existsSync(join(here.workspace, 'made.txt'))]).toEqual(['canceled', true])
  expect(await workflows('resume', workflow_run_id, '--yes')).toMatchObject({
    ...{ status: 130, stdout: '', stderr: expect.stringContaining('The effects of node write were undone.') },
  })
  expect(existsSync(join(here.workspace, 'made.txt'))).toBe(false)
})

test('a node that failed is retried or skipped, and rounds are counted from 1', { timeout }, async () => {
  await saved(`name: Read all
nodes:
  - { id: each, kind: for_each, items: '["a.txt","b.txt"]', concurrency: 1, result: "{{nodes.read.output.content}}" }
  - { id: read, kind: tool, within: each, tool: fs.read, arguments: { path: "{{loops.each.item}}" } }
  - { id: sure, kind: approval, message: Continue? }
output: "{{nodes.each.output}}"
`)
  file('a.txt', 'first')
  const failed = await shown('start', 'Read all')
  expect([failed.status, failed.stdout]).toEqual([1, ''])
  expect(failed.stderr).toContain('Node read (round 2) failed: ')
  expect(failed.stderr).toMatch(/To run what failed again: tandem workflows retry ID\n$/)
  const { workflow_run_id } = await lastRun()
  const [, , ...rows] = (await shown('status', workflow_run_id)).stdout.split('\n')
  expect(rows.filter((row) => row.startsWith('read') || row.startsWith('sure')).map((row) => row.replace(/ +/g, ' ').slice(0, 24))).toEqual(
    [...['read (round 1) completed', 'read (round 2) failed TI', 'sure pending']],
  )
  expect(JSON.parse((await workflows('output', workflow_run_id, 'read', '--round', '1')).stdout)).toMatchObject({ content: 'first' })
  expect(await shown('output', workflow_run_id, 'read', '--round', '0')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('from 1'),
  })
  file('b.txt', 'second')
  expect(await workflows('retry', workflow_run_id)).toMatchObject({ status: 3, stderr: expect.stringContaining('Node sure is waiting') })
  const history = (await shown('history', workflow_run_id, '--node', 'read')).stdout
  expect(history).toContain('TIME  Node read (round 2) was reset and will run again.\n')
  expect(await shown('history', workflow_run_id, '--node', 'nothing')).toMatchObject({ stdout: 'Nothing has happened at node nothing.\n' })
  expect(await workflows('skip', workflow_run_id, 'sure')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('say why with --reason'),
  })
  const skip = ['skip', workflow_run_id, 'sure', '--reason', 'not needed']
  expect(await workflows(...skip, '--outcome', 'maybe')).toMatchObject({ status: 2 })
  expect(await shown(...skip, '--outcome', 'approved')).toEqual({
    status: 0,
    stdout: 'Read all: paused (sure needs an answer)\n',
    stderr: 'To continue it: tandem workflows resume ID\n',
  })
  expect(await workflows('resume', workflow_run_id)).toMatchObject({ status: 0, stdout: '[\n  "first",\n  "second"\n]\n' })
  for (const action of ['pause', 'cancel', 'retry', 'resume']) expect(await workflows(action, workflow_run_id)).toMatchObject({ status: 1 })
})

test('a paused workflow is canceled once', { timeout }, async () => {
  await saved(asking)
  await workflows('start', 'Ask')
  const { workflow_run_id } = await lastRun()
  expect((await shown('cancel', workflow_run_id, '--reason', 'no longer needed')).stdout).toBe('Ask: canceled (no longer needed)\n')
  expect(await workflows('cancel', workflow_run_id)).toMatchObject({ status: 1, stdout: '' })
  expect((await shown('runs', '--state', 'canceled')).stdout).toBe('ID  Ask  TIME  DURATION  canceled (no longer needed)\n')
  expect((await shown('runs', '--state', 'failed')).stdout).toBe('No workflow run is failed.\n')
})

test('unknown names and ids are reported', { timeout }, async () => {
  for (const args of [['show'], ['approve', '--yes'], ['disapprove', '--yes'], ['delete', '--yes'], ['start'], ['runs']]) {
    const [command = '', ...options] = args
    expect(await workflows(command, 'Nothing', ...options)).toEqual({
      ...{
        status: 1,
        stdout: '',
        stderr: 'tandem: no workflow is named Nothing\n        List the workflows and their ids with tandem workflows.\n',
      },
    })
  }
  const unknown = '01a00000-0000-7000-8000-000000000001'
  for (const args of [
    ['status'],
    ['history'],
    ['pause'],
    ['resume'],
    ['cancel'],
    ['retry'],
    ['output', 'a'],
    ['skip', 'a', '--reason', 'x'],
  ]) {
    const [command = '', ...more] = args
    expect(await shown(command, unknown, ...more)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('there is no workflow run ID'),
    })
    expect(await shown(command, 'last', ...more)).toMatchObject({ status: 2, stderr: expect.stringContaining('List the workflow runs') })
  }
  expect(await workflows('begin')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('unknown action "begin": choose one of list, show'),
  })
})

test('a running Tandem continues a workflow that is detached', { timeout }, async () => {
  await here.start(['start']).said('Press Ctrl-C to stop Tandem.')
  await saved(asking)
  const { status, stdout } = await workflows('start', 'Ask', '--detach')
  const workflow_run_id = stdout.trim()
  expect([status, (await lastRun()).workflow_run_id]).toEqual([0, workflow_run_id])
  await expect.poll(async () => (await snapshot(workflow_run_id)).state).toBe('paused')
  const home = join(here.folder, 'home')
  const answered = await inTerminal(['workflows', 'resume', workflow_run_id], here.workspace, home, 'A number: ', '2')
  expect([answered.status, answered.text]).toEqual([0, expect.stringContaining('"blue"')])
})
