// Folders in a real window: chosen for a new conversation and in the header of one that ran, with the mouse and with the keyboard only.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { writingWords } from '../packages/desktop/src/strings/composer.ts'
import { folderWords } from '../packages/desktop/src/strings/folders.ts'
import type { Script } from '../packages/runtime/test/support/model/test-model.ts'
import { seriousFindings } from './accessibility.ts'
import { makeAllowedAgent } from './allowed-agent.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { recordedAnswer, sendMessage } from './test-desktop.ts'

const open = useTestDesktop()
const wait = { timeout: 60_000 }

const script: Script = (_index, { messages }) => {
  const last = messages.at(-1)
  const [, path, content] = /write (\S+) (.+)$/.exec(String(last?.content)) ?? []
  return last?.role === 'user' && path !== undefined ? { calls: [{ name: 'fs.write', arguments: { path, content } }] } : { text: 'Done.' }
}

const picker = (page: Page) => page.getByRole('dialog', { name: folderWords.title })
const path = (page: Page) => picker(page).getByRole('textbox', { name: folderWords.path })
const folderButton = (page: Page, folder: string) => page.getByRole('button', { name: `${folderWords.change} ${folder}` })

test('a conversation starts in a folder of the browser, and continues in another one', async () => {
  const desktop = await open(script)
  await makeAllowedAgent(desktop, ['fs.write'])
  for (const name of ['projects/site', 'projects/.secret', 'other']) mkdirSync(join(desktop.folder, name), { recursive: true })
  symlinkSync('site', join(desktop.folder, 'projects/current'))
  writeFileSync(join(desktop.folder, 'projects/readme.txt'), '')
  const page = await desktop.page()
  await folderButton(page, '~/workspace').click()
  await picker(page).getByRole('button', { name: folderWords.parent }).click()
  await picker(page).getByRole('button', { name: 'projects' }).click()
  await picker(page).getByRole('button', { name: 'site', exact: true }).waitFor()
  await picker(page).getByText(folderWords.link('site')).waitFor()
  expect(await picker(page).getByText('readme.txt').count()).toBe(0)
  expect(await picker(page).getByText('.secret').count()).toBe(0)
  await picker(page)
    .getByRole('switch', { name: folderWords.hidden(1) })
    .click()
  await picker(page).getByText('.secret').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await picker(page).getByRole('button', { name: 'site', exact: true }).click()
  await picker(page).getByRole('button', { name: folderWords.use }).click()
  await expect.poll(() => picker(page).count()).toBe(0)
  await sendMessage(page, 'write a.txt one')
  await recordedAnswer(page, 'Done.').waitFor(wait)
  expect(readFileSync(join(desktop.folder, 'projects/site/a.txt'), 'utf8')).toBe('one')

  // In the header: the next run works there, and the thread says so.
  await folderButton(page, join(desktop.folder, 'projects/site')).click()
  await path(page).fill('~/other')
  await picker(page).getByRole('button', { name: folderWords.use }).click()
  await page.locator('[data-role=system]', { hasText: 'The folder changed from site to other.' }).waitFor(wait)
  await sendMessage(page, 'write b.txt two')
  await recordedAnswer(page, 'Done.').nth(1).waitFor(wait)
  expect([readFileSync(join(desktop.folder, 'other/b.txt'), 'utf8'), existsSync(join(desktop.folder, 'projects/site/b.txt'))]).toEqual([
    'two',
    false,
  ])
  expect(await seriousFindings(page)).toEqual([])
})

test('with the keyboard only: completion, a plain refusal, a new folder, which the next conversation starts in', async () => {
  const desktop = await open(script)
  mkdirSync(join(desktop.folder, 'alpha/beta'), { recursive: true })
  writeFileSync(join(desktop.folder, 'file.txt'), '')
  const page = await desktop.page()
  await folderButton(page, '~/workspace').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => path(page).evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  const type = async (text: string) => {
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
  }
  await type('~/al')
  await picker(page).getByRole('button', { name: 'alpha' }).waitFor(wait)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => path(page).inputValue()).toBe('~/alpha/')
  await picker(page).getByRole('button', { name: 'beta' }).waitFor(wait)
  // Each refusal is next to the path.
  for (const [typed, problem] of [
    ['alpha', 'must be an absolute path, such as ~/project'],
    ['~/file.txt', 'is a file; choose a folder'],
    [join(desktop.folder, 'home'), "is in Tandem's own folder; choose another one"],
    ['~/gamma', 'does not exist'],
  ] as const) {
    await path(page).focus()
    await type(typed)
    await page.keyboard.press('Enter')
    await picker(page).getByText(`${folderWords.folder} ${problem}`).waitFor(wait)
  }
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await folderButton(page, '~/gamma').waitFor(wait)
  expect(existsSync(join(desktop.folder, 'gamma'))).toBe(true)
  await sendMessage(page, 'Hello')
  await recordedAnswer(page, 'Done.').waitFor(wait)
  // The next conversation starts where the last one worked.
  await page.goto(new URL('/', page.url()).href)
  await folderButton(page, '~/gamma').waitFor(wait)
  await folderButton(page, '~/gamma').focus()
  await page.keyboard.press('Enter')
  await picker(page).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => picker(page).count()).toBe(0)
})

test('a recent folder is chosen with one click, and one that was removed says so', async () => {
  const desktop = await open(script)
  for (const name of ['first', 'second']) mkdirSync(join(desktop.folder, name))
  const page = await desktop.page()
  for (const [now, next] of [
    ['~/workspace', '~/first'],
    ['~/first', '~/second'],
  ] as const) {
    await folderButton(page, now).click()
    await path(page).fill(next)
    await picker(page).getByRole('button', { name: folderWords.use }).click()
    await sendMessage(page, `Hello from ${next}`)
    await recordedAnswer(page, 'Done.').waitFor(wait)
    await page.goto(new URL('/', page.url()).href)
  }
  const recent = picker(page).getByRole('region', { name: folderWords.recent })
  await folderButton(page, '~/second').click()
  await recent.getByRole('button', { name: '~/first' }).click()
  await expect.poll(() => picker(page).count()).toBe(0)
  await folderButton(page, '~/first').waitFor(wait)
  rmSync(join(desktop.folder, 'second'), { recursive: true })
  await page.reload()
  await folderButton(page, '~/first').click()
  await recent.getByText(folderWords.states.missing).waitFor(wait)
  expect(await recent.getByRole('button', { name: '~/second' }).isDisabled()).toBe(true)
  expect(await seriousFindings(page)).toEqual([])
})

test('after a start that was refused, the next attempt uses the folder that is chosen then, and one conversation is left', async () => {
  const desktop = await open(script)
  await makeAllowedAgent(desktop, ['fs.write'])
  mkdirSync(join(desktop.folder, 'later'))
  const page = await desktop.page()
  const files = page.getByRole('list', { name: writingWords.attached })
  await page.locator('input[type=file]').setInputFiles({ name: 'lost.txt', mimeType: 'text/plain', buffer: Buffer.from('lost') })
  await files.getByRole('button', { name: writingWords.remove('lost.txt') }).waitFor(wait)
  // As if this device had deleted the file since it was added.
  await page.evaluate(() => {
    for (const [key, entry] of Object.entries(localStorage))
      if (String(entry).includes('lost.txt')) localStorage.setItem(key, String(entry).replace(/(size\\*":)4/, '$15'))
  })
  await page.reload()
  await files.waitFor(wait)
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('write a.txt one')
  await box.press('Enter')
  await page.getByText('lost.txt is not stored on this device').waitFor(wait)
  await files.getByRole('button', { name: writingWords.remove('lost.txt') }).click()
  await folderButton(page, '~/workspace').click()
  await path(page).fill('~/later')
  await picker(page).getByRole('button', { name: folderWords.use }).click()
  await folderButton(page, '~/later').waitFor(wait)
  await box.press('Enter')
  await recordedAnswer(page, 'Done.').waitFor(wait)
  expect(readFileSync(join(desktop.folder, 'later/a.txt'), 'utf8')).toBe('one')
  await expect.poll(() => page.locator('.conversation-line').count()).toBe(1)
})
