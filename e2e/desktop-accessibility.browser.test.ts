// Every page by its address in one window: it fits from 360 px on, and has no serious accessibility finding in either theme.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageNames } from '../packages/desktop/src/shell/pages.ts'
import { seriousFindings } from './accessibility.ts'
import { launchChromium } from './chromium.ts'
import { approval, type Desktop, openDesktop, sendMessage, writeCall } from './test-desktop.ts'

const timeout = 120_000
let browser: Browser
let desktop: Desktop
let page: Page
let conversation: string

beforeAll(async () => {
  browser = await launchChromium()
  desktop = await openDesktop(browser, [
    {
      thinking: 'I look first.',
      text: '# Look\n\n- one\n- **two**\n\n```js\nlet a = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      calls: [
        { name: 'fs.list', arguments: { path: '.' } },
        { name: 'fs.read', arguments: { path: 'missing.md' } },
        { name: 'todo.create', arguments: { todos: [{ title: 'Look at the notes' }] } },
      ],
    },
    { calls: [writeCall('notes.md', '# Notes\n\nBuy oat milk.\n')] },
    { text: 'Done.' },
  ])
  page = await desktop.page({ width: 1200 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await sendMessage(page, 'Put oat milk on the list.')
  await approval(page).waitFor({ timeout })
  conversation = new URL(page.url()).pathname
}, timeout)

afterAll(async () => {
  for (const context of browser.contexts()) await context.close()
  await desktop.stop()
  await browser.close()
  expect(desktop.consoleErrors).toEqual([])
})

const paths = ['/', 'conversation', ...pageNames.map((name) => `/${name}`), '/mcp/gone', '/skills/gone', '/nowhere']

test.each(paths)('%s fits at 360 px and wide, and has no serious finding, light and dark', { timeout }, async (path) => {
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(new URL(path === 'conversation' ? conversation : path, desktop.window.url).href)
  await standing(path)
  const light = await seriousFindings(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await seriousFindings(page, 'colours')
  expect({ light, dark }).toEqual({ light: [], dark: [] })
  for (const width of [900, 360, 1600]) {
    await page.setViewportSize({ width, height: 800 })
    // From the narrowest width on with all folds open.
    if (width === 360) await page.evaluate(openAllFolds)
    expect({ width, over: await page.evaluate(widerThanItsRoom) }).toEqual({ width, over: [] })
  }
})

test('the palette, the drawer of a narrow screen and an agent have no serious finding', { timeout }, async () => {
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.goto(new URL('/agents', desktop.window.url).href)
  await page.locator('main a[href^="/agents/"]').first().click()
  await page.getByRole('button', { name: 'Edit the policy of fs.write' }).click()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Menu' }).click()
  expect(await seriousFindings(page)).toEqual([])
})

/** Waits until the page is loaded; the sandbox self-test ends late. */
async function standing(path: string): Promise<void> {
  if (path === 'conversation') await approval(page).waitFor({ timeout })
  else await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout })
  if (path === '/diagnostics') await page.getByText('Sandbox self-test').waitFor({ timeout })
  await expect.poll(() => page.getByText('Loading…').count(), { timeout: 20_000 }).toBe(0)
}

/** Folds may contain folds. */
const openAllFolds = `(async () => {
  for (let closed; (closed = document.querySelectorAll('main details:not([open])')).length > 0; ) {
    for (const fold of closed) fold.open = true
    for (let count = 0; count < 4; count += 1) await new Promise(requestAnimationFrame)
  }
})()`

/** Which of the two scroll containers of the page would scroll horizontally. */
const widerThanItsRoom = `[document.documentElement, document.querySelector('#content')]
  .filter((one) => one && one.scrollWidth > one.clientWidth)
  .map((one) => one.id || 'page')`
