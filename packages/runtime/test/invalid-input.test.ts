// Invalid input to every command of a whole runtime, generated from the schemas of the parameters, so new commands are covered too.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandError, type CommandName, commandNames } from '@tandem/contract/command'
import { commands } from '@tandem/contract/command/schema'
import { Check, Errors } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldsIn, type Known, type Nonsense, nonsenseFor } from '../../contract/test/support/invalid-values.ts'
import { rawTextIn } from '../../contract/test/support/raw-text.ts'
import { openRuntime, type Runtime } from '../src/runtime.ts'
import { startTestModel, type TestModel } from './support/model/test-model.ts'

let folder: string
let model: TestModel
let runtime: Runtime
let known: Known
const logged: string[] = []

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-nonsense-')))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  writeFileSync(join(workspace, 'notes.md'), 'Buy milk.')
  model = await startTestModel(() => ({ text: 'Done.' }))
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    TANDEM_MEMORY_MODEL: 'off',
    TANDEM_MODEL_URL: model.base_url,
    TANDEM_MODEL: 'test/model',
  }
  runtime = openRuntime({ home: join(folder, 'home'), workspace, environment, log: (line) => logged.push(line) })
  const value = async (name: CommandName, params: unknown) => {
    const answer = await runtime.commands.callUntrusted(name, params)
    if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
    return answer.value as Record<string, Record<string, string>>
  }
  const { agent } = await value('agent_create', { name: 'Tester' })
  const { conversation } = await value('conversation_create', { agent_id: agent?.agent_id })
  const { run } = await value('agent_run_start', { conversation_id: conversation?.conversation_id, text: 'Hello' })
  await runtime.settled(run?.run_id ?? '')
  const server = { server_id: 'files', name: 'Files', enabled: true, auto_reconnect: false, default_approval_mode: 'required' }
  const program = { transport: 'stdio', command: '/no/such/program', args: [], env_names: ['TOKEN'], working_directory: null }
  await value('mcp_server_add', { server: { ...server, ...program }, consent: null })
  known = {
    agent_id: agent?.agent_id ?? '',
    conversation_id: conversation?.conversation_id ?? '',
    run_id: run?.run_id ?? '',
    server_id: 'files',
    tool: 'fs.write',
    workspace,
  }
})

afterAll(async () => {
  await runtime.stop()
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})

// A workflow has thousands of places that can be wrong.
test.each(commandNames)('%s', { timeout: 300_000 }, async (name) => {
  const found: string[] = []
  for (const nonsense of casesOf(name)) {
    const answer = await runtime.commands.callUntrusted(name, nonsense.value)
    const faults = answer.ok ? faultsOfResult(name, answer.value) : faultsOfError(name, nonsense, answer.error)
    const said = answer.ok ? 'a result' : `${answer.error.code}: ${answer.error.message.slice(0, 300)}`
    found.push(...faults.map((fault) => `${nonsense.what} at ${nonsense.path.join('.')}: ${fault} in ${said}`))
  }
  expect([...new Set(found)]).toEqual([])
  expect(Object.prototype).not.toHaveProperty('polluted')
})

/** With ids that nothing has, and with those that exist. A large definition has them in few places, so a part of its cases is enough there. */
function casesOf(name: CommandName): readonly Nonsense[] {
  const { params } = commands[name]
  // A workflow is checked before it is saved: all of its places are tried with the check.
  const made = nonsenseFor(params).filter((_, at) => name !== 'workflow_save' || at % 8 === 0)
  const seen = new Set(made.map((one) => JSON.stringify(one)))
  const withKnown = nonsenseFor(params, known).filter((one) => !seen.has(JSON.stringify(one)))
  return [...made, ...withKnown.filter((_, at) => withKnown.length < 1_000 || at % 8 === 0)]
}

test('nothing was written outside the folders of the runtime, and no command failed unexpectedly', () => {
  expect(readdirSync(folder).filter((name) => !name.startsWith('tandem-sample'))).toEqual(['home', 'workspace'])
  expect(logged.filter((line) => /failed: .*Error/.test(line))).toEqual([])
})

function faultsOfResult(name: CommandName, value: unknown): string[] {
  return Errors(commands[name].result, JSON.parse(JSON.stringify(value))).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

function faultsOfError(name: CommandName, { path, value }: Nonsense, error: CommandError): string[] {
  const { code, message, remedy, fields = [], failure_contract } = error
  const { details } = failure_contract ?? {}
  const texts = [message, remedy, ...fields.map((one) => one.message), details?.message ?? '', details?.remedy ?? '']
  const faults = texts.flatMap((text) => rawTextIn(withoutEcho(text, value)))
  if (message.trim() === '') faults.push('no message')
  if (remedy.trim() === '') faults.push('no remedy')
  if (message.length > 1_000) faults.push(`a message of ${message.length} characters`)
  if (code === 'internal_error') faults.push('an unexpected error')
  if (code === 'invalid_params' && !message.startsWith('the parameters ')) faults.push(...faultsOfFields(name, path, value, fields))
  return faults
}

/** A form can show it next to the field with the invalid value. What matches the schema can be refused because of another field, too. */
function faultsOfFields(
  name: CommandName,
  [wrong]: Nonsense['path'],
  value: unknown,
  fields: NonNullable<CommandError['fields']>,
): string[] {
  const { params } = commands[name]
  const named = fields.map(({ field }) => field.split(/[.[]/)[0] ?? '')
  if (named.length === 0) return ['no field']
  if (wrong !== undefined && 'properties' in params && !Check(params, value))
    return named.includes(wrong) ? [] : [`${named} instead of ${wrong}`]
  return named.filter((one) => one !== wrong && !fieldsIn(params).includes(one)).map((one) => `${one} is not a field`)
}

/** A user's input may be repeated to them. */
function withoutEcho(text: string, value: unknown): string {
  if (typeof value === 'string') return value === '' ? text : text.replaceAll(value, '…')
  if (typeof value !== 'object' || value === null) return text
  return Object.values(value).reduce<string>(withoutEcho, text)
}
