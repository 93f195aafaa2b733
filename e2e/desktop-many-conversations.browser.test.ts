// More conversations than the window lists at first: all of them can be found, opened, pinned, saved, deleted and restored.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import type { Desktop } from './test-desktop.ts'

const openDesktop = useTestDesktop()
const titleOf = (number: number) => `Number ${String(number).padStart(4, '0')}`
const list = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })
const line = (page: Page, title: string) => list(page).getByRole('link', { name: title, exact: true })
const lines = (page: Page) => list(page).locator('[data-line]')
const text = (page: Page, number: number) => page.locator('[data-role=user]').getByText(`Text of ${titleOf(number)}.`)

/** Each a minute newer than the one before. Returns their ids. */
async function importMany(desktop: Desktop, number: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let at = 0; at < number; at += 1) {
    const created_at = new Date(Date.UTC(2024, 0, 1) + at * 60_000).toISOString()
    const imported = await desktop.runtime.commands.call('conversation_import', {
      ...{ source: 'chatgpt', source_id: `conversation-${at}`, title: titleOf(at), created_at, updated_at: created_at },
      messages: [{ role: 'user', text: `Text of ${titleOf(at)}.`, created_at }],
    })
    if (imported.ok) ids.push(imported.value.conversation_id)
  }
  expect(ids).toHaveLength(number)
  return ids
}

async function chooseInMenu(page: Page, title: string, action: string): Promise<void> {
  await line(page, title).hover()
  await page.getByRole('button', { name: `More actions for ${title}`, exact: true }).click()
  await list(page).getByRole('button', { name: action, exact: true }).click()
}

test('of 1,200 conversations, the oldest can be searched, opened, saved, pinned, listed, deleted and restored', {
  timeout: 600_000,
}, async () => {
  const desktop = await openDesktop([])
  const ids = await importMany(desktop, 1_200)
  const page = await desktop.page({ width: 1200 })
  await expect.poll(() => lines(page).count()).toBe(1_000)

  const search = page.getByRole('searchbox', { name: 'Search conversations' })
  await search.fill('number 0007')
  await list(page)
    .getByRole('link', { name: titleOf(7) })
    .click()
  await text(page, 7).waitFor()
  await search.fill('')
  await expect.poll(() => lines(page).count()).toBe(1_001)

  const download = page.waitForEvent('download')
  await chooseInMenu(page, titleOf(7), 'Save as Markdown')
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('Text of Number 0007.')
  await chooseInMenu(page, titleOf(7), 'Pin')
  await list(page).getByRole('heading', { name: 'Pinned' }).waitFor()

  // By its address, in a window that has never seen it; pinned ones are always listed.
  await page.goto(new URL(`/c/${ids[3]}`, page.url()).href)
  await text(page, 3).waitFor()
  await expect.poll(() => lines(page).first().innerText()).toBe(titleOf(7))
  await expect.poll(() => lines(page).count()).toBe(1_002)

  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill(titleOf(11))
  await palette.getByRole('option', { name: titleOf(11) }).click()
  await text(page, 11).waitFor()

  await list(page).getByRole('button', { name: 'Load older' }).click()
  await expect.poll(() => lines(page).count()).toBe(1_200)
  await list(page).getByRole('button', { name: 'Load older' }).waitFor({ state: 'detached' })
  // What was loaded stays.
  await chooseInMenu(page, titleOf(7), 'Unpin')
  await list(page).getByRole('heading', { name: 'Pinned' }).waitFor({ state: 'detached' })
  expect([await lines(page).count(), await lines(page).last().textContent()]).toEqual([1_200, titleOf(0)])
  expect(await seriousFindings(page)).toEqual([])

  // More than one command can name.
  await lines(page)
    .first()
    .click({ modifiers: ['ControlOrMeta'] })
  await lines(page)
    .nth(599)
    .click({ modifiers: ['Shift'] })
  await page.getByText('600 selected').waitFor()
  await page.keyboard.press('Delete')
  const dialog = page.getByRole('dialog', { name: 'Delete 600 conversations?' })
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(() => lines(page).count()).toBe(600)
  await page.getByText('600 conversations deleted').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => lines(page).count()).toBe(1_200)
  // Nothing is focused that is no longer there.
  await expect.poll(() => page.evaluate("document.activeElement.hasAttribute('data-line')")).toBe(true)
})
