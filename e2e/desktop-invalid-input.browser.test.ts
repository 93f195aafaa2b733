// Invalid input in every field of the window. Errors are shown next to their fields, in plain words, and never in a notice.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { strangeTexts } from '../packages/contract/test/support/invalid-values.ts'
import { rawTextIn } from '../packages/contract/test/support/raw-text.ts'
import { workflowExamples } from '../packages/desktop/src/workflows/workflow-examples.ts'
import { definitionSha256 } from '../packages/runtime/src/mcp/definition.ts'
import { useAuthorities } from '../packages/runtime/test/support/mcp/test-authorization-server.ts'
import { httpServer } from '../packages/runtime/test/support/mcp/test-mcp.ts'
import { launchChromium } from './chromium.ts'
import { type CloudServer, newUser, startCloudServer } from './cloud-server.ts'
import { type Desktop, openDesktop, sendMessage } from './test-desktop.ts'

const person = newUser()
/** Texts without a line break, for single-line fields. */
const texts = ['a very long text', 'only spaces', 'a NUL byte', 'a script', 'an emoji', 'a path that climbs out', 'a database command'].map(
  (what) => [what, strangeTexts[what] ?? ''] as const,
)

const numbers = [
  ['a negative number', '-1'],
  ['a huge number', '1e300'],
  ['half a number', '1.5'],
] as const
/** For a new password: any other text is valid. */
const tooShortOrLong = texts.filter(([, text]) => text.length < 10 || text.length > 1_000)
/** For what is sent in a header: other texts are valid. */
const notInHeaders = texts.filter(([, text]) => text.length > 4_096 || (text.trim() !== '' && !/^[\x21-\x7e]+$/.test(text)))
const enormous = ['an enormous text', 'x'.repeat(70_000)] as const

const authorities = useAuthorities()
let server: CloudServer
let browser: Browser
let desktop: Desktop
let page: Page
/** Calls of the window without a response yet. */
const pending = new Set<number>()
/** Whether a command was refused since the last check. */
let refused = false
const visited = new Set<string>()

beforeAll(async () => {
  server = await startCloudServer()
  browser = await launchChromium()
  const question = { name: 'ask_user', arguments: { question: 'Which colour?', allows_text: true } }
  const write = { name: 'fs.write', arguments: { path: 'notes.md', content: 'changed' } }
  desktop = await openDesktop(browser, [{ calls: [question] }, { calls: [write] }, { text: 'Done.' }])
  page = await desktop.page({ path: '/', width: 1200, height: 1000 })
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => desktop.consoleErrors.push('a script ran')))
  watchCalls()
})

afterAll(async () => {
  for (const context of browser.contexts()) await context.close()
  await desktop.stop()
  await browser.close()
  await server[Symbol.asyncDispose]()
  expect(desktop.consoleErrors).toEqual([])
})

function watchCalls(): void {
  const read = (payload: string | Buffer) => JSON.parse(String(payload)) as { id?: number; error?: object }
  page.on('websocket', (socket) => {
    pending.clear()
    socket.on('framesent', ({ payload }) => {
      const { id } = read(payload)
      if (id !== undefined) pending.add(id)
    })
    socket.on('framereceived', ({ payload }) => {
      const { id, error } = read(payload)
      if (id !== undefined) pending.delete(id)
      if (error) refused = true
    })
  })
}

/** Waits until all calls have a response and are rendered. */
async function settled(): Promise<void> {
  await expect.poll(() => pending.size).toBe(0)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

async function goTo(path: string): Promise<void> {
  await page.goto(new URL(path, desktop.window.url).href)
  await page.getByRole('navigation').first().waitFor()
  await settled()
}

const field = (name: string, around: Page | Locator = page) => around.locator(`[data-field="${name}"]`).first()

type Text = readonly [what: string, text: string]

/** Types each invalid value into a field, submits its form, and restores the field. Ends early if the form was accepted and is gone. */
async function nonsense(name: string, submit: Locator, around: Page | Locator = page, all: readonly Text[] = texts): Promise<void> {
  const input = field(name, around)
  await input.waitFor()
  visited.add(name)
  const before = await input.inputValue()
  const isNumber = (await input.getAttribute('type')) === 'number'
  const found: string[] = []
  for (const [what, text] of isNumber ? numbers : all) {
    await input.fill(text)
    if (await submit.isDisabled()) continue
    await submit.click()
    await settled()
    found.push(...(await faults(name, text, around)).map((fault) => `${name}, ${what}: ${fault}`))
    if (!(await input.isVisible())) break
  }
  if (await input.isVisible()) await input.fill(before)
  expect(found).toEqual([])
}

async function faults(name: string, typed: string, around: Page | Locator): Promise<string[]> {
  // All in one question, because each question to the browser takes as long as this.
  const { shown, notices, alerts, invalid, says, focused } = await page
    .locator('body')
    .or(field(name, around))
    .evaluateAll(([body, input]) => {
      const document = body.ownerDocument
      const textsOf = (selector: string): string[] => [...document.querySelectorAll(selector)].map((element) => element.innerText)
      const described = input?.getAttribute('aria-describedby')
      return {
        shown: String(body.innerText),
        notices: textsOf('.fixed [role=alert]'),
        alerts: textsOf('[role=alert]:not(.fixed [role=alert])').filter((text) => text.trim() !== ''),
        invalid: input?.getAttribute('aria-invalid') === 'true',
        says: String(described ? document.getElementById(described)?.innerText : ''),
        focused: input === document.activeElement,
      }
    })
  const found = rawTextIn(shown.replaceAll(typed, '…'))
  for (const notice of notices) found.push(`a notice: ${notice}`)
  const wasRefused = refused
  refused = false
  if (alerts.length === 0) return wasRefused ? [...found, 'refused, and nothing is shown'] : found
  if (!invalid) found.push(`not at the field: ${alerts.join(' ')}`)
  else if (!/^[A-Z].*[.!?]$/s.test(says.trim())) found.push(`no sentence: ${says}`)
  else if (!focused) found.push('not focused')
  return found
}

const button = (name: string, around: Page | Locator = page) => around.getByRole('button', { name, exact: true })
const formOf = (name: string) => page.locator('form').filter({ has: page.locator(`[data-field="${name}"]`) })

test('settings', async () => {
  await goTo('/settings')
  for (const name of ['model_base_url', 'default_model', 'model_context_window', 'model_key', 'search_url', 'search_key'])
    await nonsense(name, button('Save', formOf(name)))
  for (const name of ['model_base_url', 'model_key']) await nonsense(name, button('Test connection', formOf(name)))
  await field('price.input').fill('1')
  await field('price.output').fill('1')
  for (const name of ['model', 'price.input', 'price.cached_input', 'price.output'])
    await nonsense(name, button('Save price', formOf(name)))
  await button('Remove price', formOf('price.input')).click()
  const saved = formOf('model_base_url').getByText('Saved', { exact: true })
  await field('default_model').fill('another-model')
  await button('Save', formOf('default_model')).click()
  await saved.waitFor()
  await settled()
  // The settings were read again since; the confirmation stays until the next edit.
  expect(await saved.isVisible()).toBe(true)
  await field('default_model').fill('scripted')
  expect(await saved.count()).toBe(0)
  await button('Save', formOf('default_model')).click()
  await saved.waitFor()
})

test('an agent and its policies', async () => {
  const { agent_id } = await newAgent()
  await goTo(`/agents/${agent_id}`)
  for (const name of ['name', 'description', 'identity.role', 'identity.tone', 'model', 'max_turns', 'instructions'])
    await nonsense(name, button('Save', formOf('max_turns')), formOf('max_turns'))
  await field('max_turns').fill('7')
  await button('Save', formOf('max_turns')).click()
  const saved = formOf('max_turns').getByText('Saved', { exact: true })
  await saved.waitFor()
  await settled()
  expect([await saved.isVisible(), await field('max_turns').inputValue()]).toEqual([true, '7'])
  const policy = page.getByRole('button', { name: 'Edit the policy of fs.write' })
  const fields = [
    'rate_limit.calls',
    'rate_limit.per_seconds',
    'time_limit.seconds',
    'network_scope.hosts',
    'fs_scope.roots',
    'fs_scope.globs',
  ]
  for (const name of fields.map((one) => `policy.${one}`)) {
    if ((await policy.getAttribute('aria-expanded')) === 'false') await policy.click()
    await nonsense(name, button('Save', formOf(name)))
  }
  if ((await policy.getAttribute('aria-expanded')) === 'false') await policy.click()
  await button('Save', formOf('policy.time_limit.seconds')).click()
  await page.getByRole('row').filter({ has: policy }).getByText('Saved', { exact: true }).waitFor()
})

test('MCP servers', async () => {
  await goTo('/mcp')
  await button('Add a server').click()
  const review = button('Review')
  await field('server.server_id').fill('made')
  await field('server.command').fill('/opt/missing')
  for (const name of ['server_id', 'name', 'command', 'working_directory', 'args', 'env_names']) await reviewed(`server.${name}`)
  await choose('URL')
  await field('server.url').fill('http://127.0.0.1:9/')
  for (const name of ['url', 'header_names', 'query_names']) await reviewed(`server.${name}`)
  await choose('Local command')
  await field('server.env_names').fill('TOKEN')
  await review.click()
  await nonsense('consent.network_hosts', button('Add and start'))
  await goTo('/mcp')
  await button('Import').click()
  await nonsense('text', button('Review', formOf('text')))
  await desktop.runtime.commands.call('mcp_server_revoke', { server_id: 'made' })
  await goTo('/mcp/made')
  await nonsense('network_hosts', button('Approve and start'))
  await nonsense('value', button('Save', formOf('value')))

  const signIn = httpServer('club', (await authorities()).mcp_url)
  const consent = { definition_sha256: definitionSha256(signIn), network_hosts: [] }
  await desktop.runtime.commands.call('mcp_server_add', { server: signIn, consent })
  await goTo('/mcp/club')
  await nonsense('requests_per_run', button('Save limit'))
  await page.getByText('Use a client you registered').click()
  for (const name of ['client_id', 'client_secret']) await nonsense(name, button('Sign in'), page, notInHeaders)

  function choose(transport: string): Promise<void> {
    return page.getByRole('group', { name: 'Type' }).getByText(transport, { exact: true }).click()
  }

  /** A definition that is accepted is shown as a preview: back to the form. */
  async function reviewed(name: string): Promise<void> {
    const before = await field(name).inputValue()
    for (const [what, text] of texts) {
      visited.add(name)
      await field(name).fill(text)
      if (await review.isDisabled()) continue
      await review.click()
      await settled()
      expect(await faults(name, text, page), `${name}, ${what}`).toEqual([])
      const back = button('Edit')
      if (await back.isVisible()) await back.click()
    }
    await field(name).fill(before)
  }
})

test('the account, its devices, files and tasks', async () => {
  await goTo('/devices')
  await page.getByLabel('Create account').check()
  await field('cloud_url').fill(server.url)
  await field('email').fill(person.email)
  await field('password').fill('short')
  for (const name of ['cloud_url', 'email', 'password']) await nonsense(name, button('Sign in'), page, tooShortOrLong)
  await field('password').fill(person.password)
  await button('Sign in').click()
  await page.getByText(person.email).first().waitFor()

  await button('Create a key').click()
  await nonsense('name', button('Create key'))
  await goTo('/devices')
  await page
    .getByRole('button', { name: /^Rename / })
    .first()
    .click()
  await nonsense('name', button('Save', formOf('name')))
  await goTo('/devices')
  await button('Change password').first().click()
  await field('current_password').fill(person.password)
  await field('new_password').fill(`${person.password}, renewed`)
  await field('repeated').fill(`${person.password}, renewed`)
  const change = button('Change password', formOf('repeated'))
  for (const name of ['repeated', 'current_password']) await nonsense(name, change, page, tooShortOrLong)
  // A long one differs from the repeated one.
  await nonsense('new_password', change, page, tooShortOrLong.slice(1))
  await goTo('/devices')
  await button('Delete account').click()
  await page.getByLabel(`Type ${person.email} to confirm`).fill(person.email)
  await nonsense('password', button('Delete account permanently'))

  await goTo('/files')
  await nonsense('path', button('Upload'))
  await field('path').fill(join(desktop.workspace, 'notes.md'))
  await button('Upload').click()
  await page.getByRole('button', { name: 'Download notes.md' }).click()
  await nonsense('folder', button('Save'))
  await goTo('/tasks')
  await field('title').fill('A task')
  for (const name of ['description', 'title']) await nonsense(name, button('Send', formOf('title')))
})

test('a conversation: its model, a question, an approval, todos, its name and its folder', async () => {
  await goTo('/')
  await page.getByRole('button', { name: /^Change folder/ }).click()
  await nonsense('workspace', button('Use this folder'))
  await button('Cancel').click()
  await field('text').fill('Hello')
  visited.add('text')
  // Any other text may be the name of a model.
  await nonsense('model', button('Send'), page, texts.slice(0, 1))
  await sendMessage(page, 'Hello')
  await nonsense('answer.answer.text', button('Answer'), page, [enormous, ['an emoji', '👩‍👩‍👧']])

  const box = page.getByRole('alertdialog')
  await button('Edit', box)
    .or(box.getByRole('button', { name: /^Edit/ }))
    .first()
    .click()
  const once = box.getByRole('button', { name: /^Allow once/ })
  await field('answer.edited_arguments').fill('{ nonsense')
  expect([await once.isDisabled(), await faults('answer.edited_arguments', '{ nonsense', page)]).toEqual([true, []])
  visited.add('answer.edited_arguments')
  await page.keyboard.press('Escape')
  await box.getByRole('button', { name: /^Deny/ }).click()
  await nonsense('answer.reason', box.getByRole('button', { name: 'Deny', exact: true }), page, [
    enormous,
    ['a script', '<script>alert(1)</script>'],
  ])
  await page.getByText('Done.').first().waitFor()

  const conversation_id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await desktop.runtime.commands.call('todo_update', { conversation_id, edits: [{ title: 'Look at the notes' }] })
  await goTo('/todos')
  await nonsense('edits[0].title', button('Add'))
  await page.getByRole('button', { name: 'More actions for Hello' }).click()
  await button('Rename').click()
  visited.add('title')
  // The field is limited to the length of a title.
  await field('title').fill('x'.repeat(10_000))
  await field('title').press('Enter')
  await settled()
  expect([await faults('title', 'x'.repeat(500), page), await field('title').count()]).toEqual([[], 0])

  const { agent_id } = await newAgent()
  const moved = desktop.runtime.journal.conversations.create({ agent_id, title: 'Moved', workspace: '' })
  await goTo(`/c/${moved.conversation_id}`)
  await field('text').fill('Hello')
  await nonsense('workspace', button('Send'))
})

test('memory', async () => {
  await goTo('/memory')
  await button('Add a memory').click()
  await nonsense('content', button('Remember'))
  await goTo('/memory/options')
  for (const name of ['complex_flow_steps', 'model']) await nonsense(name, button('Save', formOf('complex_flow_steps')))
  await nonsense('sections[1].value', button('Save', formOf('sections[1].value')))
  const { agent_id } = await newAgent()
  const { journal } = desktop.runtime
  const { no, conversation_id } = journal.conversations.create({ agent_id, title: 'Said', workspace: desktop.workspace })
  journal.messages.write({ conversation: no, run: null, role: 'user', author: 'person', text: 'Hello there' })
  for (const name of ['wrong', 'right']) {
    await goTo(`/c/${conversation_id}`)
    await page.getByText('Hello there').first().hover()
    await button('That’s wrong').first().click()
    if (name === 'wrong') await field('right').fill('Good evening')
    await nonsense(name, button('Save correction'))
  }
})

test('knowledge', async () => {
  const adding = async (kind: string) => {
    await goTo('/knowledge')
    await button('Add a source').click()
    await page.getByText(kind, { exact: true }).first().click()
  }
  await adding('Folder or file')
  await nonsense('path', button('Add'))
  await adding('Web page')
  await nonsense('url', button('Add'))
  for (const name of ['include', 'exclude']) {
    await adding('Folder or file')
    await field('path').fill(desktop.workspace)
    await page.getByText('Options', { exact: true }).click()
    await nonsense(name, button('Add'))
  }
  await adding('Text')
  await field('text').fill('My own notes.')
  await page.getByText('Agents in one folder', { exact: true }).click()
  await nonsense('owner.path', button('Add'))
})

test('workflows', async () => {
  const { commands } = desktop.runtime
  const read = await commands.call('workflow_read_text', { text: workflowExamples.note.text })
  if (!read.ok || read.value.content === null) throw new Error('the example has problems')
  const saved = await commands.call('workflow_save', read.value.content)
  if (!saved.ok) throw new Error(saved.error.message)
  const { workflow_id } = saved.value.workflow
  await goTo(`/workflows/${workflow_id}`)
  await button('Add a schedule').click()
  await page.getByText('Custom', { exact: true }).click()
  await nonsense('cron', button('Add schedule'))
  const started = await commands.call('workflow_start', { workflow_id })
  if (!started.ok) throw new Error(started.error.message)
  await goTo(`/workflows/runs/${started.value.run.workflow_run_id}`)
  await button('Skip save').click()
  await nonsense('reason', button('Skip node'))
})

test('teams', async () => {
  const listed = await desktop.runtime.commands.call('agent_run_list', { limit: 1 })
  if (!listed.ok) throw new Error(listed.error.message)
  await goTo(`/teams/${listed.value.items[0]?.run_id}`)
  await button('Raise the budget').click()
  for (const name of ['tokens', 'turns', 'seconds']) await nonsense(name, button('Raise'))
})

test('every field of the window was visited', () => {
  const sources = globSync('packages/desktop/src/**/*.tsx').map((file) => readFileSync(file, 'utf8'))
  const named = sources.flatMap((source) =>
    [...source.matchAll(/(?<![\w-])field="([^"]+)"|useField\('([^']+)'\)/g)].map(([, one, other]) => one ?? other ?? ''),
  )
  expect(named.length).toBeGreaterThan(30)
  // The `uri` of a resource is checked by its MCP server, which writes its own errors.
  expect([...new Set(named)].filter((name) => !visited.has(name) && name !== 'uri')).toEqual([])
})

async function newAgent(): Promise<{ agent_id: string }> {
  const answer = await desktop.runtime.commands.call('agent_create', { name: 'Tester' })
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value.agent
}
