// What agents write, as people read it: diagrams, images of the folder, wide tables, and a long conversation on paper.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { printWords } from '../packages/desktop/src/strings/printing.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { writeManyMessages } from './long-thread.ts'
import { recordedAnswer, sendMessage } from './test-desktop.ts'

const openDesktop = useTestDesktop()

const flow = `flowchart LR
  accTitle: How tea is made
  A[Water & <b>heat</b>] -->|boils| B{Ready?}
  B --> C[["Tea"]]
  click A "https://evil.example/track"
  style A fill:#f9f,stroke:#333`
const attack = `%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}, "themeCSS": "* { background: url(https://evil.example/a) }"}}%%
flowchart LR
  A["<img src=https://evil.example/x onerror=alert(1)>"] --> B["<script>alert(1)</script>"]
  click A call alert(1)`
const block = (text: string) => `\`\`\`mermaid\n${text}\n\`\`\``
const diagrams = (page: Page) => page.getByRole('img', { name: /^Diagram/ })
/** The markup of an image, from its address. */
const markupOf = async (page: Page, at = 0) => decodeURIComponent((await diagrams(page).nth(at).getAttribute('src')) ?? '')

test('a diagram is drawn in light and dark, its source stays, and nothing in it can act', async () => {
  const text = `Here:\n\n${block(flow)}\n\nand\n\n${block(attack)}\n\nand\n\n${block('flowchart LR\n A --')}\n\nand\n\n${block(`flowchart LR\n${'A-->B\n'.repeat(500)}`)}\n\nEnd.`
  const desktop = await openDesktop([{ text }])
  const page = await desktop.page({ width: 1440, height: 4_000 })
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await sendMessage(page, 'Draw it')
  await recordedAnswer(page, 'End.').waitFor()
  await diagrams(page).nth(1).waitFor()
  expect(await diagrams(page).first().getAttribute('alt')).toBe('Diagram (flowchart): How tea is made')
  // The library is loaded once, with the first diagram.
  expect(requested.filter((url) => url.includes('mermaid'))).toHaveLength(1)
  const size = await diagrams(page).first().boundingBox()
  expect([size && size.width > 100, size && size.height > 30]).toEqual([true, true])
  expect(
    await diagrams(page)
      .first()
      .evaluate<number, { naturalWidth: number }>(({ naturalWidth }) => naturalWidth),
  ).toBeGreaterThan(0)
  for (const at of [0, 1]) {
    const markup = await markupOf(page, at)
    expect(markup.match(/<script|<foreignObject|<a[\s>]|<image|<img|\son\w+=|href="(?!#)|evil\.example\/(?:a|track)/gi)).toBe(null)
  }
  // Errors and diagrams that are too large show their source, with the reason.
  await page.getByText(/^This diagram can’t be drawn: Parse error on line/).waitFor()
  await page.getByText('This diagram can’t be drawn: it has more than 10,000 characters or 400 lines.').waitFor()
  await page.getByRole('button', { name: 'Show source' }).first().click()
  await page.locator('code', { hasText: 'accTitle: How tea is made' }).waitFor()
  await page.getByRole('button', { name: 'Show diagram' }).click()
  expect(await seriousFindings(page)).toEqual([])

  const light = await markupOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(async () => (await diagrams(page).count()) > 0 && (await markupOf(page)) !== light).toBe(true)
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
})

/** In the browser. */
declare function getComputedStyle(element: unknown): Record<string, string>

/** As the browser computed it. */
function styleOf(element: Locator, name: string): Promise<string> {
  return element.evaluate((one, asked) => getComputedStyle(one)[asked] ?? '', name)
}

/** A green square. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGNgaGDAiobSEgAqSAgBbRE9IwAAAABJRU5ErkJggg=='

test('images of the folder are shown, others are links or text; tables scroll and keep their words', async () => {
  const wide = `| ${Array.from({ length: 14 }, (_, at) => `Column${at}Internationalization`).join(' | ')} |`
  const table = `${wide}\n|${' :-: |'.repeat(14)}\n| ${Array.from({ length: 14 }, () => 'word').join(' | ')} |`
  const text = `![A square](square.png) ![Remote](https://evil.example/x.png) ![Outside](../../../etc/hostname) ![Text](notes.md)\n\n${table}\n\nשלום עולם, this is text.\n\nEnd.`
  const desktop = await openDesktop([{ text }], (_, workspace) => writeFileSync(join(workspace, 'square.png'), Buffer.from(png, 'base64')))
  const page = await desktop.page({ width: 360, height: 740 })
  await sendMessage(page, 'Show it')
  await recordedAnswer(page, 'End.').waitFor()
  const square = page.getByRole('img', { name: 'A square' })
  await square.waitFor()
  expect(await square.evaluate<number, { naturalWidth: number }>(({ naturalWidth }) => naturalWidth)).toBe(8)
  expect(await page.getByRole('link', { name: 'Image: Remote (https://evil.example/x.png)' }).getAttribute('rel')).toContain('noreferrer')
  await page.getByText('Outside (../../../etc/hostname)').waitFor()
  await page.getByText('Text (notes.md)').waitFor()
  // The page does not scroll; the table does, and its words are whole.
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  const cell = page.getByRole('columnheader', { name: 'Column3Internationalization' })
  const height = await cell.evaluate((one) => one.clientHeight)
  const align = await styleOf(cell, 'textAlign')
  expect([height < 60, align]).toEqual([true, 'center'])
  const paragraph = page.locator('.prose p', { hasText: /^שלום/ })
  expect([await paragraph.getAttribute('dir'), await styleOf(paragraph, 'direction')]).toEqual(['auto', 'rtl'])
})

/** A smaller one. */
const otherPng = 'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR4nGNQcDgARwzEcQDKQxIB1y4VyQAAAABJRU5ErkJggg=='

test('a later message shows an image as the file is then, earlier ones keep theirs, and headings are below the title', async () => {
  const turns = ['### Before\n\n![Before](chart.png)', '## After\n\n![After](chart.png)']
  let chart = ''
  const desktop = await openDesktop(
    turns.map((text) => ({ text })),
    (_, workspace) => {
      chart = join(workspace, 'chart.png')
      writeFileSync(chart, Buffer.from(png, 'base64'))
    },
  )
  const page = await desktop.page()
  const widthOf = (name: string) =>
    page.getByRole('img', { name }).evaluate<number, { naturalWidth: number }>(({ naturalWidth }) => naturalWidth)
  await sendMessage(page, 'Draw it')
  await recordedAnswer(page, 'Before').waitFor()
  await expect.poll(() => widthOf('Before')).toBe(8)
  writeFileSync(chart, Buffer.from(otherPng, 'base64'))
  await sendMessage(page, 'Draw it again')
  await recordedAnswer(page, 'After').waitFor()
  await expect.poll(() => widthOf('After')).toBe(4)
  expect(await widthOf('Before')).toBe(8)
  await page.getByRole('heading', { level: 2, name: 'Before' }).waitFor()
  await page.getByRole('heading', { level: 2, name: 'After' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
})

const question = (page: Page, turn: number) => page.locator('[data-role=user] > p', { hasText: new RegExp(`Question ${turn}$`) })

test('a long conversation is printed as a whole, although only a part of it is on the screen, and without controls', async () => {
  const desktop = await openDesktop((_, { messages }) => ({
    text: `Answer to ${JSON.stringify(messages)
      .match(/Question \d+/g)
      ?.at(-1)}.\n\n${'Some words of an answer that is long enough. '.repeat(40)}`,
  }))
  const page = await desktop.page()
  for (let turn = 1; turn <= 8; turn += 1) {
    await sendMessage(page, `Question ${turn}`)
    await recordedAnswer(page, `Answer to Question ${turn}.`).waitFor()
  }
  await question(page, 1).waitFor({ state: 'detached' })
  const pdf = (await page.pdf()).toString('latin1')
  expect((pdf.match(/\/Type\s*\/Page[^s]/g) ?? []).length).toBeGreaterThan(3)

  await page.emulateMedia({ media: 'print' })
  await page.evaluate("dispatchEvent(new Event('beforeprint'))")
  for (let turn = 1; turn <= 8; turn += 1) {
    await question(page, turn).waitFor()
    await recordedAnswer(page, `Answer to Question ${turn}.`).waitFor()
  }
  await page.getByRole('heading', { level: 1, name: 'Question 1' }).waitFor()
  for (const role of ['button', 'textbox', 'navigation'] as const) expect(await page.getByRole(role).count()).toBe(0)
  await page.evaluate("dispatchEvent(new Event('afterprint'))")
  await page.emulateMedia({ media: 'screen' })
  await question(page, 1).waitFor({ state: 'detached' })
})

/** Instead of the dialog, which a test cannot answer: keeps what the browser would print. */
const standInForDialog = `window.print = () => {
  dispatchEvent(new Event('beforeprint'))
  window.printed = [...document.querySelectorAll('[data-role]')].map((one) => one.textContent.match(/Message [0-9]+[.]/)?.[0])
  dispatchEvent(new Event('afterprint'))
}`

test('10,000 messages are printed as a whole, even before they are loaded; preparing them can be canceled', {
  timeout: 600_000,
}, async () => {
  let id = ''
  const desktop = await openDesktop([], (home, workspace) => {
    id = writeManyMessages(home, workspace, 10_000)
  })
  const page = await desktop.page()
  await page.addInitScript(standInForDialog)
  await page.goto(new URL(`/c/${id}`, page.url()).href)
  const rows = page.locator('[data-role]')
  await page.getByRole('log').waitFor()
  await page.keyboard.press('Control+p')
  const progress = page.getByRole('status').filter({ hasText: /before printing|for printing/ })
  await progress.waitFor()
  await page.getByRole('button', { name: printWords.cancel, exact: true }).click()
  await progress.waitFor({ state: 'detached' })
  await rows.filter({ hasText: 'Message 10000.' }).waitFor({ timeout: 300_000 })
  expect([await page.evaluate('window.printed === undefined'), (await rows.count()) < 200]).toEqual([true, true])

  await page.reload()
  await page.getByRole('log').waitFor()
  await page.keyboard.press('Control+p')
  await expect.poll(() => page.evaluate('window.printed !== undefined'), { timeout: 500_000, interval: 500 }).toBe(true)
  expect(await page.evaluate('window.printed')).toEqual(Array.from({ length: 10_000 }, (_, turn) => `Message ${turn + 1}.`))
  await expect.poll(() => rows.count(), { timeout: 120_000 }).toBeLessThan(200)
})
