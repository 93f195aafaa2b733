// The keyboard shortcuts of the window: the list that `?` opens, and what the keys do that no other test presses.
import { expect, test } from 'vitest'
import { shortcutWords } from '../packages/desktop/src/strings/shortcuts.ts'
import { words } from '../packages/desktop/src/strings/window.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval, recordedAnswer, sendMessage, writeCall } from './test-desktop.ts'

const open = useTestDesktop()

test('the list has every shortcut; Ctrl with a comma, L, B and a dot go where it says', async () => {
  const desktop = await open([{ calls: [writeCall('a.txt', 'x')] }, { text: 'Done.' }])
  const page = await desktop.page({ width: 1200 })
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  await page.locator('#content').focus()
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: shortcutWords.title })
  await dialog.waitFor()
  for (const text of [...Object.values(shortcutWords.groups), ...Object.values(shortcutWords.names)])
    await dialog.getByText(text, { exact: true }).first().waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await page.keyboard.press('Control+,')
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  // Without a request, the page of all requests opens; with one, it gets the focus.
  await page.keyboard.press('Control+.')
  await page.getByRole('heading', { level: 1, name: 'Needs your answer' }).waitFor()
  await page.getByRole('link', { name: words.conversations.new }).first().click()
  await sendMessage(page, 'Write it')
  await approval(page).waitFor()
  await page.locator('#content').focus()
  await page.keyboard.press('Control+l')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('composer')
  await page.keyboard.press('Control+.')
  await expect.poll(() => page.evaluate('document.activeElement.role ?? document.activeElement.getAttribute("role")')).toBe('alertdialog')
  await page.keyboard.press('y')
  await recordedAnswer(page, 'Done.').waitFor()

  await page.setViewportSize({ width: 360, height: 740 })
  const menu = page.getByRole('button', { name: words.menu, exact: true })
  const isOpen = () => menu.getAttribute('aria-expanded')
  await expect.poll(isOpen).toBe('false')
  await page.keyboard.press('Control+b')
  await expect.poll(isOpen).toBe('true')
  await page.keyboard.press('Control+b')
  await expect.poll(isOpen).toBe('false')
})
