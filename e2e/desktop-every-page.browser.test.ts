// Every page with content, its dialogs and menus, in one window: translated, without a serious accessibility finding in either theme, from
// 360 px to 2560 px; and reached and left with the keyboard only. The pages are in a language that is made from English: every text is in
// brackets and longer. A text without brackets cannot be translated, and a text that is cut here would be cut in German.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accentedText } from '../packages/desktop/src/language/pseudo-locale.ts'
import { placeNames, placePages } from '../packages/desktop/src/shell/places.ts'
import { branchWords } from '../packages/desktop/src/strings/branching.ts'
import { folderWords } from '../packages/desktop/src/strings/folders.ts'
import { navigationWords } from '../packages/desktop/src/strings/navigation.ts'
import { words } from '../packages/desktop/src/strings/window.ts'
import { seriousFindings } from './accessibility.ts'
import { launchChromium } from './chromium.ts'
import { type FilledDesktop, fillDesktop } from './filled-desktop.ts'
import { english, type FilledPage, filledPages, openFilledPage } from './filled-pages.ts'
import { emptyDatabase, type TestDatabase } from './server-database.ts'
import { endServers, type ServerProcess, startServerProcess } from './server-process.ts'
import { cutTextsOfPage, type SeenText, SentTexts, textsOfPage, untranslatedParts } from './untranslated.ts'

const long = 900_000
const accented = (text: string) => accentedText(text, [])

let database: TestDatabase
let server: ServerProcess
let browser: Browser
let filled: FilledDesktop
let page: Page
const sent = new SentTexts()

beforeAll(async () => {
  database = await emptyDatabase()
  server = await startServerProcess({ BAAS_URL: database.url, BAAS_KEY: database.password, LOG_LEVEL: 'warn' })
  browser = await launchChromium()
  filled = await fillDesktop(browser, server.url)
  page = await filled.desktop.page({ width: 1440, height: 900 })
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => sent.add(JSON.parse(String(payload)))))
  await page.emulateMedia({ reducedMotion: 'reduce' })
}, long)

afterAll(async () => {
  for (const context of browser.contexts()) await context.close()
  await filled.stop()
  await browser.close()
  await server[Symbol.asyncDispose]()
  await endServers()
  await database[Symbol.asyncDispose]()
  expect(filled.desktop.consoleErrors).toEqual([])
})

const open = (path: string) => openFilledPage(page, filled.desktop.window.url, { name: path, path }, english)

test('every page, dialog and menu is translated, fits and has no serious finding, light and dark', { timeout: long }, async () => {
  await page.evaluate("localStorage.setItem('tandem.language', 'en-XA')")
  try {
    const found: Record<string, unknown> = {}
    for (const one of filledPages(filled)) {
      const findings = await findingsOf(one)
      if (findings.length > 0) found[one.name] = findings
    }
    expect(found).toEqual({})
    expect(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]')).toEqual(['en-XA', 'ltr'])
  } finally {
    await page.evaluate("localStorage.removeItem('tandem.language')")
  }
})

async function findingsOf(one: FilledPage): Promise<readonly string[]> {
  const url = filled.desktop.window.url
  await page.setViewportSize({ width: 1440, height: 900 })
  await openFilledPage(page, url, one, accented)
  // The sidebar is the same beside all pages.
  const without = one.show || one.path === '/' ? [] : ['.side']
  const found = [...(await seriousFindings(page, 'everything', without)), ...(await wordsThatFail('1440'))]
  await page.emulateMedia({ colorScheme: 'dark' })
  found.push(...(await seriousFindings(page, 'colours', without)))
  await page.emulateMedia({ colorScheme: 'light' })
  for (const width of one.show ? [] : [2560, 1600, 900]) {
    await page.setViewportSize({ width, height: 900 })
    found.push(...((await page.evaluate(widerThanItsRoom)) as string[]).map((name) => `${name} at ${width}`))
  }
  await page.setViewportSize({ width: 360, height: 900 })
  // Menus and dialogs are opened in the narrow window, because its sidebar is closed.
  if (one.show) await openFilledPage(page, url, one, accented)
  found.push(...(await wordsThatFail('360')))
  await page.evaluate(openAllFolds)
  const wide = (await page.evaluate(widerThanItsRoom)) as string[]
  return [...new Set([...found, ...wide.map((name) => `${name} at 360, unfolded`)])]
}

/** Texts that cannot be translated, and texts that are cut. */
async function wordsThatFail(width: string): Promise<readonly string[]> {
  const texts = (await page.evaluate(textsOfPage)) as SeenText[]
  const untranslated = texts.flatMap(({ text, where }) => untranslatedParts(text, sent).map((part) => `${part} | ${where}`))
  const cut = (await page.evaluate(cutTextsOfPage)) as string[]
  return [...untranslated, ...cut].map((fault) => `${fault} at ${width}`)
}

test('the palette, the drawer of a narrow screen and an agent have no serious finding', async () => {
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.goto(new URL('/agents', filled.desktop.window.url).href)
  await page.locator('main a[href^="/agents/"]').first().click()
  await page.getByRole('button', { name: 'Edit the policy of fs.write' }).click()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Menu' }).click()
  expect(await seriousFindings(page)).toEqual([])
})

/** What has the focus, by its name. */
const focused = async () =>
  String(await page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText.trim()"))

async function tabTo(name: RegExp): Promise<void> {
  for (let press = 0; press < 400; press += 1) {
    if (name.test(await focused())) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${name} cannot be reached with Tab`)
}

const exactly = (name: string) => new RegExp(`^${RegExp.escape(name)}`)

test('the eight places and their tabs are reached with the keyboard only', { timeout: long }, async () => {
  await page.setViewportSize({ width: 1200, height: 800 })
  for (const place of placeNames) {
    await open('/nowhere')
    await page.evaluate('document.body.focus(); document.querySelector(\'nav[aria-label="Pages"] a\').focus()')
    await tabTo(exactly(navigationWords.places[place]))
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname !== '/nowhere')
    for (const name of place === 'chat' ? [] : placePages[place].slice(1)) {
      await tabTo(exactly(words.places[name]))
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/${name}`)
    }
  }
})

test('dialogs are opened and closed with the keyboard, and the focus returns', { timeout: long }, async () => {
  await page.setViewportSize({ width: 1200, height: 800 })
  const closes = async () => {
    await page.locator('dialog[open]').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    return focused()
  }
  await open(filled.at.ended)
  await tabTo(exactly(folderWords.change))
  const folder = await focused()
  await page.keyboard.press('Enter')
  expect(await closes()).toBe(folder)
  await page.keyboard.press('Control+k')
  expect(await closes()).toBe(folder)
  await page.keyboard.press('?')
  expect(await closes()).toBe(folder)
  await page.locator('[data-role=assistant]').last().getByRole('button', { name: branchWords.regenerate }).focus()
  await page.keyboard.press('Enter')
  expect(await closes()).toBe(branchWords.regenerate)

  await open('/runs')
  await tabTo(exactly('More actions for'))
  const line = await focused()
  await page.keyboard.press('Enter')
  await tabTo(exactly(navigationWords.list.delete))
  await page.keyboard.press('Enter')
  expect(await closes()).toBe(line)
})

/** Folds may contain folds. */
const openAllFolds = `(async () => {
  for (let closed; (closed = document.querySelectorAll('main details:not([open])')).length > 0; ) {
    for (const fold of closed) fold.open = true
    for (let count = 0; count < 4; count += 1) await new Promise(requestAnimationFrame)
  }
})()`

/** Which of the scroll containers of the page would scroll horizontally. */
const widerThanItsRoom = `[document.documentElement, ...document.querySelectorAll('#content, #content > div')]
  .filter((one) => one && one.scrollWidth > one.clientWidth)
  .map((one) => one.id || 'page')`
