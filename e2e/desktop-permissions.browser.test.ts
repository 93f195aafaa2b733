// Saved approvals: when and where each was granted and used, removed one by one, and reached from an approval.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval, recordedAnswer, sendMessage } from './test-desktop.ts'

const openDesktop = useTestDesktop()
const region = (page: Page) => page.getByRole('region', { name: 'Saved approvals' })

test('a saved approval names its conversation and its uses, and asks again once it is removed', async () => {
  const run = (command: string) => ({ calls: [{ name: 'shell.exec', arguments: { command } }] })
  const desktop = await openDesktop([run('echo hi'), run('echo two'), { text: 'Done.' }, run('echo three'), { text: 'Over.' }])
  const page = await desktop.page({ width: 1440 })
  await sendMessage(page, 'Greet the team')
  await approval(page)
    .getByRole('button', { name: /^Always allow/ })
    .waitFor()
  await approval(page).getByRole('link', { name: 'Manage saved approvals' }).click()
  await region(page).getByText('No saved approvals.').waitFor()
  await page.goBack()
  await approval(page)
    .getByRole('button', { name: /^Always allow/ })
    .click()
  await recordedAnswer(page, 'Done.').waitFor()

  await page.goto(new URL('/agents', desktop.window.url).href)
  await page
    .getByRole('main')
    .getByRole('link', { name: /Tandem|Assistant|Agent/ })
    .first()
    .click()
  const row = region(page).getByRole('listitem')
  await row.getByText('commands that begin with “echo”').waitFor()
  expect(await row.count()).toBe(1)
  await row.getByText('Granted just now in').waitFor()
  await row.getByText('Used once, last just now').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  await page.setViewportSize({ width: 1440, height: 800 })

  // The number beside the tool leads to the list, and the conversation is one click away.
  await page.getByRole('link', { name: '1 saved approval' }).click()
  await expect.poll(() => page.evaluate('location.hash')).toBe('#saved-approvals')
  await row.getByRole('button', { name: /^Remove the saved approval: shell.exec/ }).click()
  await region(page)
    .getByText(/^Removed: shell.exec, commands that begin with “echo”/)
    .waitFor()
  await region(page).getByText('No saved approvals.').waitFor()
  await page.getByRole('link', { name: '1 saved approval' }).waitFor({ state: 'detached' })

  await page
    .getByRole('link', { name: /Greet the team/ })
    .first()
    .click()
  await sendMessage(page, 'Once more')
  await approval(page)
    .getByRole('button', { name: /^Always allow/ })
    .waitFor()
})
