// The interactive documentation in a real browser.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../packages/server/test/support/platforms.ts'
import { launchChromium } from './chromium.ts'

let platform: Platform
let browser: Awaited<ReturnType<typeof launchChromium>>
beforeAll(async () => {
  platform = await startPlatform('postgres')
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await platform[Symbol.asyncDispose]()
})

test('shows every route, makes no request to other hosts and reports no error', async () => {
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on(
    'request',
    (request) => !request.url().startsWith(platform.url) && !request.url().startsWith('data:') && complaints.push(request.url()),
  )
  await page.goto(`${platform.url}/swagger/index.html`)
  await page.getByRole('heading', { name: /Tandem cloud backend/ }).waitFor()
  const document = (await (await fetch(`${platform.url}/swagger/json`)).json()) as { paths: Record<string, object> }
  const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
  await expect.poll(() => page.locator('.opblock').count()).toBe(operations.length)
  await page.locator('#operations-sync-sync_push button').first().click()
  await page.locator('#operations-sync-sync_push .responses-wrapper').waitFor()
  expect(complaints).toEqual([])
})
