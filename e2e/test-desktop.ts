// A real runtime with its host, a scripted model, its own workspace, and a page of a real browser.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { type OpenWindow, openRuntime, type Runtime, startRuntime } from '../packages/runtime/src/runtime.ts'
import { type Script, type ScriptedTurn, startTestModel, type TestModel } from '../packages/runtime/test/support/model/test-model.ts'

const windowDir = fileURLToPath(new URL('../packages/desktop/dist', import.meta.url))

/** How long a step in a page may take. A run waits for the disk many times, and each time can take seconds on a busy machine. */
const step_ms = 60_000

export interface Desktop {
  /** The folder that contains all of it. */
  readonly folder: string
  readonly workspace: string
  readonly model: TestModel
  runtime: Runtime
  window: OpenWindow
  readonly consoleErrors: string[]
  page(options?: { readonly path?: string; readonly width?: number; readonly height?: number; readonly dark?: boolean }): Promise<Page>
  /** Ends the runtime as Ctrl-C would, or as a crash would, and starts it again on the same port. */
  restart(): Promise<void>
  stopRuntime(): Promise<void>
  stop(): Promise<void>
}

export async function openDesktop(
  browser: Browser,
  script: readonly ScriptedTurn[] | Script,
  /** Creates files in the folders before the runtime opens. */
  prepare: (home: string, workspace: string) => void = () => undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<Desktop> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-desktop-'))
  const home = join(folder, 'home')
  const workspace = join(folder, 'workspace')
  mkdirSync(home)
  mkdirSync(workspace)
  writeFileSync(join(workspace, 'notes.md'), '# Notes\n\nBuy milk.\n')
  prepare(home, workspace)
  const model = await startTestModel(script)
  const complaints: string[] = []
  const log = () => undefined
  // The user's home folder, where a sample is created.
  const environment = {
    ...process.env,
    HOME: folder,
    TANDEM_MEMORY_MODEL: 'off',
    TANDEM_MODEL_URL: model.base_url,
    TANDEM_MODEL: 'scripted',
    OPENAI_API_KEY: undefined,
    ...more,
  }
  const openAll = async (port?: number) => {
    const runtime = openRuntime({ home, workspace, environment, log })
    const window = await startRuntime({ windowDir, runtime, log, ...(port === undefined ? {} : { port }) })
    return { runtime, window }
  }
  const desktop: Desktop = {
    ...(await openAll()),
    folder,
    workspace,
    model,
    consoleErrors: complaints,
    async page({ path = '', width = 1000, height = 800, dark = false } = {}) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' })
      page.setDefaultTimeout(step_ms)
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        // The browser's own messages while a runtime is not running, or ends during a request.
        const isAway = /WebSocket connection|net::ERR_(CONNECTION_|EMPTY_RESPONSE|SOCKET_)/.test(message.text())
        if (message.type() === 'error' && !isAway) complaints.push(message.text())
      })
      page.on('request', (request) => {
        const { hostname, protocol } = new URL(request.url())
        if (hostname !== '127.0.0.1' && protocol !== 'data:') complaints.push(`asks ${request.url()}`)
      })
      const url = new URL(desktop.window.windowUrl())
      url.pathname = path || '/'
      await page.goto(url.href)
      return page
    },
    async stopRuntime() {
      await desktop.window.stop()
      await desktop.runtime.stop()
    },
    async restart() {
      const port = Number(new URL(desktop.window.url).port)
      await desktop.stopRuntime()
      Object.assign(desktop, await openAll(port))
    },
    async stop() {
      await desktop.stopRuntime()
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return desktop
}

/** Opens a place of the sidebar, and one of its pages. */
export async function openPlace(page: Page, place: string, name?: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name: place, exact: true }).click()
  if (name === undefined) return
  await page
    .getByRole('navigation', { name: `Pages of ${place}`, exact: true })
    .getByRole('link', { name, exact: true })
    .click()
}

/** Sends a message as a user would, and waits until the window has sent it. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill(text)
  await box.press('Enter')
  // A quick answer may push the message out of view immediately. It was sent when the composer of its conversation is empty.
  await page.waitForURL(/\/c\//)
  await box.and(page.locator(':placeholder-shown')).waitFor()
}

/** The last card of a run shows its state. */
export function waitForRunState(page: Page, word: string): Promise<void> {
  return page.locator('article[data-card=RunStatus]').last().getByText(word, { exact: true }).waitFor({ timeout: step_ms })
}

/** Opens a card of a run that has ended: not before it has closed by itself, or the click would close it. */
export async function openCard(card: Locator): Promise<void> {
  await card.page().mouse.move(0, 0)
  await card.and(card.page().locator('[data-mode=auto_closed]')).getByRole('button').first().click()
}

/** An answer that is recorded. While it streams in it is `coming`, without an author and a time. */
export function recordedAnswer(page: Page, text: string | RegExp): Locator {
  return page.locator('[data-role=assistant]:not([data-standing=coming])').filter({ hasText: text })
}

export function streamingAnswer(page: Page, text: string): Locator {
  return page.locator('[data-standing=coming]').filter({ hasText: text })
}

export function approval(page: Page): Locator {
  return page.getByRole('alertdialog')
}

/** A call of the scripted model. */
export function writeCall(path: string, content: string, more: { readonly create_parents?: boolean } = {}) {
  return { name: 'fs.write', arguments: { path, content, ...more } }
}

/** Scrolls up from the end, and waits until the scrolling has ended. */
export async function wheelUp(page: Page, pixels: number): Promise<void> {
  const log = page.getByRole('log')
  const top = () => log.evaluate((element) => element.scrollTop)
  await log.hover()
  const before = await settled(page, top)
  await page.mouse.wheel(0, -pixels)
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor()
  await page.waitForFunction(`document.querySelector('[role=log]').scrollTop < ${before}`)
  await settled(page, top)
}

/** The value of `read` once it was the same for several frames: on a busy machine a page is laid out in steps. */
export async function settled<Value>(page: Page, read: () => Promise<Value>): Promise<Value> {
  let last = await read()
  for (let same = 0; same < 4; ) {
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const now = await read()
    same = now === last ? same + 1 : 0
    last = now
  }
  return last
}
