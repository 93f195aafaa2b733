// The interactive session in a real terminal, with real keys and a scripted model.
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { useScriptedTandem } from './support/test-scripted.ts'
import { type TestTerminal, useTerminals } from './support/test-tmux.ts'

const patience = 90_000
const esc = '\u001b'
const { model, here, environment: variables } = await useScriptedTandem()
beforeEach(() => {
  model.requests.length = 0
})
const openTerminal = useTerminals()
const sent = (at: number) => JSON.stringify(model.requests[at]?.messages)
const file = (name: string) => join(here.workspace, name)

interface ChatOptions {
  readonly columns?: number
  readonly env?: NodeJS.ProcessEnv
}

async function chat(args: readonly string[] = [], { columns, env = {} }: ChatOptions = {}): Promise<TestTerminal> {
  const settings = { ...variables(), TANDEM_HOME: join(here.folder, 'home'), ...env }
  const terminal = openTerminal(args, { cwd: here.workspace, env: settings, ...(columns === undefined ? {} : { columns }) })
  await terminal.sees('test/scripted')
  return terminal
}

async function say(terminal: TestTerminal, text: string): Promise<void> {
  terminal.type(text)
  terminal.press('Enter')
}

describe('an answer', () => {
  test('is Markdown, streamed, with wide characters, and cannot control the terminal', { timeout: patience }, async () => {
    model.script(
      { text: '# Title\n\n**bold** `code`\n\n- one\n- 漢字 😀\n\na\u001b[2Jb\u001b]0;owned\u0007c\u202ed &#27;[2J', pieces: 30 },
      { hang: true },
    )
    const terminal = await chat()
    await say(terminal, 'show me')
    await terminal.sees('- 漢字 😀')
    await terminal.sees(/^abcd/m)
    expect(terminal.screen()).toContain('Title')
    expect(terminal.screen()).not.toContain('**bold**')
    // Bold text is bold, and the title has a color.
    expect(terminal.colored()).toContain(`${esc}[1mbold`)
    expect(terminal.screen()).toContain('› show me')
    await terminal.sees('10 in, 5 out')
    await say(terminal, 'and now')
    // Shown before the answer is complete.
    await terminal.sees('Thinking it over')
  })

  test('has no colors with NO_COLOR, and fits 40 columns before and after a resize', { timeout: patience }, async () => {
    const words = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')
    model.script({ text: `# Title\n\n${words}\n\n| left | right |\n|---|---|\n| 漢字漢字漢字漢字漢字漢字漢字漢字 | b |` })
    const terminal = await chat([], { columns: 40, env: { NO_COLOR: '1' } })
    await say(terminal, 'show me')
    await terminal.sees('word39')
    await terminal.sees(/test\/scripted · .*workspace/)
    for (const color of [31, 32, 33, 36]) expect(terminal.colored()).not.toContain(`${esc}[${color}m`)
    // Without what was printed before the session began.
    const [, session = ''] = terminal.screen().split('Tandem in')
    expect(Math.max(...session.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40)
    terminal.resize(30, 30)
    await say(terminal, '/help')
    await terminal.sees('/quit')
    terminal.resize(120, 40)
    await say(terminal, '/model other')
    await terminal.sees('Model for the next messages: other.')
  })

  test('a retry of the model is shown, and a start without a model keeps what was typed', { timeout: patience }, async () => {
    const body = JSON.stringify({ error: { message: 'Slow down, please.', code: 'rate_limit_exceeded' } })
    model.script({ status: 429, body, headers: { 'retry-after-ms': '100' } }, { text: 'Here I am.' })
    const terminal = await chat()
    await say(terminal, 'hello?')
    await terminal.sees('The model did not respond: Slow down, please.')
    await terminal.sees('Here I am.')
    terminal.press('C-d')
    expect(await terminal.exited()).toBe(0)
    const settings = { ...variables(), TANDEM_MODEL_URL: '', TANDEM_MODEL_KEY: '', TANDEM_MODEL: '' }
    const bare = openTerminal([], { cwd: here.workspace, env: { ...settings, TANDEM_HOME: join(here.folder, 'home2') } })
    await bare.sees('No model is configured.')
    await say(bare, 'keep this text')
    await bare.sees('✗')
    await bare.sees(/─\nkeep this text/)
  })
})

describe('the composer', () => {
  test('takes several lines and pastes, and has a history that is kept', { timeout: patience }, async () => {
    model.script({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' })
    const terminal = await chat()
    terminal.type('first line')
    terminal.press('C-j')
    terminal.type('second line')
    terminal.press('Enter')
    await terminal.sees('One.')
    expect(sent(0)).toContain('first line\\nsecond line')
    terminal.paste('pasted a\npasted b')
    await terminal.sees('pasted b')
    expect(model.requests).toHaveLength(1)
    terminal.press('Enter')
    await terminal.sees('Two.')
    expect(sent(1)).toContain('pasted a\\npasted b')
    terminal.press('C-d')
    expect(await terminal.exited()).toBe(0)
    expect(terminal.screen()).toContain('To continue: tandem chat --conversation')
    const again = await chat(['chat', '--continue'])
    // What was said is shown.
    await again.sees('Two.')
    again.press('Up')
    await again.sees(/─\npasted a/)
    again.press('Enter')
    await again.sees('Three.')
    expect(sent(2)).toContain('first line')
  })

  test('completes files after @, and attaches a picture that is named', { timeout: patience }, async () => {
    mkdirSync(file('src'))
    writeFileSync(file('src/greeting.ts'), 'hello')
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
    for (const name of ['dot.png', 'big.png']) writeFileSync(file(name), png)
    truncateSync(file('big.png'), 11 * 1024 * 1024)
    model.script({ text: 'I see.' })
    const terminal = await chat()
    terminal.type('look at @gree')
    await terminal.sees('src/greeting.ts')
    terminal.press('Tab')
    await terminal.sees('look at @src/greeting.ts')
    terminal.type('and dot.png big.png')
    terminal.press('Enter')
    await terminal.sees('attached: dot.png')
    await terminal.sees(/big\.png\s+is\s+larger\s+than\s+10\s+MiB/)
    await terminal.sees('I see.')
    expect(sent(0)).toContain('look at @src/greeting.ts and dot.png')
    expect(sent(0)).toContain('data:image/png;base64')
  })
})

describe('slash commands', () => {
  test('/help, /model, /agent, /new and /conversations', { timeout: patience }, async () => {
    await here.command('agents', 'create', 'Scribe', '--instructions', 'Answer in rhymes.')
    model.script({ text: 'First answer.' }, { text: 'A rhyme.' }, { text: 'Continued.' })
    const terminal = await chat()
    await say(terminal, '/help')
    await terminal.sees('/conversations')
    await say(terminal, '/model test/other')
    await terminal.sees(/test\/other · /)
    await say(terminal, 'first question')
    await terminal.sees('First answer.')
    expect(model.requests[0]).toMatchObject({ model: 'test/other' })
    await say(terminal, '/model test/third')
    await terminal.sees('Model for the next messages: test/third.')
    terminal.type('/age')
    await terminal.sees(/→ agent \[NAME\]/)
    terminal.press('Enter')
    await terminal.sees(/^Agents/m)
    terminal.press('Escape')
    await terminal.seesNot('Esc to close')
    await say(terminal, '/agnet Scribe')
    await terminal.sees('There is no command or skill /agnet.')
    terminal.press('C-c')
    await say(terminal, '/agent Scribe')
    await terminal.sees('A new conversation with Scribe.')
    await say(terminal, 'second question')
    await terminal.sees('A rhyme.')
    expect(sent(1)).toContain('Answer in rhymes.')
    expect(sent(1)).not.toContain('first question')
    await say(terminal, '/new')
    await terminal.sees('A new conversation. Describe a task.')
    await say(terminal, '/conversations')
    await terminal.sees(/→ second question/)
    terminal.press('Down', 'Enter')
    await terminal.sees('Continuing “first question”.')
    await say(terminal, 'third question')
    await terminal.sees('Continued.')
    expect(sent(2)).toContain('First answer.')
    // Each conversation has its own model.
    expect(model.requests).toMatchObject([{ model: 'test/other' }, { model: 'test/scripted' }, { model: 'test/third' }])
  })

  test('/skill chooses a skill, /todos lists todos, /compact summarizes and /undo restores files', { timeout: patience }, async () => {
    mkdirSync(join(here.folder, 'home/skills/forms'), { recursive: true })
    const skill = '---\nname: forms\ndescription: Helps with forms.\n---\nFollow the rules of forms.\n'
    writeFileSync(join(here.folder, 'home/skills/forms/SKILL.md'), skill)
    await here.command('skills', 'bind', 'forms')
    writeFileSync(file('a.txt'), 'before\n')
    model.script(
      { call: 'todo.create', arguments: { todos: [{ title: 'Fill it in' }, { title: 'Check it' }] } },
      { call: 'fs.write', arguments: { path: 'a.txt', content: 'after\n' } },
      { text: 'Filled in.' },
    )
    const terminal = await chat()
    await say(terminal, '/skill')
    await terminal.sees('Helps with forms.')
    terminal.press('Enter')
    await terminal.sees(/─\n\/forms/)
    await say(terminal, 'Fill in the form')
    await terminal.sees('☐ Fill it in')
    await terminal.sees('Allow this?')
    terminal.press('y')
    await terminal.sees('Filled in.')
    expect(sent(0)).toContain('Follow the rules of forms.')
    await say(terminal, '/todos')
    await terminal.sees('☐ Check it')
    model.script({ text: 'A summary of it all.' })
    await say(terminal, '/compact')
    await terminal.sees('The conversation was summarized:')
    expect(readFileSync(file('a.txt'), 'utf8')).toBe('after\n')
    await say(terminal, '/undo')
    await terminal.sees('Restore this?')
    expect(terminal.screen()).toContain('-after')
    terminal.press('y')
    await terminal.sees('1 reverted')
    expect(readFileSync(file('a.txt'), 'utf8')).toBe('before\n')
  })
})

describe('while the agent works', () => {
  test('messages are queued, can be edited, and are sent at the next turn', { timeout: patience }, async () => {
    writeFileSync(file('notes.txt'), 'hello')
    const gate = Promise.withResolvers<void>()
    model.script({ call: 'fs.read', arguments: { path: 'notes.txt' }, after: () => gate.promise }, { text: 'Both done.' })
    const terminal = await chat()
    await say(terminal, 'read the notes')
    await terminal.sees('Working…')
    await say(terminal, 'and count the wrods')
    await terminal.sees('⏳ and count the wrods')
    terminal.press('Up')
    await terminal.seesNot('⏳')
    terminal.press('BSpace', 'BSpace', 'BSpace', 'BSpace', 'BSpace')
    await say(terminal, 'words')
    await terminal.sees('⏳ and count the words')
    gate.resolve()
    await terminal.sees('Both done.')
    expect(sent(1).split('and count the words')).toHaveLength(2)
    expect(model.requests).toHaveLength(2)
    await terminal.seesNot('⏳')
    expect(terminal.screen()).toContain('› and count the words')
  })

  test('Enter sends a queued message now: the same run continues with it', { timeout: patience }, async () => {
    model.script({ hang: true })
    const terminal = await chat()
    await say(terminal, 'think long')
    await model.hanging()
    await say(terminal, 'stop thinking, answer')
    await terminal.sees('⏳ stop thinking, answer')
    model.script({ text: 'The answer.' })
    terminal.press('Enter')
    await terminal.sees('The answer.')
    expect(sent(1)).toContain('stop thinking, answer')
    expect((await here.command('runs', '--json')).stdout.trim().split('\n')).toHaveLength(1)
  })

  test('Ctrl-C interrupts the turn and keeps the session; twice with an empty composer quits', { timeout: patience }, async () => {
    model.script({ hang: true })
    const terminal = await chat()
    await say(terminal, 'think')
    await model.hanging()
    terminal.press('C-c')
    await terminal.sees('The run was stopped.')
    model.script({ text: 'Still here.' })
    await say(terminal, 'are you there?')
    await terminal.sees('Still here.')
    expect(sent(1)).toContain('think')
    terminal.type('half a message')
    await terminal.sees('half a message')
    terminal.press('C-c')
    await terminal.seesNot('half a message')
    terminal.press('C-c')
    await terminal.sees('Press Ctrl-C again to quit.')
    terminal.press('C-c')
    expect(await terminal.exited()).toBe(0)
  })
})

describe('approvals', () => {
  test('show a colored diff and the same choices as the window; a denial has a reason', { timeout: patience }, async () => {
    writeFileSync(file('a.txt'), 'old line\n')
    const write = (content: string) => ({ call: 'fs.write', arguments: { path: 'a.txt', content } })
    model.script(write('new line\n'), write('other line\n'), { text: 'Done.' })
    const terminal = await chat()
    await say(terminal, 'change it')
    await terminal.sees('Overwrite a.txt?')
    await terminal.sees('Show everything')
    const screen = terminal.screen()
    for (const choice of ['Allow once', 'Allow for this run', 'Always allow', 'Deny', 'Edit the arguments'])
      expect(screen).toContain(choice)
    expect(terminal.colored()).toContain(`${esc}[32m+new line`)
    expect(terminal.colored()).toContain(`${esc}[31m-old line`)
    terminal.press('w')
    await terminal.sees('Tell the agent why')
    await say(terminal, 'use another word')
    await terminal.sees('+other line')
    expect(sent(1)).toContain('use another word')
    expect(readFileSync(file('a.txt'), 'utf8')).toBe('old line\n')
    await terminal.sees('Allow this?')
    terminal.press('Enter')
    await terminal.sees('Done.')
    expect(readFileSync(file('a.txt'), 'utf8')).toBe('other line\n')
  })

  test('the output of a command is visible while it runs and after it, without its control sequences', { timeout: patience }, async () => {
    const command = `printf 'begun\\033[2J\\n'; while [ ! -e go ]; do sleep 0.1; done; echo finished`
    model.script({ call: 'shell.exec', arguments: { command } }, { text: 'It ran.' })
    const terminal = await chat()
    await say(terminal, 'run it')
    await terminal.sees('Allow this?')
    terminal.press('y')
    await terminal.sees(/^ {2}begun/m)
    writeFileSync(file('go'), '')
    await terminal.sees(/^ {2}finished/m)
    await terminal.sees('It ran.')
  })

  test('an approval can wait: the session can be left and continued', { timeout: patience }, async () => {
    model.script({ call: 'fs.write', arguments: { path: 'late.txt', content: 'x' } })
    const terminal = await chat()
    await say(terminal, 'write it')
    await terminal.sees('Allow this?')
    terminal.press('Escape')
    await terminal.sees('Paused: a call needs your approval.')
    await say(terminal, '/quit')
    expect(await terminal.exited()).toBe(0)
    expect(existsSync(file('late.txt'))).toBe(false)
    model.script({ text: 'Written.' })
    const again = await chat(['chat', '--continue'])
    await again.sees('Allow this?')
    again.press('y')
    await again.sees('Written.')
    expect(existsSync(file('late.txt'))).toBe(true)
  })

  test('a question is answered with an option or with own words', { timeout: patience }, async () => {
    const question = { call: 'ask_user', arguments: { question: 'Which color?', options: [{ value: 'red' }, { value: 'blue' }] } }
    model.script(question, question, { text: 'Thanks.' })
    const terminal = await chat()
    await say(terminal, 'paint')
    await terminal.sees('Select one')
    terminal.press('2')
    await expect.poll(() => model.requests.length).toBe(2)
    expect(sent(1)).toContain('The user chose: blue')
    await terminal.sees('Select one')
    terminal.press('o')
    await terminal.sees('Your answer:')
    await say(terminal, 'rather green')
    await terminal.sees('Thanks.')
    expect(sent(2)).toContain('rather green')
  })
})

test('each call is one line, with its failure below it, and reports from the background are in a file', { timeout: patience }, async () => {
  const path = `${'a-folder-that-is-not-there/'.repeat(5)}notes.md`
  model.script(
    { call: 'fs.read', arguments: { path } },
    { call: 'fs.write', arguments: { path: 'notes.md', content: 'x' } },
    { text: 'I leave it.' },
  )
  // With a model that reviews conversations, whose answers are not what was asked for.
  const terminal = await chat([], { columns: 60, env: { TANDEM_MEMORY_MODEL: '' } })
  await say(terminal, 'write it')
  await terminal.sees('Deny (n)')
  const lines = terminal.screen().split('\n')
  const at = lines.findIndex((line) => line.startsWith('✗ Read '))
  expect(lines[at]?.length).toBeLessThanOrEqual(60)
  expect(lines[at + 1]).toMatch(/^ {2}"a-folder/)
  expect(lines.slice(at).join('').replaceAll(' ', '')).toContain('doesnotexist.')
  expect(terminal.screen()).not.toContain('List the folder')
  terminal.press('n')
  await terminal.sees('I leave it.')
  expect(terminal.screen()).toMatch(/✗ Write notes\.md\n {2}You denied this call\.\n/)
  const log = join(here.folder, 'home/terminal.log')
  await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8')).toContain('the model did not answer with')
  expect(terminal.screen()).not.toContain('did not answer with')
  // What it still does in the background would use the script of the next test.
  terminal.press('C-d')
  expect(await terminal.exited()).toBe(0)
})

test('two sessions share one runtime, and one continues when the other ends', { timeout: patience }, async () => {
  model.script({ text: 'In the first.' }, { text: 'In the second.' }, { text: 'Alone now.' })
  const first = await chat()
  await say(first, 'one')
  await first.sees('In the first.')
  const second = await chat()
  await say(second, 'two')
  await second.sees('In the second.')
  await say(first, '/quit')
  expect(await first.exited()).toBe(0)
  await say(second, 'three')
  await second.sees('Alone now.')
  expect(sent(2)).toContain('In the second.')
})
