// The first minute of a new user: `npm start` in a fresh clone, the built-in backend, a model that works offline, and a real browser.
// Cloning and installing are left out: packages are linked from this clone, as if `npm install` had run. How long the rest takes
// is printed and not asserted: a busy machine would fail it.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from './chromium.ts'
import { type Clone, freshClone, npmStart, type Started } from './fresh-clone.ts'
import { postmasterOf } from './server-process.ts'
import { openCard } from './test-desktop.ts'

let browser: Browser
let clone: Clone
let person: string
let started: Started | undefined

beforeAll(async () => {
  browser = await launchChromium()
  clone = freshClone()
  person = mkdtempSync(join(tmpdir(), 'tandem-newcomer-'))
  mkdirSync(join(person, 'tmp'))
})

afterAll(async () => {
  await browser.close()
  await started?.interrupt()
  clone.remove()
  rmSync(person, { recursive: true, force: true })
})

/** What a new user may bring. */
const exported = {
  uuid: 'k-1',
  name: 'Trip to Porto',
  created_at: '2024-03-01T10:00:00.000000Z',
  updated_at: '2024-03-01T11:00:00.000000Z',
  chat_messages: [
    { text: 'Where should I go?', sender: 'human', created_at: '2024-03-01T10:00:00Z' },
    { text: 'To the Ribeira.', sender: 'assistant', created_at: '2024-03-01T10:01:00Z' },
  ],
}

/** It works in no folder, not even in the clone, which is not offered afterwards either. */
async function importConversation(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click()
  const section = page.getByRole('region', { name: 'Import conversations' })
  const buffer = Buffer.from(JSON.stringify([exported]))
  await section.getByLabel(/^Export file/).setInputFiles({ name: 'conversations.json', mimeType: 'application/json', buffer })
  await section.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('link', { name: /^Trip to Porto/ }).click()
  await page.getByLabel(/^This conversation was imported\. Choose a folder/).waitFor()
  await page.getByRole('link', { name: 'New conversation' }).click()
  await page.getByRole('button', { name: 'Change folder ~/Tandem' }).waitFor()
}

test('an agent lists, fixes and tests something with approval, and all of it is undone', async () => {
  const { PATH, USER } = process.env
  const folder = { HOME: person, TANDEM_HOME: join(person, '.tandem'), TMPDIR: join(person, 'tmp') }
  const began = performance.now()
  started = await npmStart(clone.folder, { PATH, USER, ...folder, PORT: '0', BAAS_URL: `embedded:${join(person, 'data')}` })
  const page = await browser.newPage({ viewport: { width: 1200, height: 2_000 } })
  page.setDefaultTimeout(60_000)
  await page.goto(started.url)
  // Started in the clone, it does not offer to work there.
  await page.getByRole('button', { name: 'Change folder ~/Tandem' }).waitFor()
  await importConversation(page)
  const look = page.getByRole('region', { name: 'Quick tour' })
  for (let step = 0; step < 3; step += 1) await look.getByRole('button', { name: 'Next' }).click()
  await look.getByRole('button', { name: 'Try it in a sample folder' }).click()

  const approval = page.getByRole('alertdialog')
  const file = join(person, 'tandem-sample', 'greeting.js')
  await approval.getByText('Edit greeting.js?').waitFor()
  await expect.poll(() => page.locator('article[data-card=ToolCall]').first().innerText()).toContain('greeting.test.js')
  expect(await approval.innerText()).toContain('Can be undone')
  expect(readFileSync(file, 'utf8')).toContain('Helo')
  await approval.getByRole('button', { name: 'Allow once' }).click()

  await approval.getByText('Run node --test?').waitFor()
  expect(readFileSync(file, 'utf8')).toContain('Hello')
  await approval.getByRole('button', { name: 'Allow once' }).click()
  await page.locator('[data-role=assistant]').filter({ hasText: 'All 3 steps are done.' }).waitFor()
  await page.locator('[data-role=assistant]').filter({ hasText: 'pass 1' }).waitFor()

  const change = page.locator('article[data-card=ToolCall]').filter({ hasText: 'fs.edit' })
  await openCard(change)
  await change.getByRole('link', { name: 'Undo…' }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('heading', { name: 'Restored' }).waitFor()
  console.info(`from npm start to “Restored”: ${Math.round((performance.now() - began) / 1_000)} s`)
  expect(readFileSync(file, 'utf8')).toContain('Helo')
  // It was started without a screen, and reported it.
  if (process.platform === 'linux') expect(started.said()).toContain('No window was opened: no display is available.')
  await started.interrupt()
  // A clean exit: the runtime is no longer announced, and its PostgreSQL has ended, too.
  expect(existsSync(join(person, '.tandem', 'runtime.json'))).toBe(false)
  expect(await postmasterOf(join(person, 'data'))).toBeUndefined()
})
