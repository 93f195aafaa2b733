// Every page, in both themes, without a serious finding.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageNames } from '../packages/desktop/src/map/page-name.ts'
import { placeNames } from '../packages/desktop/src/shell/places.ts'
import { seriousFindings } from './accessibility.ts'
import { launchChromium } from './chromium.ts'
import { type Desktop, openDesktop, say } from './desktop-window.ts'

let browser: Browser
let desktop: Desktop
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
    { calls: [{ name: 'fs.write', arguments: { path: 'notes.md', content: '# Notes\n\nBuy oat milk.\n' } }] },
    { text: 'Done.' },
  ])
  const page = await desktop.page({ width: 1200 })
  await say(page, 'Put oat milk on the list.')
  await page.getByRole('alertdialog').waitFor()
  conversation = new URL(page.url()).pathname
  await page.context().close()
}, 60_000)

afterAll(async () => {
  for (const context of browser.contexts()) await context.close()
  await desktop.stop()
  await browser.close()
  expect(desktop.complaints).toEqual([])
})

const paths = [
  '/',
  'conversation',
  ...placeNames.map((name) => `/${name}`),
  ...pageNames.slice(1).map((name) => `/map/${name}`),
  '/nowhere',
]

test.each(paths)('%s has no serious finding, light and dark', { timeout: 60_000 }, async (path) => {
  const page = await desktop.page({ path: path === 'conversation' ? conversation : path, width: 1200 })
  await standing(page, path)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await seriousFindings(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await seriousFindings(page, 'colours')
  await page.context().close()
  expect({ light, dark }).toEqual({ light: [], dark: [] })
})

test('nor have the palette, the drawer of a narrow screen, and an agent', { timeout: 60_000 }, async () => {
  const page = await desktop.page({ path: '/agents', width: 1200 })
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
  await page.context().close()
})

/** Until the page says what it has to say; the end of the sandbox's test comes late. */
async function standing(page: Page, path: string): Promise<void> {
  if (path === 'conversation') await page.getByRole('alertdialog').waitFor()
  else await page.getByRole('heading', { level: 1 }).first().waitFor()
  if (path === '/diagnostics') await page.getByText('Sandbox self-test').waitFor({ timeout: 30_000 })
  await expect.poll(() => page.getByText('Loading…').count(), { timeout: 20_000 }).toBe(0)
}
