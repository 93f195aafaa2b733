// The Knowledge page: a folder is added, an answer cites it, and the citation opens the passage, also after the file has changed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { Locator, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { testPdf } from '../packages/runtime/test/support/kb/test-documents.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { type Desktop, openCard, openPlace, recordedAnswer, sendMessage, waitForRunState } from './test-desktop.ts'

const timeout = 180_000
const openDesktop = useTestDesktop()
let desktop: Desktop
const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** What is found does not depend on whether the model for meanings is loaded yet. */
async function open(...rest: Parameters<typeof openDesktop>): Promise<void> {
  desktop = await openDesktop(...rest)
  await call('runtime_set_settings', { sections: [{ section: 'knowledge', setting: 'compare_meaning', value: false }] })
}

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await desktop.runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}

const answerText = 'Backups of the archive are deleted after ninety days.'

/** The paragraph that answers the question is far below the top of its file. */
function backups(): string {
  const paragraphs = Array.from(
    { length: 200 },
    (_, number) => `Step ${number}: look at the lamp of cabinet ${number}, then note its color.`,
  )
  return ['# Operations', ...paragraphs, '## Retention', answerText, '## Cabinets', ...paragraphs.slice(0, 30), ''].join('\n\n')
}

/** Forty Markdown files and three PDF files. */
async function writeLibrary(folder: string): Promise<void> {
  mkdirSync(join(folder, 'notes'), { recursive: true })
  writeFileSync(join(folder, 'backups.md'), backups())
  for (let number = 1; number < 40; number += 1) {
    writeFileSync(join(folder, 'notes', `note-${number}.md`), `# Note ${number}\n\nThe garden has ${number} trees.\n`)
  }
  for (const number of [1, 2, 3]) {
    // A cover without text, then a page.
    const pages = [[], [[`Result ${number}: the barometer in Lisbon fell quickly.`]]]
    writeFileSync(join(folder, `paper-${number}.pdf`), await testPdf(pages))
  }
}

/** Searches, and cites the first passage that contains the answer, as the model would. */
async function openWithLibrary(): Promise<string> {
  await open((_, { messages }) => {
    const last = messages.at(-1)
    if (last?.role !== 'tool') return { calls: [{ name: 'kb.search', arguments: { query: 'When are backups of the archive deleted?' } }] }
    const citation = /^\[Library\/backups\.md:\d+\]/m.exec(String(last.content))?.[0] ?? 'nothing'
    return { text: `After ninety days ${citation}, not [Library/backups.md:9999]. Written as \`${citation}\`.` }
  })
  const folder = join(desktop.workspace, 'library')
  await writeLibrary(folder)
  return folder
}

const sourceNamed = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const openPage = (page: Page, path: string) => page.goto(new URL(path, desktop.window.url).href)

/** The lines of the passage that is shown. */
async function shownLines(page: Page): Promise<number> {
  const place = page.getByText(/^Lines? \d/)
  await place.waitFor()
  return Number(/\d+/.exec(await place.innerText())?.[0])
}

/** Whether the cited line is in the part of the text that is visible. */
async function isInView(page: Page): Promise<boolean> {
  const line = await page.locator('[data-cited]').or(page.locator('[data-inside=whole]').first()).first().boundingBox()
  const text = await page.getByRole('region', { name: 'The passage in its document' }).boundingBox()
  const bottom = Math.min(page.viewportSize()?.height ?? 0, (text?.y ?? 0) + (text?.height ?? 0))
  return line !== null && text !== null && line.y >= Math.max(0, text.y) && line.y + line.height <= bottom
}

test('a folder is added, an answer cites it, and the citation opens at the right line, also after the file has changed', async () => {
  const folder = await openWithLibrary()
  const page = await desktop.page({ width: 1200 })
  await openPlace(page, 'Memory and knowledge', 'Knowledge')
  await page.getByText('Nothing has been added yet.').waitFor()
  expect(await seriousFindings(page)).toEqual([])

  await page.getByRole('button', { name: 'Add a source' }).click()
  await page.getByLabel('Path of the folder or file').fill(folder)
  await page.getByLabel('Name').fill('Library')
  await page.getByText('Options', { exact: true }).click()
  await page.getByLabel('Read changes immediately').uncheck()
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const library = sourceNamed(page, 'Library')
  await library.getByText('Ready', { exact: true }).waitFor({ timeout })
  await library.getByText(/^For all agents · 43 files · \d+ passages · .* · checked just now$/).waitFor()

  await page.getByRole('link', { name: 'New conversation' }).click()
  await sendMessage(page, 'When are backups of the archive deleted?')
  await waitForRunState(page, 'Done')
  const answer = recordedAnswer(page, 'After ninety days')
  const citation = answer.getByRole('link', { name: /^\[Library\/backups\.md:\d+\]$/ })
  await citation.waitFor()
  expect(await answer.getByRole('link').count()).toBe(1)
  expect(await answer.locator('code').innerText()).toBe(await citation.innerText())
  expect(await seriousFindings(page)).toEqual([])

  const card = page.locator('article[data-card=ToolCall]').last()
  await openCard(card)
  const found = card.getByRole('link', { name: await citation.innerText() })
  expect(await found.getAttribute('href')).toBe(await citation.getAttribute('href'))
  await card.getByRole('button', { name: 'Show all' }).first().click()
  await card.getByRole('button', { name: 'Show less' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])

  expect(await citation.innerText()).toBe(`[Library/backups.md:${lineOf(join(folder, 'backups.md'))}]`)
  await citation.click()
  await page.getByRole('heading', { name: 'Library/backups.md' }).waitFor()
  const cited = page.locator('[data-inside=whole]').filter({ hasText: answerText })
  await cited.waitFor()
  const before = await shownLines(page)
  expect(before).toBeGreaterThan(3)
  expect(isMarkedAt(await numbers(page), before)).toBe(true)
  expect(await isInView(page)).toBe(true)
  expect(await numberOf(cited)).toBe(lineOf(join(folder, 'backups.md')))
  expect(await seriousFindings(page)).toEqual([])

  const inserted = 'A new paragraph.\n\nIt has two parts.\n\n'
  writeFileSync(
    join(folder, 'backups.md'),
    readFileSync(join(folder, 'backups.md'), 'utf8').replace('# Operations\n\n', `# Operations\n\n${inserted}`),
  )
  await page.reload()
  await page.getByText('The file has changed since it was read').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Reindex' }).click()
  await page.getByText('The file has changed since it was read').waitFor({ state: 'hidden' })
  const now = lineOf(join(folder, 'backups.md'))
  await expect.poll(async () => await numberOf(cited)).toBe(now)

  await page.goBack()
  await recordedAnswer(page, 'After ninety days').getByRole('link').click()
  await cited.waitFor()
  expect(await shownLines(page)).toBe(before + 4)
  expect(await numberOf(page.locator('[data-cited]'))).toBe(now)
  expect(await numberOf(cited)).toBe(now)
  expect(await isInView(page)).toBe(true)
})

/** In the file. */
function lineOf(path: string): number {
  return readFileSync(path, 'utf8').split('\n').indexOf(answerText) + 1
}

async function numberOf(line: Locator): Promise<number> {
  return Number(/^\d+/.exec(await line.innerText())?.[0])
}

/** Of the lines of the passage. */
async function numbers(page: Page): Promise<readonly number[]> {
  const texts = await page.locator('[data-inside=whole], [data-inside=part]').allInnerTexts()
  return texts.map((text) => Number(/^\d+/.exec(text)?.[0]))
}

/** They follow each other, from the line that the page names on. */
function isMarkedAt(found: readonly number[], first: number): boolean {
  return found.length > 0 && found.every((number, index) => number === first + index)
}

test('a search shows what it found and why, and a hit in a PDF opens at its page', async () => {
  const folder = await openWithLibrary()
  const {
    source: { source_id },
  } = await call('kb_add', { path: folder, name: 'Library', owner: { kind: 'everyone' } })
  await call('kb_add', { text: 'The barometer of my grandmother.', name: 'Diary', owner: { kind: 'everyone' } })
  await expect.poll(async () => (await call('kb_get', { source_id })).source.state).toBe('ready')
  const page = await desktop.page({ path: '/knowledge/search', width: 1200 })
  await sendMessage(await desktop.page(), 'Hello.')
  const box = page.getByRole('searchbox', { name: 'Search the knowledge base' })
  await box.fill('barometer in Lisbon')
  const hit = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /^\[Library\/paper-\d\.pdf:p2\]$/ }) })
  await hit
    .first()
    .getByText(/Matched on/)
    .waitFor()
  await expect.poll(() => hit.first().locator('mark').allInnerTexts()).toContain('barometer')
  await page
    .getByRole('status')
    .getByText(/\d+ passages · Only words were compared/)
    .waitFor()
  expect(await seriousFindings(page)).toEqual([])

  await page.getByText('Sources: All sources').click()
  await page.getByRole('checkbox', { name: 'Diary' }).check()
  await page.getByRole('link', { name: /^\[Diary/ }).waitFor()
  await expect.poll(() => hit.count()).toBe(0)
  await page.getByRole('checkbox', { name: 'Diary' }).uncheck()

  // An agent finds what is in the folder of its conversation, and nothing of it elsewhere.
  await page.getByLabel('Search as').selectOption({ index: 1 })
  await page.getByRole('link', { name: 'Open its tool policies' }).waitFor()
  await hit.first().waitFor()
  await page.getByLabel('Working in').selectOption('No folder')
  await page.getByRole('link', { name: /^\[Diary/ }).waitFor()
  await expect.poll(() => hit.count()).toBe(0)
  await page.getByLabel('Search as').selectOption({ index: 0 })

  await hit.first().getByRole('link').click()
  await page.getByText('Page 2', { exact: true }).waitFor()
  await page.locator('[data-inside=whole]').filter({ hasText: 'the barometer in Lisbon fell quickly' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
})

test('sources are renamed, shared, canceled and removed; problems have reasons and remedies, also at 360 px', async () => {
  const silent = createServer(() => undefined)
  servers.push(silent)
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/slow`
  await open([])
  const folder = join(desktop.workspace, 'library')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.md'), '# A\n\nThe garden has seven trees.\n')
  for (let number = 0; number < 60; number += 1) writeFileSync(join(folder, `n-${number}.md`), `Bench ${number}.\n`)
  writeFileSync(join(folder, '.env'), 'KEY=1')
  writeFileSync(join(folder, 'photo.png'), Buffer.from('89504e470d0a1a0a00000000', 'hex'))
  const page = await desktop.page({ path: '/knowledge', width: 1200 })

  const add = page.getByRole('button', { name: 'Add', exact: true })
  await page.getByRole('button', { name: 'Add a source' }).click()
  await page.getByLabel('Path of the folder or file').fill('library')
  await add.click()
  await page.getByRole('alert').getByText('Must be a full path').waitFor()
  await page.getByLabel('Path of the folder or file').fill(folder)
  await add.click()
  const library = sourceNamed(page, 'library')
  await library.getByText('Ready', { exact: true }).waitFor()

  // A page that never answers is read until it is canceled; what comes after it waits.
  await page.getByRole('button', { name: 'Add a source' }).click()
  await page.getByText('Web page', { exact: true }).click()
  await page.getByLabel('Address').fill(address)
  await add.click()
  const slow = sourceNamed(page, new URL(address).host.concat('/slow'))
  await slow.getByText('Being read', { exact: true }).waitFor()
  await slow.getByRole('progressbar').waitFor()
  await page.getByRole('button', { name: 'Add a source' }).click()
  await page.getByText('Text', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('My own notes.')
  await add.click()
  const notes = sourceNamed(page, 'My own notes.')
  await notes.getByText('Waiting', { exact: true }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await slow.getByRole('button', { name: /^Cancel reading/ }).click()
  await slow.getByText('Canceled', { exact: true }).waitFor()
  await notes.getByText('Ready', { exact: true }).waitFor()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
  await slow.getByRole('button', { name: /^Reindex/ }).click()
  await slow.getByText('Failed', { exact: true }).waitFor()
  await slow.getByText('Check that the server is running and the port is correct.').waitFor()
  expect(await seriousFindings(page)).toEqual([])

  await library.getByRole('button', { name: 'Edit library' }).click()
  await library.getByLabel('Name').fill('Garden')
  await library.getByText('Agents in one folder').click()
  await library.getByLabel('Path of the folder the agents work in').fill(desktop.workspace)
  await library.getByLabel('Read changes immediately').uncheck()
  expect(await seriousFindings(page)).toEqual([])
  await library.getByRole('button', { name: 'Save' }).click()
  const garden = sourceNamed(page, 'Garden')
  await garden.getByText(`For agents in ${desktop.workspace} · 61 of 63 files searchable`).waitFor()
  expect(await garden.getByText('watched for changes').count()).toBe(0)

  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await garden.getByRole('link', { name: '2 left out' }).click()
  const leftOut = page.getByRole('region', { name: 'Left out' })
  await leftOut.getByText('May contain secrets 1 file').click()
  await leftOut.getByText('.env', { exact: true }).waitFor()
  await leftOut.getByText('Images, videos, programs, archives and databases cannot be searched.').waitFor()
  const files = page.getByRole('region', { name: 'Files' })
  await files.getByText('a.md', { exact: true }).waitFor()
  await files.getByText('The first 50', { exact: true }).waitFor()
  await files.getByRole('button', { name: 'Show more' }).click()
  await files.getByText('63 files', { exact: true }).waitFor()
  expect(await files.getByRole('listitem').count()).toBe(63)
  expect(await seriousFindings(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)

  await page.getByRole('button', { name: 'Edit Garden' }).click()
  await page.getByRole('button', { name: 'Remove Garden' }).click()
  await page.getByText('Removes “Garden” from the knowledge base. The files are not touched.').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  const itsAddress = page.url()
  await page.getByRole('button', { name: 'Remove source' }).click()
  await page.waitForURL(/\/knowledge$/)
  await notes.waitFor()
  expect(await garden.count()).toBe(0)
  expect(readFileSync(join(folder, 'a.md'), 'utf8')).toContain('seven trees')
  await page.goto(itsAddress)
  await page.getByText('This source does not exist.').waitFor()
  await openPage(page, '/knowledge/passages/gone')
  await page.getByText('There is no passage with this id in the knowledge base.').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('link', { name: 'Search the knowledge base' }).click()
  await page.getByRole('searchbox', { name: 'Search the knowledge base' }).fill('garden')
  await page.getByText('Nothing was found.').waitFor()
})

test('sources and searches that cannot be read say so, and can be tried again', async () => {
  await open([])
  const { source } = await call('kb_add', { text: 'My own notes.', owner: { kind: 'everyone' } })
  await expect
    .poll(async () => (await call('kb_get', { source_id: source.source_id })).source.state, { timeout: timeout / 2 })
    .toBe('ready')
  const page = await desktop.page()
  const failing = new Set(['kb_list', 'kb_search', 'kb_passage'])
  await page.routeWebSocket(/./, (socket) => {
    const runtime = socket.connectToServer()
    socket.onMessage((message) => {
      const { id, method } = JSON.parse(String(message))
      if (!failing.has(method)) return runtime.send(message)
      const data = { code: 'internal_error', message: 'the knowledge base cannot be opened', remedy: 'Look at the log.' }
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message: data.message, data } }))
    })
  })
  const alert = page.getByRole('alert').filter({ hasText: 'The knowledge base cannot be opened.' })
  const again = alert.getByRole('button')
  await openPage(page, '/knowledge')
  await alert.getByText('Look at the log.').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  failing.delete('kb_list')
  await again.click()
  await sourceNamed(page, 'My own notes.').waitFor()

  await page.getByRole('link', { name: 'Try a search' }).click()
  await page.getByRole('searchbox', { name: 'Search the knowledge base' }).fill('notes')
  await again.waitFor()
  failing.delete('kb_search')
  await again.click()
  await page.getByRole('link', { name: /^\[My own notes/ }).click()
  await again.waitFor()
  failing.delete('kb_passage')
  await again.click()
  await page.locator('mark').getByText('My own notes.').waitFor()
})
