// Two desktops with their windows and one real backend: sign-in, a run shown live on the other device, devices, files, tasks, sign-out.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousFindings } from './accessibility.ts'
import { launchChromium } from './chromium.ts'
import { emptyDatabase, type TestDatabase } from './server-database.ts'
import { endServers, type ServerProcess, startServerProcess } from './server-process.ts'
import { type Desktop, openDesktop, openPlace, sendMessage } from './test-desktop.ts'

const patience = { timeout: 30_000 }
const email = `${randomBytes(6).toString('hex')}@example.org`
const password = `a long ${randomBytes(6).toString('hex')}`

let database: TestDatabase
let server: ServerProcess
let browser: Browser
let one: Desktop
let two: Desktop
let first: Page
let second: Page

beforeAll(async () => {
  database = await emptyDatabase()
  server = await startServerProcess({ BAAS_URL: database.url, BAAS_KEY: database.password, LOG_LEVEL: 'warn' })
  browser = await launchChromium()
  one = await openDesktop(browser, [
    { text: 'I change it.', calls: [{ name: 'fs.write', arguments: { path: 'notes.md', content: 'changed' } }] },
    { text: 'It is changed.' },
  ])
  two = await openDesktop(browser, [{ text: 'It goes on here.' }, { text: 'The task is done here.' }])
  first = await one.page({ path: '/devices', width: 1200 })
  second = await two.page({ path: '/devices', width: 1200 })
})

afterAll(async () => {
  for (const context of browser.contexts()) await context.close()
  for (const desktop of [one, two]) await desktop.stop()
  await browser.close()
  await server[Symbol.asyncDispose]()
  await endServers()
  await database[Symbol.asyncDispose]()
  expect([...one.consoleErrors, ...two.consoleErrors]).toEqual([])
})

async function signIn(page: Page, account: 'I have an account' | 'Create account') {
  await page.getByLabel(account).check()
  await page.getByLabel('Server URL').fill(server.url)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText(`${email} at ${server.url}`).waitFor(patience)
}

/** Text that its container cuts off still counts as visible. */
function isWhole(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => {
    const range = element.ownerDocument.createRange()
    range.selectNodeContents(element)
    const words = range.getBoundingClientRect()
    if (words.width === 0) return false
    for (let around = element; around; around = around.parentElement) {
      const { top, right, bottom, left } = around.getBoundingClientRect()
      if (words.top < top || words.right > right || words.bottom > bottom || words.left < left) return false
    }
    return true
  })
}

test('a new user creates an account, another device signs in, and each lists the other', async () => {
  await first.getByText('You’re signed out.').waitFor()
  await signIn(first, 'Create account')
  await signIn(second, 'I have an account')
  await second.getByText('this device').waitFor(patience)
  await expect.poll(() => second.getByRole('button', { name: /^Rename / }).count(), patience).toBe(2)
  // Both run on this machine, so they have the same name: each one is shown with the end of its ID.
  const listed = await two.runtime.commands.call('device_list', {})
  const devices = listed.ok ? listed.value.items : []
  expect(new Set(devices.map(({ name }) => name)).size).toBe(1)
  for (const { name, device_id } of devices)
    await second
      .getByText(`${name} (${device_id.slice(-4)})`, { exact: false })
      .first()
      .waitFor(patience)
  await openPlace(first, 'Runs', 'Tasks')
  await expect.poll(() => first.getByLabel('Device', { exact: true }).locator('option').allInnerTexts(), patience).toHaveLength(3)
  const options = (await first.getByLabel('Device', { exact: true }).locator('option').allInnerTexts()).map((text) =>
    text.replace('(this device)', '').trim(),
  )
  expect(options.slice(1).toSorted()).toEqual(devices.map(({ name, device_id }) => `${name} (${device_id.slice(-4)})`).toSorted())
  await second
    .getByRole('button', { name: /^Rename / })
    .first()
    .click()
  await second.getByLabel(/^New name for/).fill('Kitchen')
  await second.keyboard.press('Enter')
  await second.getByText('Kitchen').waitFor(patience)
  // Now the names differ, and are shown as they are.
  await expect.poll(() => second.getByText(/\([0-9a-f]{4}\)/).count(), patience).toBe(0)
  expect(await second.content()).not.toContain(password)
  await second.emulateMedia({ reducedMotion: 'reduce' })
  expect(await seriousFindings(second)).toEqual([])
})

test('a run of one device appears live on the other, and cannot be answered there', async () => {
  await first.getByRole('link', { name: 'New conversation' }).click()
  await sendMessage(first, 'Change the notes.')
  await first.getByRole('alertdialog').waitFor()
  await second.getByRole('link', { name: 'Change the notes.' }).click(patience)
  await second.locator('article[data-card=ToolCall]').getByText('needs approval').waitFor(patience)
  expect(await second.getByRole('button', { name: 'Allow once' }).count()).toBe(0)
  const devices = await two.runtime.commands.call('device_list', { limit: 10 })
  const other = devices.ok ? devices.value.items.find(({ this_device }) => !this_device)?.name : undefined
  const held = second.getByText(`This is running on “${other}”. Stop it there, or start a new conversation.`)
  await held.waitFor(patience)
  for (const width of [360, 640, 900, 1200]) {
    await second.setViewportSize({ width, height: 800 })
    await expect.poll(() => isWhole(held), patience).toBe(true)
  }
  expect(await seriousFindings(second)).toEqual([])
  for (const name of ['Stop', 'Pause', 'Continue']) expect(await second.getByRole('button', { name, exact: true }).count()).toBe(0)
  const box = second.getByRole('textbox', { name: 'Message' })
  await box.fill('And then?')
  expect(await second.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
  await box.fill('')
  await second.keyboard.press('Control+k')
  await second.getByRole('option', { name: 'New conversation' }).waitFor()
  expect(await second.getByRole('option', { name: 'Stop the run' }).count()).toBe(0)
  await second.keyboard.press('Escape')
  await first.getByRole('button', { name: 'Allow once' }).click()
  await second.locator('[data-role=assistant]').filter({ hasText: 'It is changed.' }).waitFor(patience)
  await second.locator('article[data-card=RunStatus]').getByText('Done', { exact: true }).waitFor(patience)
  expect(await second.locator('article[data-card=ToolCall]').count()).toBe(1)
  await held.waitFor({ state: 'detached', ...patience })
})

test('the other device continues the conversation in its own folder', async () => {
  const folder = second.getByLabel('This conversation is from another device.')
  await folder.waitFor(patience)
  expect(await seriousFindings(second)).toEqual([])
  await folder.fill(two.workspace)
  await sendMessage(second, 'And now?')
  await second.locator('[data-role=assistant]').filter({ hasText: 'It goes on here.' }).waitFor(patience)
  await folder.waitFor({ state: 'detached', ...patience })
  await first.locator('[data-role=assistant]').filter({ hasText: 'It goes on here.' }).waitFor(patience)
})

test('pins and deletions reach the other device at once, and so does a restore', async () => {
  const list = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })
  const line = (page: Page) => list(page).getByRole('link', { name: 'Change the notes.' })
  const choose = async (action: string) => {
    await line(first).hover()
    await first.getByRole('button', { name: 'More actions for Change the notes.' }).click()
    await list(first).getByRole('button', { name: action, exact: true }).click()
  }
  const pinned = list(second).getByRole('heading', { name: 'Pinned' })
  await choose('Pin')
  await pinned.waitFor(patience)
  await choose('Unpin')
  await pinned.waitFor({ state: 'detached', ...patience })
  await choose('Delete…')
  const dialog = first.getByRole('dialog', { name: 'Delete “Change the notes.”?' })
  await dialog.getByText('It disappears from all your devices at once.').waitFor()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await line(second).waitFor({ state: 'detached', ...patience })
  await first.getByRole('button', { name: 'Undo', exact: true }).click()
  await line(second).waitFor(patience)
})

test('a task is sent to the other device, is offered there, and runs after approval', async () => {
  await openPlace(first, 'Runs', 'Tasks')
  await first.getByLabel('Task', { exact: true }).fill('Look after the other one')
  const devices = first.getByLabel('Device', { exact: true })
  await expect.poll(() => devices.locator('option').count(), patience).toBe(3)
  const names = await devices.locator('option').allInnerTexts()
  const other = names.findIndex((name, index) => index > 0 && !name.includes('this device'))
  await devices.selectOption({ index: other })
  await first.getByRole('button', { name: 'Send' }).click()
  await first.getByText('Sent', { exact: true }).waitFor(patience)
  await openPlace(second, 'Runs', 'Tasks')
  await second.getByText('1 task to accept').waitFor(patience)
  await second.getByRole('button', { name: 'Run here', exact: true }).click()
  await second.getByText('ended here').waitFor(patience)
  await first.getByLabel('Show', { exact: true }).selectOption('cloud')
  await first.getByRole('listitem').filter({ hasText: 'Look after the other one' }).getByText('Done', { exact: true }).waitFor(patience)
})

test('a file is uploaded, and saved on the other device under an unused name', async () => {
  writeFileSync(join(one.folder, 'report.txt'), 'the report')
  writeFileSync(join(two.folder, 'report.txt'), 'mine')
  await openPlace(first, 'Devices and files', 'Files')
  await first.getByLabel('Path of a file on this device').fill(join(one.folder, 'report.txt'))
  await first.getByRole('button', { name: 'Upload', exact: true }).click()
  await first.getByRole('listitem').filter({ hasText: 'report.txt' }).waitFor(patience)
  await openPlace(second, 'Devices and files', 'Files')
  await second.getByRole('button', { name: 'Download report.txt' }).click(patience)
  await second.getByLabel('Folder to save to').fill(two.folder)
  await second.getByRole('button', { name: 'Save', exact: true }).click()
  const saved = await second.getByText(/^Saved as /).innerText(patience)
  expect(readFileSync(saved.slice('Saved as '.length), 'utf8')).toBe('the report')
  expect(readFileSync(join(two.folder, 'report.txt'), 'utf8')).toBe('mine')
  await second.getByRole('button', { name: 'Remove report.txt' }).click()
  await second.getByRole('button', { name: 'Remove', exact: true }).click()
  await second.getByText('No files yet.').waitFor(patience)
  expect(existsSync(join(one.folder, 'report.txt'))).toBe(true)
})

test('signing out keeps the local data, or wipes it on request', async () => {
  await openPlace(first, 'Devices and files', 'Devices')
  await first.getByRole('button', { name: 'Sign out' }).click()
  await first.getByRole('button', { name: 'Sign out' }).click()
  await first.getByText('You’re signed out.').waitFor(patience)
  await first.getByRole('link', { name: 'Change the notes.' }).waitFor()
  await openPlace(second, 'Devices and files', 'Devices')
  await second.getByRole('button', { name: 'Sign out' }).click()
  await second.getByLabel(/^Remove from this device/).check()
  await second.getByRole('button', { name: 'Sign out' }).click()
  await second.getByText('You’re signed out.').waitFor(patience)
  await second.getByRole('link', { name: 'Change the notes.' }).waitFor({ state: 'detached', ...patience })
})
