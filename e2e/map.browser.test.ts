import { createServer, type RequestListener, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { builtinToolNames } from '../packages/contract/src/tool/index.ts'
import { startRuntime } from '../packages/runtime/src/runtime.ts'
import { launchChromium } from './chromium.ts'

const windowDir = fileURLToPath(new URL('../packages/desktop/dist', import.meta.url))
const headings = {
  '/map': 'Two sides, one boundary',
  '/map/states': 'States',
  '/map/tools': 'Tools',
  '/map/commands': 'Commands',
  '/map/events': 'Events',
  '/map/endpoints': 'Endpoints',
  '/map/sync': 'Sync',
  '/map/cards': 'Cards',
}

let browser: Browser
let backend: Server
let up: Awaited<ReturnType<typeof startRuntime>>
let down: Awaited<ReturnType<typeof startRuntime>>
const complaints: string[] = []

beforeAll(async () => {
  browser = await launchChromium()
  backend = await serve((_, response) => response.end('{"status":"ok","version":"1.2.3","parts":[{"name":"database","status":"ok"}]}'))
  const gone = await serve(() => undefined)
  const goneAddress = addressOf(gone)
  gone.close()
  up = await startRuntime({ windowDir, backend: addressOf(backend), log: () => undefined })
  down = await startRuntime({ windowDir, backend: goneAddress, log: () => undefined })
})

afterAll(async () => {
  await browser.close()
  await Promise.all([up.stop(), down.stop()])
  backend.close()
})

afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
  expect(complaints.splice(0)).toEqual([])
})

test.each(Object.entries(headings))('%s opens at 360 px and wide, asks nobody else, and fits', async (path, heading) => {
  const page = await open(path, { width: 360 })
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  const opened = await page.evaluate(openAllFolds)
  expect(await page.locator('main details[open]').count()).toBe(opened)
  for (const width of [360, 1600]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  }
})

test('the overview tells a backend that is up from one that is silent', async () => {
  const page = await open('/map')
  await page.getByText('The backend is up', { exact: true }).waitFor()
  await page.getByText('database ok').waitFor()
  await page.goto(`${down.url}map`)
  await page.getByText('The backend does not answer').waitFor()
  await page.getByText('ECONNREFUSED').waitFor()
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.getByText('The backend does not answer').waitFor()
})

test('a host that is gone is told apart from a silent backend', async () => {
  const host = await startRuntime({ windowDir, backend: null, log: () => undefined })
  const page = await browser.newPage()
  await page.goto(`${host.url}map`)
  await page.getByText('No backend was started with this window.').waitFor()
  await host.stop()
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.getByText('The program behind this window does not answer').waitFor()
})

test('a refusal is told in the words of the contract, and an allowed trigger leads on', async () => {
  const page = await open('/map/states')
  await page.getByText("a run that is running can't resume_agent_run: it answers to pause").waitFor()
  await page.getByRole('button', { name: 'complete leads to completed' }).click()
  await page.getByText('running → completed').waitFor()
})

test('a filter narrows a list and says how far', async () => {
  const page = await open('/map/tools')
  await page.getByRole('searchbox').fill('strict shell')
  expect(await page.locator('main li code').filter({ hasText: '.' }).allTextContents()).toEqual(['shell.exec'])
  await page.getByText(`1 of ${builtinToolNames.length}`).waitFor()
  await page.getByRole('searchbox').fill('no such tool')
  await page.getByText('Nothing matches “no such tool”.').waitFor()
})

test('the playground answers with the rule', async () => {
  const page = await open('/map/sync')
  await page.getByRole('status').getByText('stale', { exact: true }).waitFor()
  await page.getByText('todos', { exact: true }).last().click()
  await page.getByRole('status').getByText('merged', { exact: true }).first().waitFor()
})

test('a card closes 800 ms after its run ended and not before', async () => {
  const page = await openCards()
  await chooseRunState(page, 'completed')
  await page.clock.runFor(799)
  await expect.poll(() => modeOf(page)).toBe('auto_open')
  await page.clock.runFor(1)
  await expect.poll(() => modeOf(page)).toBe('auto_closed')
  expect(await toggleOf(page).getAttribute('aria-expanded')).toBe('false')
  await chooseRunState(page, 'paused')
  await expect.poll(() => modeOf(page)).toBe('auto_open')
})

test('a pinned card stays, and gets the full delay when it is let go', async () => {
  const page = await openCards()
  await page.getByRole('button', { name: 'Pin' }).click()
  await chooseRunState(page, 'failed')
  await page.clock.runFor(60_000)
  await expect.poll(() => modeOf(page)).toBe('pinned')
  await page.getByRole('button', { name: 'Unpin' }).click()
  await page.mouse.move(0, 0)
  await page.clock.runFor(799)
  await expect.poll(() => modeOf(page)).toBe('auto_open')
  await page.clock.runFor(1)
  await expect.poll(() => modeOf(page)).toBe('auto_closed')
})

test('a pointer that rests on the card holds it; a manual toggle wins for good', async () => {
  const page = await openCards()
  await chooseRunState(page, 'canceled')
  await page.getByRole('article').hover()
  await page.clock.runFor(5_000)
  await expect.poll(() => modeOf(page)).toBe('auto_open')
  await page.mouse.move(0, 0)
  await page.clock.runFor(800)
  await expect.poll(() => modeOf(page)).toBe('auto_closed')
  await toggleOf(page).click()
  await chooseRunState(page, 'completed')
  await page.mouse.move(0, 0)
  await page.clock.runFor(60_000)
  await expect.poll(() => modeOf(page)).toBe('user_open')
})

test('the keyboard reaches the navigation, sees where it is, and follows it', async () => {
  const page = await open('/map')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const reached: string[] = []
  for (let press = 0; press < 5; press += 1) {
    await page.keyboard.press('Tab')
    reached.push(await page.evaluate('document.activeElement.textContent || document.activeElement.ariaLabel'))
  }
  expect(reached).toEqual(['Skip to content', 'Tandem', 'Theme: system', 'Overview', 'States'])
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'States' }).waitFor()
  expect([new URL(page.url()).pathname, await page.title()]).toEqual(['/map/states', 'States · Tandem'])
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: headings['/map'] }).waitFor()
})

test('the theme is kept', async () => {
  const page = await open('/map/cards')
  await page.getByRole('button', { name: 'Theme: system' }).click()
  await page.getByRole('button', { name: 'Theme: light' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark')
})

test('an address without a page says so', async () => {
  const page = await open('/map/nowhere')
  await page.getByRole('heading', { name: 'No such page' }).waitFor()
})

test('a page of another origin can neither read the host nor frame it', async () => {
  const evil = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<title>evil</title>'))
  const page = await browser.newPage()
  await page.goto(addressOf(evil))
  const read = `fetch('${up.url}status.json').then((reply) => reply.text(), () => 'refused')`
  expect(await page.evaluate(read)).toBe('refused')
  await page.setContent(`<iframe src="${up.url}"></iframe>`)
  await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
  evil.close()
})

/** Opens what can be opened, waits until it is drawn, and says how much that was. */
const openAllFolds = `(async () => {
  const frame = () => new Promise(requestAnimationFrame)
  for (const fold of document.querySelectorAll('main details')) fold.open = true
  for (let count = 0; count < 4; count += 1) await frame()
  for (const fold of document.querySelectorAll('main details')) fold.open = true
  for (let count = 0; count < 4; count += 1) await frame()
  return document.querySelectorAll('main details').length
})()`

/** A page whose every complaint is kept, and which may only speak to its own host. */
async function open(path: string, { width = 1000 } = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`${path}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`${path}: ${error.message}`))
  page.on('request', (request) => {
    if (![up.url, down.url].some((url) => request.url().startsWith(url))) complaints.push(`${path}: asks ${request.url()}`)
  })
  await page.goto(new URL(path, up.url).href)
  return page
}

/** With its clock standing still. */
async function openCards(): Promise<Page> {
  const page = await open('/map/cards')
  await page.clock.install({ time: 0 })
  await page.reload()
  await page.getByRole('article').waitFor()
  await page.clock.pauseAt(60_000)
  await expect.poll(() => modeOf(page)).toBe('auto_open')
  return page
}

async function chooseRunState(page: Page, state: string): Promise<void> {
  await page.getByRole('group', { name: 'State of the run' }).getByText(state, { exact: true }).click()
}

function modeOf(page: Page): Promise<string | null> {
  return page.getByTestId('mode').textContent()
}

function toggleOf(page: Page) {
  return page.getByRole('article').getByRole('button').first()
}

async function serve(listener: RequestListener): Promise<Server> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function addressOf(server: Server): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
  return `http://127.0.0.1:${address.port}`
}
