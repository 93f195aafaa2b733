// `tandem run` and related commands as users see them, with one folder and a scripted model. What depends on the process has its own.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { testModel } from './support/test-model.ts'
import { parseJsonLines as objects, useTandem } from './support/test-tandem.ts'

const patience = 60_000

const model = await testModel()
afterAll(() => model.stop())
let modelVariables: NodeJS.ProcessEnv
beforeEach(() => {
  model.requests.length = 0
  model.authorizations.length = 0
  modelVariables = { TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: model.url, TANDEM_MODEL_KEY: 'sk-canary', TANDEM_MODEL: 'test/scripted' }
})
const here = useTandem(() => modelVariables)
const { start, tandem, command } = here

const write = (path: string) => ({ call: 'fs.write', arguments: { path, content: 'written' } })
const written = (path: string) => existsSync(join(here.workspace, path))

describe('tandem run', () => {
  test('shows the answer on standard output and the rest on standard error', { timeout: patience }, async () => {
    writeFileSync(join(here.workspace, 'notes.txt'), 'hello')
    model.script({ call: 'fs.read', arguments: { path: 'notes.txt' }, text: 'Let me look.' }, { text: 'It says hello. 😀', pieces: 9 })
    const { status, stdout, stderr } = await tandem('run', 'what', 'do the notes say?')
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'Let me look.\nIt says hello. 😀\n' })
    expect(stderr).toContain('→ Read notes.txt\n')
    expect(stderr).toContain('✓ fs.read notes.txt, 1 line\n')
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('what do the notes say?')
    expect(model.authorizations).toEqual(['Bearer sk-canary', 'Bearer sk-canary'])
    expect(stdout + stderr).not.toContain('canary')
  })

  test('a message starts a skill by its name; what the prompt did not contain is reported', { timeout: patience }, async () => {
    for (const name of ['forms', 'letters']) {
      mkdirSync(join(here.folder, 'home/skills', name), { recursive: true })
      const text = `---\nname: ${name}\ndescription: Helps with ${name}.\n---\nFollow the rules of ${name}.\n`
      writeFileSync(join(here.folder, 'home/skills', name, 'SKILL.md'), text)
      await command('skills', 'bind', name)
    }
    writeFileSync(join(here.folder, 'home/skills/letters/new.md'), 'New.')
    model.script({ text: 'Filled in.' })
    const { status, stdout, stderr } = await command('run', '/forms Fill in the form')
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'Filled in.\n' })
    expect(stderr).toContain('The prompt did not contain the skill letters: It has changed since it was assigned: new.md.\n')
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Follow the rules of forms.')
    expect(JSON.stringify(model.requests[0]?.messages)).not.toContain('Follow the rules of letters.')
  })

  test('a command that fails is shown as failed, with its output', { timeout: patience }, async () => {
    const failing = 'echo compiling; echo "no such file: main.c" >&2; exit 3'
    model.script(
      { call: 'shell.exec', arguments: { command: failing } },
      { call: 'shell.exec', arguments: { command: 'true' } },
      { text: 'It failed.' },
    )
    const { status, stdout, stderr } = await command('run', '--yes', 'build it')
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'It failed.\n' })
    expect(stderr).toMatch(/✗ shell\.exec exit code 3, \d+\.\d s\n {2}compiling\n {2}.*no such file: main\.c\n/)
    expect(stderr.match(/✓ shell\.exec/g)).toHaveLength(1)
  })

  test('an answer that is interrupted and requested again is printed once', { timeout: patience }, async () => {
    model.script(
      { text: 'The answer is forty-two, as ever.', pieces: 6, breakAfter: 3 },
      { text: 'The answer is 42, as always.', pieces: 6, breakAfter: 4 },
      { text: 'The answer is forty-two, as ever.', pieces: 6 },
    )
    const { status, stdout } = await command('run', 'what is it?')
    expect({ status, stdout, asked: model.requests.length }).toEqual({ status: 0, stdout: 'The answer is forty-two, as ever.\n', asked: 3 })
  })

  test('a retried call of the model is shown, with the reason and the wait', { timeout: patience }, async () => {
    const body = JSON.stringify({ error: { message: 'Slow down, please.', code: 'rate_limit_exceeded' } })
    model.script({ status: 429, body, headers: { 'retry-after-ms': '1800' } }, { text: 'Here I am.' })
    const began = performance.now()
    const { status, stdout, stderr } = await command('run', 'hello?')
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'Here I am.\n' })
    expect(stderr).toContain('! The model did not respond: Slow down, please. Trying again in 2 s (attempt 2).')
    expect(performance.now() - began).toBeGreaterThan(1_800)
  })

  test('files are attached, and one that cannot be is reported before anything starts', { timeout: patience }, async () => {
    writeFileSync(join(here.workspace, 'list.txt'), 'eggs, flour')
    model.script({ text: 'A recipe.' })
    const { status, stdout } = await command('run', '--attach', 'list.txt', 'what is this?')
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'A recipe.\n' })
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('The user attached \\"list.txt\\" (text/plain, 11 bytes). Its text:')
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('eggs, flour')
    const missing = await command('run', '--attach', 'nothing.txt', 'what is this?')
    expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining('nothing.txt cannot be attached: it does not exist') })
    expect(model.requests).toHaveLength(1)
  })

  test('waits for an approval after its process ended, and continues with the answer', { timeout: patience }, async () => {
    model.script(write('a.txt'), { text: 'Done.' })
    const paused = await tandem('run', 'write it')
    expect({ status: paused.status, written: written('a.txt') }).toEqual({ status: 3, written: false })
    const [, run_id] = /tandem resume (\S+) --answer once/.exec(paused.stderr) ?? []
    const listed = await tandem('runs', '--json', '--state', 'paused')
    expect(objects(listed.stdout)).toMatchObject([{ run_id, state: 'paused', pause_reason: 'approval', title: 'write it' }])
    expect(await tandem('resume', run_id ?? '')).toMatchObject({ status: 3, stderr: expect.stringContaining('is waiting for an answer') })
    expect(await tandem('resume', run_id ?? '', '--answer', 'perhaps')).toMatchObject({ status: 2 })
    const resumed = await tandem('resume', run_id ?? '', '--answer', 'once')
    expect(resumed).toEqual({ status: 0, stdout: 'Done.\n', stderr: '✓ fs.write Created a.txt +1 −0\n' })
    expect(readFileSync(join(here.workspace, 'a.txt'), 'utf8')).toBe('written')
    expect((await tandem('resume', 'last')).stderr).toContain('no run is paused')
  })

  test('a rejection with its reason reaches the model, and nothing is written', { timeout: patience }, async () => {
    model.script(write('a.txt'), { text: 'As you wish.' })
    await command('run', 'write it')
    const { status, stdout } = await command('resume', 'last', '--answer', 'no', '--reason', 'the wrong folder')
    expect({ status, stdout, written: written('a.txt') }).toEqual({ status: 0, stdout: 'As you wish.\n', written: false })
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('the wrong folder')
  })

  test('--yes approves once what policy lets a user approve, and never what it denies', { timeout: patience }, async () => {
    model.script(write('a.txt'), write('b.txt'), { text: 'Both.' })
    expect(await command('run', '--yes', 'write both')).toMatchObject({ status: 0, stdout: 'Both.\n' })
    expect([written('a.txt'), written('b.txt')]).toEqual([true, true])
    // A command that writes in its own folder is approved the same way.
    model.script({ call: 'shell.exec', arguments: { command: 'echo made > made.txt; sleep 0.1' } }, { text: 'Made.' })
    expect(await command('run', '--yes', 'make it')).toMatchObject({ status: 0, stdout: 'Made.\n' })
    expect(written('made.txt')).toBe(true)
    expect(await command('policy', 'set', 'fs.write', '--approval-mode', 'deny')).toMatchObject({ status: 0 })
    model.script(write('c.txt'), { text: 'Refused.' })
    const { status, stderr } = await command('run', '--yes', 'write more')
    expect({ status, written: written('c.txt') }).toEqual({ status: 0, written: false })
    expect(stderr).toMatch(/✗ fs\.write/)
    await command('policy', 'reset', 'fs.write')
    expect(JSON.parse((await command('policy', 'show', 'fs.write')).stdout)).toMatchObject({ source: 'default' })
  })

  test('--yes does not approve calls with a warning, or calls that need approval each time', {
    timeout: patience,
  }, async () => {
    // The first run creates the agent.
    model.script({ text: 'Hello.' })
    await command('run', 'hello')
    expect(await command('policy', 'set', 'fs.write', '--approval-mode', 'manual_each_call')).toMatchObject({ status: 0 })
    model.script(write('a.txt'))
    expect(await command('run', '--yes', 'write it')).toMatchObject({ status: 3, stderr: expect.stringContaining('--answer once') })
    expect(await command('resume', 'last', '--yes')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('is waiting for an answer'),
    })
    expect(await command('policy', 'set', 'fs.write', '--approval-mode', 'auto')).toMatchObject({ status: 0 })
    mkdirSync(join(here.workspace, '.git', 'hooks'), { recursive: true })
    model.script(write('.git/hooks/pre-commit'))
    const unanswered = { status: 3, stderr: expect.stringContaining('--yes did not approve this call, because it has a warning.') }
    expect(await command('run', '--yes', 'hook it')).toMatchObject(unanswered)
    expect([written('a.txt'), written('.git/hooks/pre-commit')]).toEqual([false, false])
  })

  test('a call that cannot be protected is never rejected: headless it pauses, with and without --yes', { timeout: patience }, async () => {
    modelVariables.TANDEM_CHECKPOINT_QUOTA_GB = '0.0001'
    writeFileSync(join(here.workspace, 'large'), randomBytes(200_000))
    for (const flags of [[], ['--yes']]) {
      model.script({ call: 'shell.exec', arguments: { command: 'touch made.txt' } })
      expect(await command('run', ...flags, 'make it')).toMatchObject({ status: 3 })
      expect(written('made.txt')).toBe(false)
    }
    model.script({ text: 'Made.' })
    expect(await command('resume', 'last', '--answer', 'once')).toMatchObject({ status: 0, stdout: 'Made.\n' })
    expect(written('made.txt')).toBe(true)
  })

  test('--yes runs code of the project until an agent has changed it', { timeout: patience }, async () => {
    const scripts = (text: string) => JSON.stringify({ name: 'x', scripts: { test: text } })
    writeFileSync(join(here.workspace, 'package.json'), scripts('echo ok > first.txt'))
    const npmTest = { call: 'shell.exec', arguments: { command: 'npm test' } }
    model.script(npmTest, { text: 'Tested.' })
    expect(await command('run', '--yes', 'test it')).toMatchObject({ status: 0, stdout: 'Tested.\n' })
    const changed = { call: 'fs.write', arguments: { path: 'package.json', content: scripts('echo ok > second.txt') } }
    model.script(changed, npmTest)
    expect(await command('run', '--yes', 'change it')).toMatchObject({ status: 3 })
    // Another run does not bypass it.
    model.script(npmTest)
    expect(await command('run', '--yes', 'test it again')).toMatchObject({ status: 3 })
    expect([written('first.txt'), written('second.txt')]).toEqual([true, false])
    expect(await command('run', '--help')).toMatchObject({
      stdout: expect.stringContaining('--yes approves, once, every call that has no warning'),
    })
  })

  test('what "always" remembers is listed and revoked', { timeout: patience }, async () => {
    model.script({ call: 'shell.exec', arguments: { command: 'ls -l' } }, { text: 'Listed.' })
    expect(await command('run', 'list')).toMatchObject({ status: 3 })
    expect(await command('resume', 'last', '--answer', 'always')).toMatchObject({ status: 0 })
    const { stdout } = await command('policy', 'rules')
    expect(stdout).toMatch(/^[0-9a-f]{12}\s.*shell\.exec\s+commands that begin with ls/)
    const [rule_id = ''] = stdout.split(/\s/)
    expect(JSON.parse((await command('policy', 'rules', '--json')).stdout)).toMatchObject({ rule_id, applies: true })
    expect(await command('policy', 'revoke', rule_id)).toMatchObject({
      status: 0,
      stdout: 'Revoked: shell.exec, commands that begin with ls. These calls need approval again.\n',
    })
    expect(await command('policy', 'rules')).toMatchObject({ status: 0, stdout: expect.stringContaining('No rules.') })
    expect(await command('policy', 'revoke', rule_id)).toMatchObject({ status: 1, stderr: expect.stringContaining('there is no rule') })
    expect(await command('policy', 'revoke')).toMatchObject({ status: 2 })
  })

  test('--json prints one object per line: the run, its steps, events and text, and its state', { timeout: patience }, async () => {
    model.script(write('a.txt'), { text: 'Done.' })
    const { status, stdout, stderr } = await command('run', '--json', 'write it')
    const lines = objects(stdout)
    expect({ status, stderr }).toEqual({ status: 3, stderr: '' })
    expect(new Set(lines.map(({ type }) => type))).toEqual(new Set(['run', 'step', 'event', 'end']))
    expect(lines.at(-1)).toMatchObject({
      type: 'end',
      run: { state: 'paused' },
      approvals: [{ approval: { tool: 'fs.write' } }],
      questions: [],
    })
    const events = lines.flatMap((line) => (line.type === 'event' ? [(line.event as { event: string }).event] : []))
    expect(events).toEqual([
      'run_started',
      'model_call_started',
      'model_call_completed',
      'tool_call_requested',
      'approval_requested',
      'run_paused',
    ])
    // --json does not approve anything.
    expect(await command('resume', 'last', '--json')).toMatchObject({ status: 3, stdout: '' })
    expect(written('a.txt')).toBe(false)
    const resumed = objects((await command('resume', 'last', '--json', '--answer', 'once')).stdout)
    expect(resumed.filter(({ type }) => type === 'message')).toEqual([{ type: 'message', message_id: expect.any(String), text: 'Done.' }])
    expect(resumed.at(-1)).toMatchObject({ type: 'end', run: { state: 'completed' }, approvals: [] })
    const seqs = lines.flatMap((line) => (line.type === 'step' ? [(line.step as { seq: number }).seq] : []))
    expect(seqs).toEqual(seqs.map((_, at) => at))
  })

  test('a question is answered by an option, or by text', { timeout: patience }, async () => {
    const question = { call: 'ask_user', arguments: { question: 'Which?', options: [{ value: 'red' }, { value: 'blue' }] } }
    model.script(question, { text: 'Red it is.' })
    expect(await command('run', '--yes', 'paint')).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('a question needs your answer'),
    })
    expect(await command('resume', 'last', '--answer', 'red')).toMatchObject({ status: 0, stdout: 'Red it is.\n' })
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('The user chose: red')
    model.script(question, { text: 'Green, then.' })
    await command('run', 'paint')
    expect(await command('resume', 'last', '--answer', 'green')).toMatchObject({ status: 0, stdout: 'Green, then.\n' })
  })

  test('output of a model cannot control the terminal', { timeout: patience }, async () => {
    model.script({ text: 'a\u001b[2Jb\u001b]0;owned\u0007c\u202ed\re', pieces: 12 })
    const { stdout } = await command('run', 'hello')
    expect(stdout).toMatch(/^a.*b.*c.*d.*e\n$/s)
    expect(stdout).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cf}]/u)
  })

  test('the prompt is read from standard input, and a conversation continues', { timeout: patience }, async () => {
    model.script({ text: 'First.' }, { text: 'Second.' })
    const first = await start(['run', '--json', '-'], 'remember the number 41\n').ended
    const { conversation_id } = (objects(first.stdout)[0] as unknown as { run: { conversation_id: string } }).run
    expect(await tandem('run', '--conversation', conversation_id, 'and now?')).toMatchObject({ status: 0, stdout: 'Second.\n' })
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('remember the number 41')
  })

  test('Ctrl-C cancels the run cleanly', { timeout: patience }, async () => {
    model.script({ hang: true })
    const { child, ended } = start(['run', 'think'])
    await model.hanging()
    child.kill('SIGINT')
    const { status, stderr } = await ended
    expect({ status, canceled: stderr.includes('The run was stopped.') }).toEqual({ status: 130, canceled: true })
    expect(objects((await tandem('runs', '--json')).stdout)).toMatchObject([{ state: 'canceled' }])
  })

  test('SIGTERM pauses the run; after a kill it can be resumed', { timeout: patience }, async () => {
    for (const [signal, status] of [
      ['SIGTERM', 3],
      ['SIGKILL', null],
    ] as const) {
      model.script({ hang: true })
      const { child, ended } = start(['run', 'think'])
      await model.hanging()
      child.kill(signal)
      expect((await ended).status).toBe(status)
      model.script({ text: 'Here I am again.' })
      expect(await tandem('resume', 'last')).toMatchObject({ status: 0, stdout: expect.stringContaining('Here I am again.\n') })
    }
  })

  test('killed during a command, the run is recovered even by a command that ends immediately', { timeout: 3 * patience }, async () => {
    model.script({ call: 'shell.exec', arguments: { command: 'echo begun > begun; sleep 600' } })
    expect(await tandem('run', 'work')).toMatchObject({ status: 3 })
    const { child, ended } = start(['resume', 'last', '--answer', 'once'])
    await expect.poll(() => written('begun'), { timeout: patience }).toBe(true)
    child.kill('SIGKILL')
    await ended
    const errand = await tandem('runs', '--json')
    expect([errand.status, errand.stderr.includes('    at '), objects(errand.stdout)]).toMatchObject([0, false, [{ state: 'paused' }]])
    model.script({ text: 'It was cut off.' })
    expect(await tandem('resume', 'last')).toMatchObject({ status: 0, stdout: expect.stringContaining('It was cut off.\n') })
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('interrupted')
  })

  test('without a model it reports what to set', { timeout: patience }, async () => {
    modelVariables = { TANDEM_MODEL_URL: '', TANDEM_MODEL_KEY: '', TANDEM_MODEL: '' }
    const { status, stderr } = await command('run', 'hello')
    expect([
      status,
      stderr.includes('Set TANDEM_MODEL_URL, TANDEM_MODEL_KEY and TANDEM_MODEL'),
      stderr.includes('model_unavailable'),
    ]).toEqual([4, true, false])
    expect(await command('run', '--json', 'hello')).toMatchObject({ status: 4, stderr: expect.stringContaining('(model_unavailable)\n') })
  })

  test.each([
    [['run'], 'describe what to do'],
    [['run', '--please', 'x'], "Unknown option '--please'"],
    [['run', '--sandbox', 'none', 'x'], 'trusted, workspace, strict'],
    [['run', '--conversation', 'x', '--agent', 'y', 'z'], 'a conversation already has an agent: remove --agent'],
    [['runs', '--state', 'dead'], '--state must be one of'],
    [['resume'], 'specify one run'],
    [['policy', 'set', 'fs.write'], 'specify what to set'],
    [['policy', 'set', 'fs.write', '--rate-limit', 'often'], 'calls/seconds'],
    [['agents', 'create'], 'specify one agent'],
    [['command'], 'specify one command'],
    [['command', 'agent_list', '{'], 'are not valid JSON'],
  ])('%j is explained', { timeout: patience }, async (args, why) => {
    const { status, stderr } = await command(...args)
    expect({ status, said: stderr.includes(why) && stderr.includes('usage: tandem') }).toEqual({ status: 2, said: true })
  })

  test('a workspace that does not exist is named', { timeout: patience }, async () => {
    expect(await command('run', '--workspace', 'nowhere', 'x')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(join(here.workspace, 'nowhere')),
    })
  })
})

test('agents are created, listed and selected by run', { timeout: patience }, async () => {
  await command('agents', 'create', 'Scribe', '--instructions', 'Answer in rhymes.', '--model', 'test/other')
  expect((await command('agents')).stdout).toContain('Scribe  test/other')
  model.script({ text: 'A rhyme.' })
  expect(await command('run', '--agent', 'Scribe', 'go')).toMatchObject({ status: 0 })
  expect(model.requests[0]).toMatchObject({ model: 'test/other' })
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('Answer in rhymes.')
  expect(await command('run', '--agent', 'Nobody', 'go')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no agent is named Nobody'),
  })
})

test('tandem command calls any command by name, and waits for a run it starts', { timeout: patience }, async () => {
  const created = await command('command', 'conversation_create', JSON.stringify({ workspace: here.workspace }))
  const { conversation_id } = (objects(created.stdout)[0] as unknown as { conversation: { conversation_id: string } }).conversation
  model.script({ text: 'Hello.' })
  expect(await tandem('command', 'agent_run_start', JSON.stringify({ conversation_id, text: 'hi' }))).toMatchObject({ status: 0 })
  expect(objects((await command('runs', '--json')).stdout)).toMatchObject([{ state: 'completed' }])
  const listed = await start(['command', 'message_list', '-'], JSON.stringify({ conversation_id })).ended
  expect(objects(listed.stdout)).toMatchObject([{ items: [{ text: 'hi' }, { text: 'Hello.' }] }])
  expect(await command('command', 'agent_destroy')).toMatchObject({ status: 2, stderr: expect.stringContaining('unknown_command') })
  expect(objects((await command('command', 'skill_list_versions')).stdout)).toMatchObject([{ items: [] }])
  expect(await command('command', 'runtime_status')).toMatchObject({ status: 0, stdout: expect.stringContaining('"sandbox"') })
})

test('while one command has the lease, another uses its runtime', { timeout: patience }, async () => {
  model.script({ hang: true })
  const { child, ended } = start(['run', 'think'])
  await model.hanging()
  expect(objects((await tandem('runs', '--json')).stdout)).toMatchObject([{ state: 'running', title: 'think' }])
  child.kill('SIGINT')
  await ended
})

test('a runtime.json that a crash left behind is ignored', { timeout: patience }, async () => {
  const home = join(here.folder, 'home')
  mkdirSync(home, { recursive: true })
  const gone = { pid: 2 ** 22 - 1, url: 'http://127.0.0.1:9/', token: 'a'.repeat(43), started_at: '2026-01-01T00:00:00.000Z' }
  for (const left of [gone, { ...gone, pid: process.pid }, { ...gone, pid: process.pid, url: 'http://evil.test:80/' }, 'half a fi']) {
    writeFileSync(join(home, 'runtime.json'), typeof left === 'string' ? left : JSON.stringify(left))
    expect(await command('runs')).toEqual({ status: 0, stdout: 'There are no runs yet. Start one with tandem run "…".\n', stderr: '' })
  }
})
