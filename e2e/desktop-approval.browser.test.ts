// What an approval shows before anything happens: what will change, what it affects, and what each answer covers.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval, recordedAnswer, sendMessage } from './test-desktop.ts'

const openDesktop = useTestDesktop()

test('an edit is a diff with numbers and signs, side by side if there is space', async () => {
  const edits = [{ old_text: 'Buy milk.', new_text: 'Buy oat milk.\nBuy bread.' }]
  const desktop = await openDesktop([{ calls: [{ name: 'fs.edit', arguments: { path: 'notes.md', edits } }] }, { text: 'Done.' }])
  const page = await desktop.page({ width: 800 })
  await sendMessage(page, 'Edit.')
  await approval(page).getByRole('heading', { name: 'Edit notes.md?' }).waitFor()
  const diff = approval(page).getByRole('region', { name: 'Changes in notes.md' })
  const rows = () => diff.locator('tr').evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)))
  await expect.poll(rows).toEqual([
    ['1', '1', ' ', '# Notes'],
    ['2', '2', ' ', ''],
    ['3', '', '−', 'Buy milk.'],
    ['', '3', '+', 'Buy oat milk.'],
    ['', '4', '+', 'Buy bread.'],
  ])
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(rows).toEqual([
    ['1', ' ', '# Notes', '1', ' ', '# Notes'],
    ['2', ' ', '', '2', ' ', ''],
    ['3', '−', 'Buy milk.', '3', '+', 'Buy oat milk.'],
    ['', ' ', '', '4', '+', 'Buy bread.'],
  ])
  await approval(page).getByText(`Until this run ends: ${desktop.workspace} (this file, or everything in this folder).`).waitFor()
  await approval(page)
    .getByText(`In this and later runs of this agent: ${desktop.workspace} (this file, or everything in this folder).`)
    .waitFor()
  expect(await approval(page).getAttribute('data-tone')).toBe('plain')
  expect(await approval(page).locator('details').getAttribute('open')).toBe(null)
  // The file has changed since: the approval covered the change that was shown.
  writeFileSync(join(desktop.workspace, 'notes.md'), '# Other notes\n\nBuy milk.\n')
  await page.keyboard.press('Control+.')
  await page.keyboard.press('y')
  await approval(page).getByText('# Other notes').first().waitFor()
  await page.keyboard.press('Control+.')
  await page.keyboard.press('y')
  await recordedAnswer(page, 'Done.').waitFor()
})

test('a command with warnings: no answer is highlighted, nothing is remembered, and its parts are explained', async () => {
  const desktop = await openDesktop([{ calls: [{ name: 'shell.exec', arguments: { command: 'rm -rf dist && ls > out.txt' } }] }])
  const page = await desktop.page()
  await sendMessage(page, 'Clean.')
  await approval(page).getByText('Review carefully').waitFor()
  await approval(page).getByRole('heading', { name: 'Run rm -rf dist && ls > out.txt?' }).waitFor()
  expect(await approval(page).getByRole('region', { name: 'Warnings' }).innerText()).toContain('rm removes or overwrites files.')
  const parts = approval(page).locator('dl[aria-label="What its parts do"] > div')
  expect(await parts.evaluateAll((all) => all.map((one) => [...one.children].map((cell) => cell.textContent)))).toEqual([
    ['rm -rf dist', 'rm removes or overwrites files.'],
    ['ls', 'If that succeeds: Lists files.'],
    ['> out.txt', 'Writes its output to out.txt, replacing its content.'],
  ])
  const buttons = approval(page).getByRole('button')
  expect(await buttons.evaluateAll((all) => all.map((one) => one.getAttribute('aria-keyshortcuts')))).toEqual(['y', 'n', 'e'])
  expect(await approval(page).locator('button.bg-ink').count()).toBe(0)
  await page.keyboard.press('Control+.')
  await page.keyboard.press('a')
  expect(await approval(page).count()).toBe(1)
})

test('a folder deletion shows its size and a list that opens; an edit that would fail says so', async () => {
  const desktop = await openDesktop(
    [
      {
        calls: [
          { name: 'fs.delete', arguments: { path: 'dist', recursive: true } },
          { name: 'fs.edit', arguments: { path: 'notes.md', edits: [{ old_text: 'cheese', new_text: 'x' }] } },
        ],
      },
      { text: 'Done.' },
    ],
    (_, workspace) => {
      mkdirSync(join(workspace, 'dist'))
      for (let at = 10; at < 24; at += 1) writeFileSync(join(workspace, 'dist', `${at}.js`), 'x')
    },
  )
  const page = await desktop.page()
  await sendMessage(page, 'Clean.')
  await approval(page).getByRole('heading', { name: 'Delete the folder dist/ and 14 files in it?' }).waitFor()
  const paths = approval(page).getByRole('list', { name: 'Files that will be deleted' }).getByRole('listitem')
  expect(await paths.count()).toBe(10)
  await approval(page).getByRole('button', { name: 'and 4 more' }).click()
  expect(await paths.last().innerText()).toBe('dist/23.js')
  await approval(page).getByRole('button', { name: 'Allow once' }).click()
  await approval(page).getByText('This call is expected to fail:').waitFor()
  // Nothing else shows what it does, so the arguments are visible.
  await approval(page).getByRole('region', { name: 'Arguments' }).waitFor()
})
