// The account in the window, with a real backend: API keys, a new password, and the deletion of the account.
import { randomBytes } from 'node:crypto'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousFindings } from './accessibility.ts'
import { launchChromium } from './chromium.ts'
import { type CloudServer, startCloudServer } from './cloud-server.ts'
import { type Desktop, openDesktop } from './test-desktop.ts'

const patience = { timeout: 30_000 }
const email = `${randomBytes(6).toString('hex')}@example.org`
const password = `a long ${randomBytes(6).toString('hex')}`
const renewed = `${password}, renewed`

let server: CloudServer
let browser: Browser
let desktop: Desktop
let page: Page

beforeAll(async () => {
  server = await startCloudServer()
  browser = await launchChromium()
  desktop = await openDesktop(browser, [])
  const signedIn = await desktop.runtime.commands.call('account_sign_in', { cloud_url: server.url, email, password, account: 'new' })
  expect(signedIn.ok).toBe(true)
  page = await desktop.page({ path: '/devices', width: 1200 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
})

afterAll(async () => {
  for (const context of browser.contexts()) await context.close()
  await desktop.stop()
  await browser.close()
  await server[Symbol.asyncDispose]()
  expect(desktop.consoleErrors).toEqual([])
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
/** The focus moves when the element is rendered, slightly after the action. */
const hasFocus = (locator: Locator) => locator.evaluate((element) => element === element.ownerDocument.activeElement)
const models = async (key: string) =>
  (await fetch(`${server.url}/api/v1/llm/models`, { headers: { authorization: `Bearer ${key}` } })).status

/** Elements that overflow the page on the right. */
const wider = `[...document.querySelectorAll('main *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.outerHTML.slice(0, 200))`

/** In both themes and at the smallest width: no serious finding and no horizontal scrolling. */
async function fits(): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of [360, 1200]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await seriousFindings(page, colorScheme === 'dark' ? 'colours' : 'everything')).toEqual([])
      expect(await page.evaluate(wider)).toEqual([])
    }
  }
}

test('a key is created, shown once, copied, listed and revoked', async () => {
  await page.getByText('No API keys yet.').waitFor(patience)
  await button('Create a key').click()
  await expect.poll(() => hasFocus(page.getByLabel('Name', { exact: true }))).toBe(true)
  expect(await button('Create key').isDisabled()).toBe(true)
  await page.getByLabel('Name', { exact: true }).fill('Build server')
  await page.getByLabel(/^Call models through the gateway/).uncheck()
  expect(await button('Create key').isDisabled()).toBe(true)
  await page.getByLabel(/^Call models through the gateway/).check()
  await page.getByLabel(/^Synchronize data/).check()
  await fits()
  await button('Create key').click()
  const shown = page.getByRole('region', { name: 'The key “Build server” was created' })
  await shown.getByText('Copy it now: the key cannot be shown again.').waitFor(patience)
  await expect.poll(() => hasFocus(shown)).toBe(true)
  const key = await shown.locator('code').innerText()
  expect([key, await models(key)]).toEqual([expect.stringMatching(/^tandem_key_[A-Za-z0-9_-]{86}$/), 200])
  await shown.getByRole('button', { name: 'Copy key' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(key)
  await fits()
  await button('Done').click()
  await shown.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(key)
  expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(key)
  await page.reload()
  const line = page.getByRole('listitem').filter({ hasText: 'Build server' })
  await line.getByText(`ends with ${key.slice(-4)} · last used`).waitFor(patience)
  expect(await line.getByText(/^(?:gateway|sync)$/).allInnerTexts()).toEqual(['gateway', 'sync'])

  await button('Revoke Build server').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await models(key)).toBe(200)
  await button('Revoke Build server').click()
  await fits()
  await button('Revoke key').click()
  await page.getByRole('status').filter({ hasText: 'The key “Build server” was revoked.' }).waitFor(patience)
  await page.getByText('No API keys yet.').waitFor(patience)
  expect(await models(key)).toBe(401)
  await expect.poll(() => hasFocus(button('Create a key'))).toBe(true)
})

test('the password is changed, and errors are shown next to their fields', async () => {
  const made = await desktop.runtime.commands.call('account_key_create', { name: 'Editor', scopes: ['gateway'] })
  const key = made.ok ? made.value.key : ''
  expect(await models(key)).toBe(200)
  await button('Change password').click()
  const form = page.locator('form')
  const [current, next, again] = [
    form.getByLabel('Current password'),
    form.getByLabel('New password', { exact: true }),
    form.getByLabel('Confirm new password'),
  ]
  const send = form.getByRole('button', { name: 'Change password' })
  const alert = form.getByRole('alert')
  const type = async (...[one, two, three]: readonly [string, string, string]) => {
    await current.fill(one)
    await next.fill(two)
    await again.fill(three)
    await send.click()
  }
  await expect.poll(() => hasFocus(current)).toBe(true)
  await type(password, 'short', 'short')
  await alert.getByText('The new password is too short: it needs at least 10 characters.').waitFor()
  await type(password, renewed, `${renewed}!`)
  await alert.getByText('The passwords do not match.').waitFor()
  await type('four wrong lanterns', renewed, renewed)
  await alert.getByText('Enter the current password of the account and try again.').waitFor(patience)
  await fits()
  await type(password, email, email)
  await alert.getByText('Choose a longer password that you use nowhere else.').waitFor(patience)
  expect(await models(key)).toBe(200)
  await type(password, renewed, renewed)
  await page.getByRole('status').filter({ hasText: 'The password was changed.' }).waitFor(patience)
  await form.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(button('Change password'))).toBe(true)
  await page.getByText('No API keys yet.').waitFor(patience)
  expect(await models(key)).toBe(401)
})

test('the account is deleted only with its email address and password, and the local data stays', async () => {
  await desktop.runtime.commands.call('agent_create', { name: 'Kept agent' })
  await button('Delete account').click()
  const typed = page.getByLabel(`Type ${email} to confirm`)
  const secret = page.getByLabel('Current password')
  const send = button('Delete account permanently')
  await expect.poll(() => hasFocus(typed)).toBe(true)
  await secret.fill(password)
  for (const address of ['', 'other@example.org', `${email}x`]) {
    await typed.fill(address)
    expect(await send.isDisabled()).toBe(true)
  }
  await typed.fill(email.toUpperCase())
  await send.click()
  await page.getByRole('alert').getByText('Enter the current password of the account and try again.').waitFor(patience)
  await fits()
  await secret.fill(renewed)
  await send.click()
  const done = page.getByRole('status').filter({ hasText: `The account ${email} was deleted. Everything on this device is kept.` })
  await done.waitFor(patience)
  await expect.poll(() => hasFocus(done)).toBe(true)
  await page.getByLabel('Server URL').waitFor()
  await fits()
  expect(await page.content()).not.toContain(renewed)
  expect(await page.getByRole('heading', { name: 'API keys' }).count()).toBe(0)
  const agents = await desktop.runtime.commands.call('agent_list', { limit: 100 })
  expect(agents.ok && agents.value.items.map(({ agent }) => agent.name)).toContain('Kept agent')
  const again = { cloud_url: server.url, email, password: renewed, account: 'known' } as const
  expect(await desktop.runtime.commands.call('account_sign_in', again)).toMatchObject({ ok: false, error: { code: 'sign_in_refused' } })
})
