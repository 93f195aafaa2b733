// The map of the contract: it gets along without a runtime, and tells how a backend is doing. That its pages fit is looked at with all others.
import { createServer, type RequestListener, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { builtinToolNames } from '../packages/contract/src/tool/index.ts'
import { startRuntime } from '../packages/runtime/src/runtime.ts'
import { launchChromium } from './chromium.ts'

const windowDir = fileURLToPath(new URL('../packages/desktop/dist', import.meta.url))
let browser: Browser
/** One window for all that leaves nothing behind in it. */
let page: Page
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
  page = await newWindow()
})

afterAll(async () => {
  await browser.close()
  await Promise.all([up.stop(), down.stop()])
  backend.close()
})

afterEach(() => expect(complaints.splice(0)).toEqual([]))

test('the overview tells a backend that is up from one that is silent', async () => {
  await open('/map')
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
  const other = await browser.newPage()
  await other.goto(`${host.url}map`)
  await other.getByText('No backend was started with this window.').waitFor()
  await host.stop()
  await other.getByRole('button', { name: 'Look again' }).click()
  await other.getByText('The program behind this window does not answer').waitFor()
  await other.close()
})

test('a refusal is told in the words of the contract, and an allowed trigger leads on', async () => {
  await open('/map/states')
  await page.getByText("a run that is running can't resume_agent_run: it answers to pause").waitFor()
  await page.getByRole('button', { name: 'complete leads to completed' }).click()
  await page.getByText('running → completed').waitFor()
})

test('a filter narrows a list and says how far', async () => {
  await open('/map/tools')
  await page.getByRole('searchbox').fill('strict shell')
  expect(await page.locator('main li code').filter({ hasText: '.' }).allTextContents()).toEqual(['shell.exec'])
  await page.getByText(`1 of ${builtinToolNames.length}`).waitFor()
  await page.getByRole('searchbox').fill('no such tool')
  await page.getByText('Nothing matches “no such tool”.').waitFor()
})

test('the playground answers with the rule', async () => {
  await open('/map/sync')
  await page.getByRole('status').getByText('stale', { exact: true }).waitFor()
  await page.getByText('todos', { exact: true }).last().click()
  await page.getByRole('status').getByText('merged', { exact: true }).first().waitFor()
})

test('a card closes 800 ms after its run ended and not before; a pinned one stays; a pointer holds it; a manual toggle wins for good', async () => {
  const cards = await openCards()
  const becomes = (mode: string) => expect.poll(() => cards.getByTestId('mode').textContent()).toBe(mode)
  const toggle = cards.getByRole('article').getByRole('button').first()
  const runIs = async (state: string) => {
    await cards.getByRole('group', { name: 'State of the run' }).getByText(state, { exact: true }).click()
    // A pointer on the card would hold it.
    await cards.mouse.move(0, 0)
  }
  await runIs('completed')
  await cards.clock.runFor(799)
  await becomes('auto_open')
  await cards.clock.runFor(1)
  await becomes('auto_closed')
  expect(await toggle.getAttribute('aria-expanded')).toBe('false')

  await runIs('paused')
  await becomes('auto_open')
  await cards.getByRole('button', { name: 'Pin' }).click()
  await runIs('failed')
  await cards.clock.runFor(60_000)
  await becomes('pinned')
  await cards.getByRole('button', { name: 'Unpin' }).click()
  await cards.mouse.move(0, 0)
  await cards.clock.runFor(799)
  await becomes('auto_open')
  await cards.clock.runFor(1)
  await becomes('auto_closed')

  await runIs('running')
  await becomes('auto_open')
  await runIs('canceled')
  await cards.getByRole('article').hover()
  await cards.clock.runFor(5_000)
  await becomes('auto_open')
  await cards.mouse.move(0, 0)
  await cards.clock.runFor(800)
  await becomes('auto_closed')
  await toggle.click()
  await runIs('completed')
  await cards.clock.runFor(60_000)
  await becomes('user_open')
  await cards.close()
})

test('the keyboard reaches the navigation, sees where it is, and follows it', async () => {
  await open('/map')
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
  await page.getByRole('heading', { level: 1, name: 'Two sides, one boundary' }).waitFor()
})

test('the theme is kept', async () => {
  await open('/map/cards')
  await page.getByRole('button', { name: 'Theme: system' }).click()
  await page.getByRole('button', { name: 'Theme: light' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark')
  await page.getByRole('button', { name: 'Theme: dark' }).click()
  await page.getByRole('button', { name: 'Theme: system' }).waitFor()
})

test('an address without a page says so', async () => {
  await open('/map/nowhere')
  await page.getByRole('heading', { name: 'No such page' }).waitFor()
})

test('a page of another origin can neither read the host nor frame it', async () => {
  const evil = await serve((_, response) => response.setHeader('content-type', 'text/html').end('<title>evil</title>'))
  const stranger = await browser.newPage()
  await stranger.goto(addressOf(evil))
  const read = `fetch('${up.url}status.json').then((reply) => reply.text(), () => 'refused')`
  expect(await stranger.evaluate(read)).toBe('refused')
  await stranger.setContent(`<iframe src="${up.url}"></iframe>`)
  await expect.poll(() => stranger.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
  await stranger.close()
  evil.close()
})

async function open(path: string): Promise<void> {
  await page.goto(new URL(path, up.url).href)
}

/** A page whose every complaint is kept, and which may only speak to its own host. */
async function newWindow(): Promise<Page> {
  const opened = await browser.newPage({ viewport: { width: 1000, height: 900 } })
  opened.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`${opened.url()}: ${message.text()}`)
  })
  opened.on('pageerror', (error) => complaints.push(`${opened.url()}: ${error.message}`))
  opened.on('request', (request) => {
    if (![up.url, down.url].some((url) => request.url().startsWith(url))) complaints.push(`${opened.url()}: asks ${request.url()}`)
  })
  return opened
}

/** With its clock standing still. */
async function openCards(): Promise<Page> {
  const opened = await newWindow()
  await opened.clock.install({ time: 0 })
  await opened.goto(new URL('/map/cards', up.url).href)
  await opened.getByRole('article').waitFor()
  await opened.clock.pauseAt(60_000)
  await expect.poll(() => opened.getByTestId('mode').textContent()).toBe('auto_open')
  return opened
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
