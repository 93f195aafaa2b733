// Models and their cost in the terminal: the list, the connection test, the month, and the status line of a session.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testModel } from './support/test-model.ts'
import { parseJsonLines as objects, useTandem } from './support/test-tandem.ts'
import { useTerminals } from './support/test-tmux.ts'

const patience = 90_000
const model = await testModel()
const listed = { id: 'test/scripted', name: 'Scripted', context_length: 32_000, supported_parameters: ['tools'] }
const pricing = { prompt: '0.0001', completion: '0.001' }
/** Only the list of a provider. */
const server = createServer((request, response) => {
  if (request.url === '/v1/models') return void response.end(JSON.stringify({ data: [{ ...listed, pricing }, { id: 'other/small' }] }))
  response.writeHead(404).end()
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const lists = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
afterAll(async () => {
  await model.stop()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
let url = lists
const variables = () => ({ TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: url, TANDEM_MODEL_KEY: 'sk-key', TANDEM_MODEL: 'test/scripted' })
const here = useTandem(variables)
const openTerminal = useTerminals()

test('tandem models lists, finds and tests the models of the address', { timeout: patience }, async () => {
  url = lists
  expect((await here.command('models')).stdout).toBe(
    'test/scripted  Scripted · 32K context · tools · $100 in, $1,000 out\nother/small    local\n',
  )
  expect((await here.command('models', 'small')).stdout).toBe('other/small  local\n')
  expect((await here.command('models', 'nothing')).stdout).toBe('No model matches.\n')
  expect(objects((await here.command('models', '--json', '--limit', '1')).stdout)).toMatchObject([
    { id: 'test/scripted', billing: 'priced' },
  ])
  expect(await here.command('models', '--test')).toMatchObject({
    status: 0,
    stdout: `${new URL(lists).host} responds and offers 2 models.\n`,
  })
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  url = `http://127.0.0.1:${port}/v1`
  expect(await here.command('models', '--test')).toMatchObject({
    status: 1,
    stdout: `Nothing responds at 127.0.0.1:${port}.\nCheck the port, and that the server is running.\n`,
  })
  expect(await here.command('models')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`Nothing responds at 127.0.0.1:${port}.`),
  })
})

test('tandem usage prints a month by model, for people and for programs', { timeout: patience }, async () => {
  url = model.url
  expect((await here.command('usage', '2020-01')).stdout).toBe('2020-01: no tokens were used.\n')
  model.script({ text: 'Hello.' })
  await here.command('run', 'hello')
  const month = new Date().toISOString().slice(0, 7)
  const price = { model: 'test/scripted', price: { input: 100, cached_input: null, output: 1_000 } }
  expect((await here.command('usage')).stdout).toBe(`${month}\ntest/scripted  10 in  5 out  local\nTotal          10 in  5 out  local\n`)
  expect(await here.command('command', 'model_set_price', JSON.stringify(price))).toMatchObject({ status: 0 })
  expect((await here.command('usage', month)).stdout).toBe(
    `${month}\ntest/scripted  10 in  5 out  $0.0060  ($100 in, $1,000 out per million)\nTotal          10 in  5 out  $0.0060\n`,
  )
  expect((await here.command('usage', '--format', 'csv')).stdout.split('\n').at(-2)).toBe('"Total","","1","10","0","5","","$0.0060"')
  expect((await here.command('usage', '--format', 'markdown')).stdout).toContain('| Total |  | 1 | 10 | 0 | 5 |  | $0.0060 |')
  expect(objects((await here.command('usage', '--json')).stdout)).toMatchObject([{ month, total: { runs: 1 } }])
  const [conversation] = objects((await here.command('conversations', '--json')).stdout)
  expect((await here.command('usage', '--conversation', String(conversation?.conversation_id))).stdout).toContain('$0.0060')
})

test.each([
  [['usage', 'November'], '"November" is not a month: write it like 2026-11'],
  [['usage', '2026-11', 'x'], 'unexpected argument "x"'],
  [['usage', '2026-11', '--conversation', 'x'], 'give a month or --conversation, not both'],
  [['usage', '--format', 'xml'], '--format must be one of csv, markdown'],
  [['models', '--limit', '0'], '--limit'],
  [['models', '--test', 'x'], 'unexpected argument "x"'],
])('%j is refused', { timeout: patience }, async (args, why) => {
  expect(await here.command(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(why) })
})

test('a session shows the cost in its status line', { timeout: patience }, async () => {
  url = model.url
  model.script({ text: 'Hello.' })
  const settings = { ...variables(), TANDEM_HOME: join(here.folder, 'home') }
  const terminal = openTerminal([], { cwd: here.workspace, env: settings, columns: 160 })
  await terminal.sees('test/scripted')
  terminal.type('hello')
  terminal.press('Enter')
  await terminal.sees('Hello.')
  await terminal.sees('10 in, 5 out · local')
})

test('/model lists what the address offers, and the choice is shown', { timeout: patience }, async () => {
  url = lists
  const settings = { ...variables(), TANDEM_HOME: join(here.folder, 'home') }
  const terminal = openTerminal([], { cwd: here.workspace, env: settings, columns: 160 })
  await terminal.sees('test/scripted')
  terminal.type('/model')
  terminal.press('Enter')
  await terminal.sees('Scripted · 32K context · tools · $100 in, $1,000 out')
  terminal.press('Down')
  terminal.press('Enter')
  await terminal.sees('Model for the next messages: other/small.')
})
