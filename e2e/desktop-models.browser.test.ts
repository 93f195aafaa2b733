// Models in the window: providers, the connection test, the picker with the keyboard only, prices, and the cost of runs and months.
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { branchWords } from '../packages/desktop/src/strings/branching.ts'
import { slashWords } from '../packages/desktop/src/strings/slash.ts'
import { words } from '../packages/desktop/src/strings/window.ts'
import { createCertificate } from '../packages/runtime/src/executor/reference/certificate.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { type Desktop, recordedAnswer, sendMessage } from './test-desktop.ts'

const openDesktop = useTestDesktop()
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listening(server: Server, scheme = 'http'): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const serve = (listener: RequestListener) => listening(createServer(listener))

const catalog = {
  data: [
    {
      ...{ id: 'vendor/large', name: 'Large', context_length: 400_000, supported_parameters: ['tools'] },
      architecture: { input_modalities: ['text', 'image'] },
      pricing: { prompt: '0.000002', completion: '0.00001' },
    },
    { id: 'vendor/small', context_length: 32_768, pricing: { prompt: '0.0000001', completion: '0.0000004' } },
    ...Array.from({ length: 300 }, (_, at) => ({ id: `other/model-${at}` })),
  ],
}

/** A provider whose list needs a key. */
const provider = () =>
  serve(({ headers, url }, response) => {
    if (url !== '/v1/models') return void response.writeHead(404).end()
    if (headers.authorization !== 'Bearer sk-right') return void response.writeHead(401).end('{}')
    response.end(JSON.stringify(catalog))
  })

const settings = (page: Page) => page.getByRole('region', { name: 'Model', exact: true })

async function testConnection(page: Page, address: string, key = ''): Promise<string> {
  const form = settings(page)
  await form.getByLabel('Base URL').fill(address)
  await form.getByLabel('API key').fill(key)
  await form.getByRole('button', { name: 'Test connection' }).click()
  const result = form.getByRole('status', { name: 'Test connection' })
  await result.locator('p').first().waitFor()
  return (await result.innerText()).replaceAll(/\s+/g, ' ').replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
}

test('a connection test names the result and what helps', async () => {
  const desktop = await openDesktop([])
  const page = await desktop.page({ path: '/settings' })
  const at = await provider()
  expect(await testConnection(page, at, 'sk-right')).toBe('HOST responds and offers 302 models. Choose a model.')
  expect(await testConnection(page, at, 'sk-wrong')).toBe('HOST does not accept the key. Check the key, or create a new one.')
  expect(await testConnection(page, at)).toBe('HOST needs a key. Enter your key.')
  const closed = await serve(() => undefined)
  await new Promise((resolve) => servers.pop()?.close(resolve))
  expect(await testConnection(page, closed)).toBe('Nothing responds at HOST. Check the port, and that the server is running.')
  expect(await testConnection(page, 'http://no-such-host.invalid/v1')).toBe(
    'There is no host named no-such-host.invalid. Check the spelling of the address and your network connection.',
  )
  const web = await serve((_request, response) => response.end('<html>Welcome</html>'))
  expect(await testConnection(page, web)).toBe(
    'HOST responds, but has no list of models there. Check the path of the address; it often ends in /v1. If this server has no list, type the name of the model.',
  )
  const secure = await listening(createTlsServer(createCertificate(Date.now())), 'https')
  expect(await testConnection(page, secure)).toBe(
    'The secure connection to HOST failed. Check its certificate, or use http:// if it is a server in your own network.',
  )
  const silent = await serve(() => undefined)
  expect(await testConnection(page, silent)).toBe('HOST did not respond in time. Try again; check the address if it happens again.')
  // A typed key was only tested, and nothing was saved.
  const saved = await desktop.runtime.commands.call('runtime_get_settings', {})
  expect(saved).toMatchObject({ ok: true, value: { settings: { model_base_url: null, model_key_set: false } } })
  // A wrong address is reported at its field.
  await settings(page).getByLabel('Base URL').fill('ftp://x')
  await settings(page).getByRole('button', { name: 'Test connection' }).click()
  await settings(page).getByRole('alert').getByText('It must start with http:// or https://').waitFor()
})

test('the result of a connection test is visible in a low window', async () => {
  const desktop = await openDesktop([])
  const page = await desktop.page({ path: '/settings', height: 420 })
  const at = await provider()
  await testConnection(page, at, 'sk-right')
  const result = settings(page).getByRole('status', { name: 'Test connection' })
  const bottom = async () => ((box) => (box ? box.y + box.height : Number.NaN))(await result.boundingBox())
  await expect.poll(bottom).toBeLessThanOrEqual(420)
})

test('a provider fills in its address, and links to its keys', async () => {
  const desktop = await openDesktop([])
  const page = await desktop.page({ path: '/settings' })
  const form = settings(page)
  await form.getByText('In use now:').waitFor()
  const shown = async (name: string) => {
    await form.getByLabel('Provider').selectOption({ label: name })
    return [await form.getByLabel('Base URL').inputValue(), await form.getByRole('link', { name: 'Get a key' }).count()]
  }
  expect(await shown('OpenAI')).toEqual(['https://api.openai.com/v1', 1])
  expect(await shown('Ollama')).toEqual(['http://127.0.0.1:11434/v1', 0])
  expect(await shown('LM Studio')).toEqual(['http://127.0.0.1:1234/v1', 0])
  expect(await shown('OpenRouter')).toEqual(['https://openrouter.ai/api/v1', 1])
  expect(await shown('Anthropic through the gateway')).toEqual(['', 0])
  expect(await shown('Another compatible address')).toEqual(['', 0])
})

async function configured(script: Parameters<typeof openDesktop>[0] = []): Promise<{ desktop: Desktop; page: Page }> {
  const desktop = await openDesktop(script)
  const at = await provider()
  const set = { model_base_url: at, model_key: 'sk-right', default_model: 'vendor/small' }
  expect(await desktop.runtime.commands.call('runtime_set_settings', set)).toMatchObject({ ok: true })
  return { desktop, page: await desktop.page({ path: '/settings' }) }
}

test('with the provider of the account chosen, the test and the list are those of the account, not of the saved provider', async () => {
  const { desktop, page } = await configured()
  const form = settings(page)
  const provider = form.getByLabel('Provider')
  await provider.selectOption({ label: 'Anthropic through the gateway' })
  const result = form.getByRole('status', { name: 'Test connection' })
  const press = async () => {
    await form.getByRole('button', { name: 'Test connection' }).click()
    await result.locator('p').first().waitFor()
    return (await result.innerText()).replaceAll(/\s+/g, ' ')
  }
  expect(await press()).toBe('You are not signed in to an account. Sign in first: the models of your account are then used.')
  await form.getByRole('combobox', { name: 'Default model' }).click()
  await form.getByText('You are not signed in to an account. Sign in first').waitFor()
  expect(await form.getByRole('option', { name: /vendor/ }).count()).toBe(0)
  const list = { data: [{ id: 'cloud/one' }] }
  const cloud = await serve((_request, response) => response.end(JSON.stringify(list)))
  desktop.runtime.offerModels({ base_url: cloud, default_model: null, key: async () => null })
  expect(await press()).toBe(`${new URL(cloud).host} responds and offers 1 model. Choose a model.`)
  // Another provider without an address has nothing to test.
  await provider.selectOption({ label: 'Another compatible address' })
  await form.getByRole('button', { name: 'Test connection' }).click()
  await form.getByRole('alert').getByText('Enter the address of the provider.').waitFor()
})

test('the default model is found and chosen with the keyboard only', async () => {
  const { desktop, page } = await configured()
  const field = settings(page).getByRole('combobox', { name: 'Default model' })
  await field.focus()
  await page.keyboard.press('ArrowDown')
  const list = settings(page).getByRole('listbox', { name: 'Models' })
  await list.getByRole('option').first().waitFor()
  expect(await list.getByRole('option').count()).toBe(50)
  await settings(page).getByText('252 more. Type to narrow the list.').waitFor()
  await field.fill('large')
  expect((await list.getByRole('option').allInnerTexts()).map((text) => text.split('\n').filter(Boolean))).toEqual([
    ['vendor/large', 'Large · 400K context · images · tools · $2.00 in, $10 out'],
  ])
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect([await field.inputValue(), await list.count()]).toEqual(['vendor/large', 0])
  await page.keyboard.press('ArrowDown')
  await list.waitFor()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await settings(page).getByText('Saved', { exact: true }).waitFor()
  const saved = await desktop.runtime.commands.call('runtime_get_settings', {})
  expect(saved).toMatchObject({ ok: true, value: { settings: { default_model: 'vendor/large' } } })
  // Any other name can be typed.
  await field.fill('my-own')
  await settings(page).getByText('No model in the list matches.').waitFor()
})

test('offline, the list is the one that was last seen, and says so', async () => {
  const { page } = await configured()
  const field = settings(page).getByRole('combobox', { name: 'Default model' })
  const list = settings(page).getByRole('listbox', { name: 'Models' })
  await field.click()
  await list.getByRole('option').first().waitFor()
  await page.keyboard.press('Escape')
  const [server] = servers.splice(0)
  server?.closeAllConnections()
  await new Promise((resolve) => server?.close(resolve))
  // A list of a local server is read again after 15 seconds.
  await expect
    .poll(
      async () => {
        await field.press('ArrowDown')
        await list.getByRole('option').first().waitFor()
        const isOld = await settings(page).getByText('This list is from').isVisible()
        await field.press('Escape')
        return isOld
      },
      { interval: 1_000 },
    )
    .toBe(true)
  await field.press('ArrowDown')
  await settings(page).getByText('Nothing responds at').waitFor()
})

test('the model of an agent and of the next message are chosen from the same list, also with /model', async () => {
  const { desktop, page } = await configured()
  const created = await desktop.runtime.commands.call('agent_create', { name: 'Tester' })
  if (!created.ok) throw new Error('no agent')
  await page.goto(new URL(`/agents/${created.value.agent.agent_id}`, page.url()).href)
  const field = page.getByRole('combobox', { name: 'Model', exact: true })
  await field.fill('small')
  await page.getByRole('option', { name: 'vendor/small' }).click()
  expect(await field.inputValue()).toBe('vendor/small')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await expect
    .poll(async () => {
      const read = await desktop.runtime.commands.call('agent_list', {})
      return read.ok && read.value.items[0]?.agent.model
    })
    .toBe('vendor/small')

  await page.goto(new URL('/', page.url()).href)
  const next = page.getByRole('combobox', { name: 'Model', exact: true })
  await next.fill('large')
  await page.getByRole('option', { name: 'vendor/large' }).waitFor()
  await next.press('ArrowDown')
  await next.press('Enter')
  expect(await next.inputValue()).toBe('vendor/large')
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('/model small')
  await page.getByRole('option', { name: /vendor\/small.*32K context/ }).waitFor()
  await box.press('Enter')
  await expect.poll(() => next.inputValue()).toBe('vendor/small')
})

test('the model and the sandbox mode of a conversation stay: for its next runs, after a reload and a restart, and in a branch', async () => {
  const desktop = await openDesktop((index) => ({ text: `Answer ${index}.` }))
  let page = await desktop.page()
  const model = () => page.getByRole('combobox', { name: 'Model', exact: true })
  const sandbox = () => page.getByRole('combobox', { name: words.composer.sandbox })
  const shown = async () => [await model().inputValue(), await sandbox().inputValue()]
  const used = async () => {
    const runs = await desktop.runtime.commands.call('agent_run_list', {})
    return runs.ok ? runs.value.items.map((run) => [run.model, run.sandbox_mode])[0] : []
  }
  // Before the conversation exists, the choice is kept in the window.
  await model().fill('chosen/one')
  await model().press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('composer')
  await sandbox().selectOption('strict')
  await page.reload()
  await expect.poll(shown).toEqual(['chosen/one', 'strict'])
  await sendMessage(page, 'First')
  await recordedAnswer(page, 'Answer 0.').waitFor()
  expect(await used()).toEqual(['chosen/one', 'strict'])
  await page.reload()
  await expect.poll(shown).toEqual(['chosen/one', 'strict'])
  await desktop.restart()
  page = await desktop.page({ path: new URL(page.url()).pathname })
  await expect.poll(shown).toEqual(['chosen/one', 'strict'])
  await sendMessage(page, 'Second')
  await recordedAnswer(page, 'Answer 1.').waitFor()
  expect(await used()).toEqual(['chosen/one', 'strict'])
  // Other conversations have their own.
  const { pathname } = new URL(page.url())
  await page.getByRole('link', { name: words.conversations.new }).first().click()
  await page.waitForURL((url) => url.pathname === '/')
  await expect.poll(shown).toEqual(['', ''])
  await page.goto(new URL(pathname, page.url()).href)
  await recordedAnswer(page, 'Answer 1.').waitFor()
  await page.locator('[data-role=assistant]').last().hover()
  await page.getByRole('button', { name: branchWords.regenerate }).last().click()
  await recordedAnswer(page, 'Answer 2.').waitFor()
  expect(await used()).toEqual(['chosen/one', 'strict'])
  expect(await shown()).toEqual(['chosen/one', 'strict'])
  // Back to the default. What another window shows follows.
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('/model default')
  await box.press('Escape')
  await box.press('Enter')
  await page.getByText(slashWords.model(null)).waitFor()
  await sandbox().selectOption('')
  await sendMessage(page, 'Third')
  await recordedAnswer(page, 'Answer 3.').waitFor()
  expect(await used()).toEqual(['scripted', 'workspace'])
  // A name that the runtime does not accept is reported at the field, and nothing is sent.
  await model().fill('x'.repeat(501))
  await box.fill('Fourth')
  await box.press('Enter')
  await page.locator('form').getByText('at most 500').waitFor()
  expect([await box.inputValue(), desktop.model.requests.length]).toEqual(['Fourth', 4])
})

test('what a terminal or another window chooses for a conversation is shown at once, and its next run uses it', async () => {
  const desktop = await openDesktop((index) => ({ text: `Answer ${index}.` }))
  const { commands } = desktop.runtime
  const page = await desktop.page()
  const sandbox = page.getByRole('combobox', { name: words.composer.sandbox })
  const model = page.getByRole('combobox', { name: words.composer.model })
  await sandbox.selectOption('trusted')
  await sendMessage(page, 'First')
  await recordedAnswer(page, 'Answer 0.').waitFor()
  const conversation_id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const set = await commands.call('conversation_set_run_options', { conversation_id, model: 'chosen/elsewhere', sandbox_mode: 'strict' })
  expect(set.ok).toBe(true)
  await expect.poll(() => Promise.all([sandbox.inputValue(), model.inputValue()])).toEqual(['strict', 'chosen/elsewhere'])
  await sendMessage(page, 'Second')
  await recordedAnswer(page, 'Answer 1.').waitFor()
  const runs = await commands.call('agent_run_list', {})
  expect(runs.ok && runs.value.items.map(({ model, sandbox_mode }) => [model, sandbox_mode])).toEqual([
    ['chosen/elsewhere', 'strict'],
    ['scripted', 'trusted'],
  ])
})

test('a run, its conversation and its month show what they cost, with the price of the user', async () => {
  const desktop = await openDesktop([
    { text: 'Hello.', usage: { prompt_tokens: 1_000, completion_tokens: 500 } },
    { text: 'Again.', usage: { prompt_tokens: 2_000, completion_tokens: 500 } },
  ])
  const page = await desktop.page()
  await sendMessage(page, 'Hello')
  await recordedAnswer(page, 'Hello.').waitFor()
  const header = page.locator('[data-cost]')
  const line = page.locator('article[data-card=RunStatus]').last()
  await header.getByText('1,500 tokens · local').waitFor()
  await line.getByText('1,500 tokens · local').waitFor()
  const conversation = page.url()

  await page.goto(new URL('/settings', page.url()).href)
  const usage = page.getByRole('region', { name: 'Usage and cost' })
  await usage
    .getByRole('row', { name: /scripted/ })
    .getByText('local')
    .waitFor()
  const price = async (input: string, cached: string, output: string) => {
    await usage.getByLabel('Input', { exact: true }).fill(input)
    await usage.getByLabel('Cached input').fill(cached)
    await usage.getByLabel('Output', { exact: true }).fill(output)
    await usage.getByRole('button', { name: 'Save price' }).click()
  }
  await price('', '', '1')
  await usage.getByRole('alert').getByText('Must be a number').waitFor()
  await price('-1', '', '1')
  await usage.getByRole('alert').waitFor()
  await price('100', '', '1000')
  await usage.getByText('Saved', { exact: true }).waitFor()
  await usage
    .getByRole('row', { name: /^Total/ })
    .getByText('$0.60')
    .waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await usage.getByRole('button', { name: 'Copy as CSV' }).click()
  await usage.getByText('Copied').waitFor()
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  expect(copied.split('\n').at(-2)).toBe('"Total","","1","1000","0","500","","$0.60"')

  await page.goto(conversation)
  await sendMessage(page, 'Again')
  await recordedAnswer(page, 'Again.').waitFor()
  await header.getByText('4,000 tokens · $1.30').waitFor()
  await line.getByText('2,500 tokens · $0.70').waitFor()
})
