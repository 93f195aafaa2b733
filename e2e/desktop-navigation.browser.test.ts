// The sidebar: pins, several conversations at once, deleting and restoring, the places by keyboard, what needs an answer in one place,
// notifications, and the palette that finds settings.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { settingEntries } from '../packages/desktop/src/shell/setting-entries.ts'
import { executorWords } from '../packages/desktop/src/strings/executors.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { type Desktop, openPlace, sendMessage, waitForRunState, writeCall } from './test-desktop.ts'

const openDesktop = useTestDesktop()
const openNotifyingDesktop = useTestDesktop('whole')
let desktop: Desktop

const list = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })
const line = (page: Page, title: string) => list(page).getByRole('link', { name: title })
const titles = async (page: Page) => (await list(page).getByRole('link').allInnerTexts()).map((text) => text.trim())

/** Conversations with one ended run each, the last one the newest. */
function write(...names: readonly string[]): readonly string[] {
  const { journal } = desktop.runtime
  const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: true }
  return names.map((title) => {
    const { no, conversation_id } = journal.conversations.create({ agent_id: 'agent', title, workspace: desktop.workspace })
    const message_id = journal.messages.write({ conversation: no, run: null, role: 'user', author: 'person', text: `Text of ${title}` })
    const ids = { conversation: no, agent_id: 'agent', message_id }
    const { run_id } = journal.start({ ...ids, title, model: 'scripted', sandbox_mode: 'workspace' })
    journal.append(run_id, { kind: 'run.completed', usage })
    return conversation_id
  })
}

async function menu(page: Page, title: string, action: string): Promise<void> {
  await line(page, title).hover()
  await page.getByRole('button', { name: `More actions for ${title}` }).click()
  await list(page).getByRole('button', { name: action, exact: true }).click()
}

test('a pinned conversation is listed first, also in another window', async () => {
  desktop = await openDesktop([])
  write('Old one', 'New one')
  const page = await desktop.page({ width: 1200 })
  await expect.poll(() => titles(page)).toEqual(['New one', 'Old one'])
  await menu(page, 'Old one', 'Pin')
  await list(page).getByRole('heading', { name: 'Pinned' }).waitFor()
  await expect.poll(() => titles(page)).toEqual(['Old one', 'New one'])
  const other = await desktop.page({ width: 1200 })
  await expect.poll(() => titles(other)).toEqual(['Old one', 'New one'])
  await menu(page, 'Old one', 'Unpin')
  await list(page).getByRole('heading', { name: 'Pinned' }).waitFor({ state: 'detached' })
  await expect.poll(() => titles(page)).toEqual(['New one', 'Old one'])
  expect(await seriousFindings(page)).toEqual([])
})

test('conversations are grouped by the day on which they were last used, pinned ones first', async () => {
  desktop = await openDesktop([])
  write('Old one', 'New one')
  const page = await desktop.page({ width: 1200 })
  await menu(page, 'Old one', 'Pin')
  const headings = () => list(page).getByRole('heading').allInnerTexts()
  await expect.poll(headings).toEqual(['Pinned', 'Today'])
  const day = 24 * 60 * 60 * 1_000
  const began = Date.now()
  for (const [days, name] of [
    [1, 'Yesterday'],
    [5, 'Previous 7 days'],
    [20, 'Previous 30 days'],
    [60, 'Earlier'],
  ] as const) {
    await page.clock.setFixedTime(began + days * day)
    await page.reload()
    await expect.poll(headings).toEqual(['Pinned', name])
  }
})

test('a conversation is deleted after a question that says what happens, and restored', async () => {
  desktop = await openDesktop([{ calls: [writeCall('a.md', 'x')] }, { text: 'Done.' }])
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Write it down.')
  await page.getByRole('button', { name: 'Allow once' }).click()
  await waitForRunState(page, 'Done')
  await menu(page, 'Write it down.', 'Delete…')
  const dialog = page.getByRole('dialog', { name: 'Delete “Write it down.”?' })
  await dialog.getByText('It disappears from all your devices at once. You can restore it for 24 hours.').waitFor()
  await dialog.getByText('1 recovery point').waitFor()
  await dialog.getByText('the cloud keeps the synchronized messages and steps until you delete your account').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await line(page, 'Write it down.').waitFor()

  await menu(page, 'Write it down.', 'Delete…')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await line(page, 'Write it down.').waitFor({ state: 'detached' })
  // The open conversation is closed, and the way back has the focus.
  await expect.poll(() => new URL(page.url()).pathname).toBe('/')
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await undo.waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Undo')
  await page.keyboard.press('Enter')
  await line(page, 'Write it down.').waitFor()

  await menu(page, 'Write it down.', 'Delete…')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('button', { name: 'Deleted', exact: true }).click()
  await page.getByText('Deleted conversations can be restored for 24 hours').waitFor()
  await line(page, 'Write it down.').click()
  await page.getByRole('heading', { name: 'This conversation is deleted' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Restore' }).click()
  await page.locator('[data-role=user]').getByText('Write it down.').waitFor()
  await page.getByRole('button', { name: 'Active', exact: true }).click()
  await line(page, 'Write it down.').waitFor()
})

test('what another program does with conversations is shown at once', async () => {
  desktop = await openDesktop([])
  const [first = '', second = ''] = write('Old one', 'New one')
  const page = await desktop.page({ width: 1200 })
  await expect.poll(() => titles(page)).toEqual(['New one', 'Old one'])
  const { commands } = desktop.runtime
  await commands.call('conversation_pin', { conversation_id: first, pinned: true })
  await expect.poll(() => titles(page)).toEqual(['Old one', 'New one'])
  await commands.call('conversation_rename', { conversation_id: first, title: 'Other one' })
  await expect.poll(() => titles(page)).toEqual(['Other one', 'New one'])
  await commands.call('conversation_delete', { conversation_ids: [first] })
  await expect.poll(() => titles(page)).toEqual(['New one'])
  await commands.call('conversation_hide', { conversation_id: second, hidden: true })
  await expect.poll(() => titles(page)).toEqual([])
  await page.getByRole('button', { name: 'Deleted', exact: true }).click()
  await expect.poll(() => titles(page)).toEqual(['Other one'])
  await commands.call('conversation_restore', { conversation_ids: [first] })
  await page.getByText('No deleted conversations').waitFor()
  await page.getByRole('button', { name: 'Active', exact: true }).click()
  await expect.poll(() => titles(page)).toEqual(['Other one'])
})

test('a search or a list of deleted conversations that fails says so, and is repeated on request', async () => {
  desktop = await openDesktop([])
  const [gone = ''] = write('Gone one', 'Kept one')
  await desktop.runtime.commands.call('conversation_delete', { conversation_ids: [gone] })
  const page = await desktop.page({ width: 1200, path: '/settings' })
  await expect.poll(() => titles(page)).toEqual(['Kept one'])
  const failing = new Set(['conversation_search'])
  const data = { code: 'storage_unavailable', message: 'the disk is full', remedy: 'Make room.' }
  await page.routeWebSocket(/.*/, (socket) => {
    const runtime = socket.connectToServer()
    socket.onMessage((message) => {
      const { id, method, params } = JSON.parse(String(message))
      if (!failing.has(params?.deleted ? 'deleted' : method)) return runtime.send(message)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: data.message, data } }))
    })
  })
  await page.reload()
  const failed = list(page).getByRole('alert')
  const search = page.getByRole('searchbox', { name: 'Search conversations' })
  await search.fill('kept')
  await failed.getByText('The disk is full').waitFor()
  failing.clear()
  await failed.getByRole('button').click()
  await line(page, 'Kept one').waitFor()
  await search.fill('')
  failing.add('deleted')
  await page.getByRole('button', { name: 'Deleted', exact: true }).click()
  await failed.getByText('The disk is full').waitFor()
  failing.clear()
  await failed.getByRole('button').click()
  await expect.poll(() => titles(page)).toEqual(['Gone one'])
})

test('the notice after deleting stays while it has the focus, and leaves the focus in the list', async () => {
  desktop = await openDesktop([])
  write('Anchor', 'Basket')
  const page = await desktop.page({ width: 1200 })
  await page.clock.install()
  await page.reload()
  await menu(page, 'Basket', 'Delete…')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  const focused = () => page.evaluate("document.activeElement.textContent?.trim() ?? ''")
  await expect.poll(focused).toBe('Undo')
  await page.mouse.move(600, 5)
  await page.clock.runFor(60_000)
  expect(await undo.count()).toBe(1)
  await page.getByRole('button', { name: 'Dismiss' }).focus()
  await page.keyboard.press('Enter')
  await undo.waitFor({ state: 'detached' })
  expect(await focused()).toBe('Anchor')

  await menu(page, 'Anchor', 'Delete…')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(focused).toBe('Undo')
  await page.getByRole('searchbox', { name: 'Search conversations' }).focus()
  await page.clock.runFor(32_000)
  await undo.waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.type')).toBe('search')
})

test('several conversations are selected with Ctrl, Shift and the keyboard, and archived, pinned and deleted together', async () => {
  desktop = await openDesktop([])
  write('Anchor', 'Basket', 'Candle', 'Dinner', 'Engine')
  const page = await desktop.page({ width: 1200 })
  await expect.poll(() => titles(page)).toEqual(['Engine', 'Dinner', 'Candle', 'Basket', 'Anchor'])
  const bar = page.getByRole('toolbar', { name: 'Selected conversations' })
  await line(page, 'Engine').click({ modifiers: ['ControlOrMeta'] })
  await bar.getByText('1 selected').waitFor()
  await line(page, 'Candle').click({ modifiers: ['Shift'] })
  await bar.getByText('3 selected').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await line(page, 'Dinner').click({ modifiers: ['ControlOrMeta'] })
  await bar.getByText('2 selected').waitFor()
  await bar.getByRole('button', { name: 'Archive' }).click()
  await expect.poll(() => titles(page)).toEqual(['Dinner', 'Basket', 'Anchor'])
  await bar.waitFor({ state: 'detached' })

  // By keyboard only.
  await line(page, 'Dinner').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await bar.getByText('2 selected').waitFor()
  await page.keyboard.press('Delete')
  const dialog = page.getByRole('dialog', { name: 'Delete 2 conversations?' })
  await dialog.getByText('They disappear from all your devices at once.').waitFor()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => titles(page)).toEqual(['Dinner'])
  await page.getByText('2 conversations deleted').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => titles(page)).toEqual(['Dinner', 'Basket', 'Anchor'])
})

test('a conversation is pinned, archived, deleted and restored with the keyboard alone', async () => {
  desktop = await openDesktop([])
  write('Anchor', 'Basket')
  const page = await desktop.page({ width: 1200 })
  await expect.poll(() => titles(page)).toEqual(['Basket', 'Anchor'])
  const focused = () => page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent?.trim() ?? ''")
  /** As many times as a user would before looking for another way. */
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 15 && (await focused()) !== name; presses += 1) await page.keyboard.press('Tab')
    expect(await focused()).toBe(name)
  }
  const choose = async (title: string, action: string) => {
    await line(page, title).focus()
    await tabTo(`More actions for ${title}`)
    await page.keyboard.press('Enter')
    await tabTo(action)
    await page.keyboard.press('Enter')
  }
  await choose('Anchor', 'Pin')
  await expect.poll(() => titles(page)).toEqual(['Anchor', 'Basket'])
  await choose('Anchor', 'Archive')
  await expect.poll(() => titles(page)).toEqual(['Basket'])
  await choose('Basket', 'Delete…')
  const dialog = page.getByRole('dialog', { name: 'Delete “Basket”?' })
  await dialog.waitFor()
  await tabTo('Delete')
  await page.keyboard.press('Enter')
  await expect.poll(() => titles(page)).toEqual([])
  // The way back has the focus.
  await expect.poll(focused).toBe('Undo')
  await page.keyboard.press('Enter')
  await expect.poll(() => titles(page)).toEqual(['Basket'])
})

test('a waiting conversation is stopped and deleted; its request is gone everywhere', async () => {
  desktop = await openDesktop([{ calls: [writeCall('a.md', 'x')] }])
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Write it.')
  await page.getByRole('button', { name: 'Allow once' }).waitFor()
  await page.locator('[data-pending-count]').getByText('1', { exact: false }).waitFor()
  await menu(page, 'Write it.', 'Delete…')
  await page.getByRole('dialog').getByText('1 run is still working or waiting for you, and will be stopped.').waitFor()
  await page.getByRole('button', { name: 'Stop and delete' }).click()
  await page.locator('[data-pending-count]').waitFor({ state: 'detached' })
  await expect.poll(() => titles(page)).toEqual([])
})

test('every place and page is reached with the keyboard alone, and old addresses still work', async () => {
  desktop = await openDesktop([])
  const page = await desktop.page({ width: 1200 })
  const places = page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link')
  await places.first().waitFor()
  expect(await places.allInnerTexts()).toEqual([
    ...['Chat', 'Runs', 'Agents', 'Tools', 'Memory and knowledge', 'Workflows', 'Devices and files', 'Settings'],
  ])
  const headings: string[] = []
  for (const place of await places.all()) {
    await place.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => place.getAttribute('aria-current')).toBe('page')
    const tabs = page.getByRole('navigation', { name: /^Pages of / }).getByRole('link')
    for (const tab of await tabs.all()) {
      await tab.focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => tab.getAttribute('aria-current')).toBe('page')
      await page.getByRole('heading', { level: 1, name: await tab.innerText() }).waitFor()
      headings.push(await page.getByRole('heading', { level: 1 }).innerText())
    }
  }
  expect(headings).toEqual([
    ...['Runs', 'Teams', 'Todos', 'Tasks', 'Recovery', 'MCP servers', 'Skills', 'Memory', 'Knowledge', 'Devices and sync', 'Files'],
    ...['Settings', 'Diagnostics'],
  ])
  for (const [path, heading] of [
    ['/diagnostics', 'Diagnostics'],
    ['/todos', 'Todos'],
    ['/files', 'Files'],
  ] as const) {
    await page.goto(new URL(path, desktop.window.url).href)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
})

test('what needs an answer is in one place, by conversation, with the same count everywhere, and is answered there', async () => {
  desktop = await openDesktop((_index, { messages }) => {
    const last = messages.at(-1)
    const text = String(last?.content)
    if (last?.role !== 'user') return { text: 'Done.' }
    if (text.includes('ask'))
      return { calls: [{ name: 'user.ask', arguments: { question: 'Which color?', options: [], allows_text: true } }] }
    return { calls: [writeCall(`${text}.md`, 'x')] }
  })
  const page = await desktop.page({ width: 1200 })
  for (const text of ['first', 'second']) {
    await page.goto(desktop.window.url)
    await sendMessage(page, text)
    await page.getByRole('button', { name: 'Allow once' }).waitFor()
  }
  await page.keyboard.press('Escape')
  const count = page.locator('[data-pending-count]')
  await expect.poll(async () => (await count.innerText()).split('\n')[0]?.[0]).toBe('2')
  await expect.poll(() => page.title()).toMatch(/^\(2\) /)
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/icon-waiting.svg')
  const other = await desktop.page({ width: 1200, path: '/pending' })
  await other.getByText('2 requests waiting').first().waitFor()
  await page.getByRole('link', { name: /^Needs your answer/ }).click()
  const first = page.getByRole('region', { name: 'first', exact: true })
  await first.waitFor()
  expect(await page.getByRole('region', { name: 'second', exact: true }).count()).toBe(1)
  expect(await seriousFindings(page)).toEqual([])
  await first.getByRole('alertdialog').focus()
  await page.keyboard.press('y')
  await first.waitFor({ state: 'detached' })
  // The focus moves to the title of the next one, where a second press answers nothing.
  expect(await page.evaluate('document.activeElement.innerText')).toBe('Create second.md?')
  await page.keyboard.press('y')
  await other.getByText('1 request waiting').first().waitFor()
  const second = page.getByRole('region', { name: 'second', exact: true })
  expect(await second.getByRole('button', { name: 'Allow once' }).isEnabled()).toBe(true)
  await page.keyboard.press('Control+.')
  await page.keyboard.press('y')
  await page.getByText('Nothing needs your answer.').waitFor()
  expect(await page.evaluate('document.activeElement.localName')).toBe('h1')
  await count.waitFor({ state: 'detached' })
  await expect.poll(() => page.title()).not.toMatch(/^\(/)
})

test('the palette finds a setting by another word for it, and opens its field', async () => {
  desktop = await openDesktop([])
  const page = await desktop.page({ width: 1200 })
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  for (const [typed, field] of [
    ['ollama', 'model_base_url'],
    ['searxng proxy', 'search_url'],
    ['alerts', 'notifications'],
    ['chatgpt', 'section-import'],
    ['remote machine', 'section-executors'],
    ['daily tokens', 'sections[1].value'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(typed)
    await page.getByRole('listbox', { name: 'Command palette' }).getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.dataset.field')).toBe(field)
  }
})

test('the palette has every section of the settings and every field that it names', async () => {
  desktop = await openDesktop([])
  const page = await desktop.page({ path: '/settings', width: 1200 })
  await page.getByRole('heading', { name: executorWords.title }).waitFor()
  const headings = await page.locator('#content section h2').evaluateAll((all) => all.map((one) => one.dataset.field ?? one.textContent))
  expect(headings.filter((anchor) => !Object.hasOwn(settingEntries, anchor ?? ''))).toEqual([])
  for (const name of Object.keys(settingEntries))
    await page.locator(`#content [data-field="${name}"]`).first().waitFor({ state: 'attached' })
})

test('a run that ends while the user is elsewhere marks its conversation, the title and the icon until it is opened', async () => {
  const gate = Promise.withResolvers<void>()
  desktop = await openDesktop([{ text: 'One.', hold: gate.promise }])
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Say hello.')
  await page.getByRole('link', { name: 'New conversation' }).click()
  gate.resolve()
  await line(page, 'Say hello.').getByRole('img', { name: 'New result' }).waitFor()
  await expect.poll(() => page.title()).toMatch(/^• /)
  expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/icon-waiting.svg')
  await page.reload()
  await line(page, 'Say hello.').getByRole('img', { name: 'New result' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await line(page, 'Say hello.').click()
  await line(page, 'Say hello.').getByRole('img', { name: 'New result' }).waitFor({ state: 'detached' })
  await expect.poll(() => page.title()).not.toMatch(/^•/)
  await expect.poll(() => page.locator('link[rel=icon]').getAttribute('href')).toBe('/icon.svg')
})

test('a notification appears when a run needs an answer or ends while the window is not visible; a click opens the conversation', async () => {
  desktop = await openNotifyingDesktop([{ text: 'One.' }, { calls: [writeCall('secret.md', 'the content')] }, { text: 'Done.' }])
  const page = await desktop.page({ width: 1200 })
  await page.context().grantPermissions(['notifications'], { origin: new URL(desktop.window.url).origin })
  await page.reload()
  await sendMessage(page, 'Say hello.')
  await waitForRunState(page, 'Done')
  await page.getByText('Get a notification when a run needs you').waitFor()
  await page.getByRole('button', { name: 'Turn on notifications' }).click()
  await page.getByText('Get a notification when a run needs you').waitFor({ state: 'detached' })
  await page.evaluate(`{
    globalThis.shown = []
    const Real = Notification
    globalThis.Notification = class extends Real {
      constructor(title, options) {
        super(title, options)
        shown.push(this)
      }
    }
    globalThis.visibility = 'hidden'
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility })
  }`)
  const shown = () => page.evaluate('shown.map(({ title, body }) => [title, body])')
  await page.getByRole('link', { name: 'New conversation' }).click()
  await sendMessage(page, 'Write it down.')
  await expect.poll(shown).toEqual([['Tandem needs your answer', 'Write it down.']])
  await openPlace(page, 'Settings')
  await page.evaluate('shown[0].onclick()')
  await page.getByRole('button', { name: 'Allow once' }).click()
  await expect.poll(shown).toEqual([
    ['Tandem needs your answer', 'Write it down.'],
    ['A run has finished', 'Write it down.'],
  ])
  // Turned off in the settings, nothing more appears.
  await openPlace(page, 'Settings')
  await page.getByRole('checkbox', { name: /^Notify me when a run/ }).uncheck()
  expect(await page.evaluate("localStorage.getItem('tandem.notifications')")).toBe('off')
})
