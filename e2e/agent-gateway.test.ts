// End to end: a runtime with all its real tools, a real backend, and the model behind its gateway, with a user's own token.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRuntime, type Runtime } from '../packages/runtime/src/runtime.ts'
import { type Behaviour, startTestUpstream, type TestUpstream } from '../packages/server/test/support/upstream.ts'
import { emptyDatabase, type TestDatabase } from './server-database.ts'
import { endServers, type ServerProcess, startServerProcess } from './server-process.ts'

let folder: string
let workspace: string
let database: TestDatabase
let server: ServerProcess
let token: string
let upstream: TestUpstream
let runtime: Runtime
const logged: string[] = []

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tandem-agent-')))
  workspace = join(folder, 'workspace')
  await mkdir(workspace)
  await writeFile(join(workspace, 'greeting.txt'), 'hello world\n')
  database = await emptyDatabase()
  upstream = await startTestUpstream()
  server = await startServerProcess({
    ...{ BAAS_URL: database.url, BAAS_KEY: database.password, STORAGE_URL: `file:${join(folder, 'files')}` },
    ...{ OPENAI_API_KEY: 'sk-of-a-test', OPENAI_BASE_URL: `${upstream.url}/v1`, OLLAMA_HOST: 'off' },
  })
  const registered = await fetch(`${server.url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'agent@example.org', password: 'a long enough password' }),
  })
  token = ((await registered.json()) as { access_token: string }).access_token
  runtime = openRuntime({
    home: join(folder, 'home'),
    workspace,
    environment: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TANDEM_MEMORY_MODEL: 'off',
      TANDEM_MODEL_URL: `${server.url}/api/v1/llm`,
      TANDEM_MODEL_KEY: token,
      TANDEM_MODEL: 'demo/scripted',
    },
    log: (line) => logged.push(line),
  })
})

afterAll(async () => {
  await runtime.stop()
  await server[Symbol.asyncDispose]()
  await endServers()
  await upstream.close()
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}

/** Sends a message in a new conversation, and approves everything until the run has ended. */
async function ask(text: string, model = 'demo/scripted') {
  const { conversation } = await call('conversation_create', { workspace })
  const { run } = await call('agent_run_start', { conversation_id: conversation.conversation_id, text, model })
  const { run_id } = run
  const asked: string[] = []
  for (;;) {
    await runtime.settled(run_id)
    const state = runtime.journal.run(run_id)
    if (state?.state !== 'paused') break
    const { items } = await call('approval_list', { run_id })
    const [waiting] = items
    if (!waiting) throw new Error(`the run waits for ${state.pause_reason}: ${JSON.stringify(runtime.journal.steps(run_id).slice(-3))}`)
    const { approval_id, fingerprint, tool } = waiting.approval
    asked.push(tool)
    await call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
  }
  const run_ = runtime.journal.run(run_id)
  const steps = runtime.journal.steps(run_id).map(({ step }) => step)
  const { items: messages } = await call('message_list', { conversation_id: conversation.conversation_id })
  const said = messages.flatMap((message) => (message.role === 'assistant' ? [message.text] : []))
  return { run: run_, asked, steps, said, results: steps.filter((step) => step.kind === 'tool.result') }
}

test('the model lists, reads, writes, edits and searches the user’s files, and asks before it changes them', async () => {
  const listed = await ask('list the files')
  expect(listed).toMatchObject({ run: { state: 'completed' }, asked: [], results: [{ outcome: 'succeeded' }] })
  expect(JSON.stringify(listed.results)).toContain('greeting.txt')
  expect(JSON.stringify((await ask('read greeting.txt')).results)).toContain('hello world')
  expect(await ask('write "good morning" to notes.md')).toMatchObject({ run: { state: 'completed' }, asked: ['fs.write'] })
  expect(await readFile(join(workspace, 'notes.md'), 'utf8')).toBe('good morning')
  expect(await ask('replace "morning" with "evening" in notes.md')).toMatchObject({ run: { state: 'completed' }, asked: ['fs.edit'] })
  expect(await readFile(join(workspace, 'notes.md'), 'utf8')).toBe('good evening')
  expect(JSON.stringify((await ask('search for "evening"')).results)).toContain('notes.md')
})

test('a command runs in the sandbox after its approval, and a forbidden action is blocked', async () => {
  const ran = await ask('run `echo made > made.txt && ls`')
  expect(ran).toMatchObject({ run: { state: 'completed' }, asked: ['shell.exec'] })
  expect(await readFile(join(workspace, 'made.txt'), 'utf8')).toBe('made\n')
  const outside = join(folder, 'outside.txt')
  await ask(`run \`echo escaped > ${outside}\``)
  expect(existsSync(outside)).toBe(false)
})

test('todos are stored', async () => {
  const added = await ask('add a todo: water the plants')
  expect(added.steps.find((step) => step.kind === 'todos.changed')).toMatchObject({
    todos: [{ title: 'water the plants', state: 'pending' }],
  })
})

test('a question waits for its answer, and the answer reaches the model', async () => {
  const { conversation } = await call('conversation_create', { workspace })
  const started = await call('agent_run_start', { conversation_id: conversation.conversation_id, text: 'ask me "Tea or coffee?"' })
  const { run_id } = started.run
  await runtime.settled(run_id)
  expect(runtime.journal.run(run_id)).toMatchObject({ state: 'paused', pause_reason: 'question' })
  const { items } = await call('question_list', { run_id })
  const question_id = items[0]?.question.question_id ?? ''
  await call('agent_run_resume', { run_id, answer: { kind: 'question', question_id, answer: { chosen: [], text: 'Tea, please' } } })
  await runtime.settled(run_id)
  expect(runtime.journal.run(run_id)).toMatchObject({ state: 'completed' })
  const { items: messages } = await call('message_list', { conversation_id: conversation.conversation_id })
  expect(messages.at(-1)?.text).toContain('Tea, please')
})

test('the usage of the run is the usage the gateway counted, and the token is not recorded anywhere', async () => {
  const { run } = await ask('list the files')
  expect(run?.usage.input_tokens).toBeGreaterThan(0)
  const everything = JSON.stringify([runtime.events.list({ limit: 10_000 }), logged])
  expect(everything).not.toContain(token)
})

interface Told {
  readonly model: string
  readonly messages: readonly {
    readonly role: string
    readonly content: string | null
    readonly tool_call_id?: string
    readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[]
  }[]
}

/** The messages sent to the provider after the system prompt, per request. */
const told = () => upstream.requests.map(({ body }) => (JSON.parse(body.toString()) as Told).messages.slice(1))
const wire = (id: string, name: string, args: string | object) => ({
  id,
  name: name.replaceAll('.', '__'),
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
})

/** As real providers do: characters split anywhere, interleaved fragments of arguments, comments between events, and no usage. */
const rough = (answer: NonNullable<Behaviour['answer']>): Behaviour => ({
  answer: { usage: null, ...answer },
  ...{ bytes_a_write: 3, comments: true, line_end: '\r\n' },
})

test('a provider that streams over HTTP: parallel calls, malformed arguments, a truncated answer, and the end', async () => {
  upstream.forget()
  upstream.next(
    rough({
      text: 'Ich sehe nach – 世界 👋🏽',
      calls: [
        wire('call_a', 'fs.read', { path: 'greeting.txt' }),
        wire('call_b', 'fs.list', { path: '.' }),
        wire('call_c', 'fs.search', { pattern: 'hello wörld' }),
      ],
    }),
    rough({
      calls: [
        wire('call_d', 'fs.write', { path: 'grüße.txt', content: 'Grüße, 世界 👋🏽' }),
        wire('call_e', 'fs.read', { path: 'grüße.txt' }),
      ],
    }),
    rough({ calls: [wire('call_f', 'fs.read', '{"path": "greet'), wire('call_g', 'fs.read', { path: 'greeting.txt' })] }),
    rough({ text: 'Es war einmal', finish_reason: 'length' }),
    rough({ text: ' – und Schluss. 🎉' }),
  )
  const { run, asked, said, results } = await ask('Look around', 'openai/gpt-test')
  expect([run?.state, run?.turns, asked]).toEqual(['completed', 5, ['fs.write']])
  expect(said).toEqual(['Ich sehe nach – 世界 👋🏽', 'Es war einmal', ' – und Schluss. 🎉'])
  expect(await readFile(join(workspace, 'grüße.txt'), 'utf8')).toBe('Grüße, 世界 👋🏽')
  expect(results.map(({ outcome, failure_contract }) => failure_contract?.reason_code ?? outcome)).toEqual([
    ...['succeeded', 'succeeded', 'succeeded'],
    ...['succeeded', 'succeeded'],
    ...['malformed_arguments', 'succeeded'],
  ])
  // The API's protocol: each call of the model has its own id and its result, in the order of the calls.
  const last = told().at(-1) ?? []
  expect(last.map(({ role, tool_call_id, tool_calls }) => [role, tool_call_id ?? tool_calls?.map(({ id }) => id) ?? null])).toEqual([
    ['user', null],
    ['assistant', ['call_a', 'call_b', 'call_c']],
    ['tool', 'call_a'],
    ['tool', 'call_b'],
    ['tool', 'call_c'],
    ['assistant', ['call_d', 'call_e']],
    ['tool', 'call_d'],
    ['tool', 'call_e'],
    ['assistant', ['call_f', 'call_g']],
    ['tool', 'call_f'],
    ['tool', 'call_g'],
    ['assistant', null],
    ['user', null],
  ])
  const answered = (id: string) => last.find(({ tool_call_id }) => tool_call_id === id)?.content
  expect([answered('call_a'), answered('call_e'), answered('call_g')]).toEqual([
    expect.stringContaining('hello world'),
    expect.stringContaining('Grüße, 世界 👋🏽'),
    expect.stringContaining('hello world'),
  ])
  expect(last.at(-1)?.content).toContain('truncated at its limit')
  expect(run?.usage.estimated).toBe(true)
  expect(new Set(upstream.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer sk-of-a-test']))
})

test('a request whose stream breaks is sent again, and the text received so far is kept', async () => {
  upstream.forget()
  upstream.next({ answer: { text: 'Half of an answer' }, writes: 6, end: 'cut' }, { answer: { text: 'A whole answer' } })
  const { run, said, steps } = await ask('Say it', 'openai/gpt-test')
  expect([run?.state, said, upstream.requests.length]).toEqual(['completed', ['A whole answer'], 2])
  const partial = steps.flatMap((step) => (step.kind === 'text.partial' ? [step.text] : []))
  expect(partial).toEqual([expect.stringMatching(/^Half/)])
})
