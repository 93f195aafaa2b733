import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium, launchProfile } from './chromium.ts'
import { type Desktop, openDesktop, sendMessage, waitForRunState } from './test-desktop.ts'

let browser: Browser
let desktop: Desktop

beforeAll(async () => {
  browser = await launchChromium()
  desktop = await openDesktop(browser, [
    { calls: [{ name: 'todo.create', arguments: { todos: [{ title: 'Look at the notes' }] } }] },
    { text: 'Noted.' },
  ])
  const page = await desktop.page()
  await sendMessage(page, 'Make a list.')
  await waitForRunState(page, 'Done')
  await page.close()
})
afterAll(async () => {
  for (const context of browser.contexts()) await context.close()
  await desktop.stop()
  await browser.close()
  expect(desktop.consoleErrors).toEqual([])
})

test('a policy is set in all its fields, and reset', async () => {
  const page = await desktop.page({ path: '/', width: 1300 })
  await page.getByRole('link', { name: 'Agents' }).click()
  await page.locator('main a[href^="/agents/"]').first().click()
  await page.getByRole('button', { name: 'Edit the policy of fs.write' }).click()
  await page.getByText('Block', { exact: true }).last().click()
  await page.getByLabel('Rate limit (calls)').fill('7')
  await page.getByLabel('Period (seconds)').fill('30')
  await page.getByLabel('Time limit (s)').fill('9')
  await page.getByLabel(/^Network scope/).fill('a.example\nb.example')
  await page.getByLabel(/^File scope/).fill('docs')
  await page.getByLabel('Patterns inside these folders, one per line').fill('**/*.md')
  await page.getByLabel('Enabled').uncheck()
  await page.getByRole('button', { name: 'Save' }).last().click()
  const row = page.getByRole('row').filter({ hasText: 'fs.write' })
  await row.getByText('Set', { exact: true }).waitFor()
  await expect
    .poll(() => row.getByRole('cell').allInnerTexts())
    .toEqual(['–', 'Block', '7 / 30 s', '9 s', 'a.example, b.example', 'docs · **/*.md'])
  await page.getByRole('button', { name: 'Edit the policy of fs.write' }).click()
  await page.getByRole('button', { name: 'Back to default' }).click()
  await row.getByRole('cell', { name: 'Ask', exact: true }).waitFor()
})

test.each([360, 400, 1440])('the policy form fits in a window of %i pixels, also after its table was scrolled', async (width) => {
  const page = await desktop.page({ path: '/agents', width })
  await page.locator('main a[href^="/agents/"]').first().click()
  await page.getByRole('button', { name: 'Edit the policy of fs.write' }).click()
  const form = page.locator('form').filter({ has: page.getByLabel('Time limit (s)') })
  const table = page.getByRole('table')
  const cutBy = async () => {
    const { x, width: shown } = (await form.boundingBox()) ?? { x: Number.NaN, width: Number.NaN }
    return { left: Math.max(0, -x), right: Math.max(0, x + shown - width) }
  }
  expect(await cutBy()).toEqual({ left: 0, right: 0 })
  const isScrolled = await table.evaluate(({ parentElement }) => {
    parentElement?.scrollTo({ left: 10_000 })
    return (parentElement?.scrollLeft ?? 0) > 0
  })
  expect([isScrolled, await cutBy()]).toEqual([width < 1_000, { left: 0, right: 0 }])
  await page.close()
})

test('a key can be set and is never shown', async () => {
  const page = await desktop.page({ path: '/settings' })
  const model = page.getByRole('region', { name: 'Model' })
  await model.getByText('No key saved').waitFor()
  await model.getByLabel('Key').fill('sk-secret-1234')
  await model.getByRole('button', { name: 'Save' }).click()
  await model.getByText('Key saved.').waitFor()
  await page.reload()
  await model.getByText('Key saved.').waitFor()
  expect(await model.getByLabel('Key').inputValue()).toBe('')
  expect(await page.content()).not.toContain('sk-secret')
  await model.getByRole('button', { name: 'Remove key' }).click()
  await model.getByText('No key saved').waitFor()
})

test('what Tandem does without a window, and the search provider, are set and stored', async () => {
  const page = await desktop.page({ path: '/settings' })
  await page.getByText('Quit Tandem').click()
  await expect.poll(() => page.getByLabel(/^Quit Tandem/).isChecked()).toBe(true)
  await page.getByRole('region', { name: 'Web search' }).getByLabel('Provider').selectOption('brave')
  await page.getByRole('region', { name: 'Web search' }).getByLabel('Key').fill('search-secret')
  await page.getByRole('region', { name: 'Web search' }).getByRole('button', { name: 'Save' }).click()
  await page.getByRole('region', { name: 'Web search' }).getByText('Key saved.').waitFor()
  await page.reload()
  await page.getByRole('region', { name: 'Web search' }).getByText('Key saved.').waitFor()
  await expect.poll(() => page.getByLabel(/^Quit Tandem/).isChecked()).toBe(true)
  expect(await page.content()).not.toContain('search-secret')
})

test('the support bundle is shown before it is written, with its path', async () => {
  const search = { search_provider: 'brave', search_key: 'search-secret' } as const
  expect(await desktop.runtime.commands.call('runtime_set_settings', search)).toMatchObject({ ok: true })
  const page = await desktop.page({ path: '/diagnostics' })
  const support = page.getByRole('region', { name: 'Support bundle' })
  await support.getByRole('button', { name: 'Preview', exact: true }).click()
  await support.getByText('Failures by kind').waitFor()
  expect(existsSync(join(desktop.folder, 'home', 'support'))).toBe(false)
  await support.getByText('Features').click()
  expect(await support.innerText()).not.toContain(desktop.folder)
  await support.getByRole('button', { name: 'Save file' }).click()
  const written = support.getByRole('status').filter({ hasText: 'Saved to' })
  const [, file = ''] = /Saved to: (\S+\.json)/.exec(await written.innerText()) ?? []
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ format: 1, settings: { search_provider: 'brave' } })
  expect(readFileSync(file, 'utf8')).not.toMatch(/search-secret|oat|Make a list/)
})

test('it can be installed: a manifest with icons, all from this host, and nothing that the page policy forbids', async () => {
  const page = await desktop.page()
  const manifest = await page.evaluate("fetch('/manifest.webmanifest').then((reply) => reply.json())")
  const { icons } = manifest as { icons: { src: string; type: string }[] }
  const types = await Promise.all(
    icons.map(({ src }) => page.evaluate(`fetch('${src}').then((reply) => reply.status + ' ' + reply.headers.get('content-type'))`)),
  )
  expect(types).toEqual(icons.map(({ type }) => `200 ${type}`))
  const session = await page.context().newCDPSession(page)
  const seen = await session.send('Page.getAppManifest')
  expect({ url: new URL(seen.url).pathname, errors: seen.errors }).toEqual({ url: '/manifest.webmanifest', errors: [] })
})

test('Chromium offers to install it, without a service worker', async () => {
  // Other contexts of a test are private ones, in which nothing can be installed.
  const profile = await launchProfile(join(desktop.folder, 'profile'))
  try {
    const page = await profile.newPage()
    const session = await profile.newCDPSession(page)
    const errors = async () => (await session.send('Page.getInstallabilityErrors')).installabilityErrors.map(({ errorId }) => errorId)
    await page.goto('about:blank')
    expect(await errors()).not.toEqual([])
    await page.goto(desktop.window.windowUrl())
    await expect.poll(errors).toEqual([])
    expect(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')).toBe(0)
  } finally {
    await profile.close()
  }
})

test('diagnostics shows the runtime, the sandbox, and events that can be filtered', async () => {
  const page = await desktop.page({ path: '/diagnostics' })
  await page.getByText('Sandbox self-test').waitFor()
  await page
    .locator('code', { hasText: /^run_started$/ })
    .first()
    .waitFor()
  await page.getByRole('searchbox', { name: 'Filter by name, id or text' }).fill('run_completed')
  const names = page.locator('details code')
  await expect.poll(async () => new Set(await names.allInnerTexts())).toEqual(new Set(['run_completed']))
  await page.getByRole('checkbox', { name: 'Only failures' }).check()
  await page.getByText('No event matches').waitFor()
})

test('todos are edited by the user', async () => {
  const page = await desktop.page({ path: '/todos' })
  await page.getByRole('button', { name: /Look at the notes: Open/ }).click()
  await page.getByRole('button', { name: /Look at the notes: In progress/ }).waitFor()
  await page.getByLabel('New todo').fill('And the list')
  await page.keyboard.press('Enter')
  await page.getByText('And the list').waitFor()
  await page.reload()
  await page.getByRole('button', { name: /Look at the notes: In progress/ }).waitFor()
})

test('the theme is stored, and the first tab stops are the content, the start and the theme', async () => {
  const page = await desktop.page()
  await page.goto(new URL('/runs', desktop.window.url).href)
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
  const reached: unknown[] = []
  for (let press = 0; press < 3; press += 1) {
    await page.keyboard.press('Tab')
    reached.push(await page.evaluate('document.activeElement.textContent || document.activeElement.ariaLabel'))
  }
  expect(reached).toEqual(['Skip to content', 'Tandem', 'Theme: system'])
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Theme: light' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark')
  await page.getByRole('button', { name: 'Theme: dark' }).click()
  await page.getByRole('button', { name: 'Theme: system' }).waitFor()
})

test('the palette finds pages and conversations by keyboard', async () => {
  const page = await desktop.page()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('diagn')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Diagnostics' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('make a list')
  // Conversations appear once the window has read them; pages always.
  await page.getByRole('option', { name: 'Make a list.' }).first().waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-role=user]').waitFor()
})

test('a page of another origin cannot read the status, call the runtime, exchange a code, or frame the window', async () => {
  const evil = await serve('<title>evil</title>')
  // In the same browser, which sends its cookie to every port of this host: only the origin differs.
  const context = await browser.newContext()
  const window = await context.newPage()
  await window.goto(desktop.window.windowUrl())
  await window.getByRole('link', { name: 'Make a list.' }).waitFor()
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => errors.push(message.text()))
  await page.goto(evil.address)
  const { host } = new URL(desktop.window.url)
  const code = new URL(desktop.window.windowUrl()).hash.slice('#code='.length)
  const status = `fetch('http://${host}/status.json').then((reply) => reply.text(), () => 'refused')`
  expect([await window.evaluate(status), await page.evaluate(status)]).toEqual([expect.stringContaining('"Tandem"'), 'refused'])
  const socket = `new Promise((done) => { const s = new WebSocket('ws://${host}/rpc'); s.onopen = () => done('open'); s.onclose = () => done('refused') })`
  expect([await window.evaluate(socket), await page.evaluate(socket)]).toEqual(['open', 'refused'])
  // Not 401, which means that there is no cookie.
  await expect.poll(() => errors.join()).toContain('Unexpected response code: 403')
  const change = `fetch('http://${host}/session', { method: 'POST', body: JSON.stringify({ code: '${code}' }), mode: 'no-cors', headers: { 'content-type': 'text/plain' } }).then((reply) => reply.type, () => 'refused')`
  expect(await page.evaluate(change)).toBe('refused')
  expect(await page.evaluate(socket)).toBe('refused')
  await page.setContent(`<iframe src="${desktop.window.url}"></iframe>`)
  await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
  // The code is still valid for its window.
  const own = await browser.newPage()
  // A browser that has just started may drop the first request.
  await own.route('**/session', (route) => route.abort('failed'), { times: 1 })
  await own.goto(`${desktop.window.url}#code=${code}`)
  await own.getByRole('link', { name: 'Make a list.' }).waitFor()
  await own.close()
  await context.close()
  evil.server.close()
})

function serve(body: string): Promise<{ server: Server; address: string }> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(body))
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
      resolve({ server, address: `http://127.0.0.1:${address.port}` })
    }),
  )
}
