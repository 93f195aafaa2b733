// The first minute of a new user: the tour, a sample, an approval, a test, and undoing all of it; with the keyboard alone.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval, type Desktop, recordedAnswer, sendMessage, writeCall } from './test-desktop.ts'

const openDesktop = useTestDesktop()
let desktop: Desktop

const mended = [
  { text: 'I look around.', calls: [{ name: 'fs.list', arguments: { path: '.' } }] },
  {
    text: 'I mend it.',
    calls: [{ name: 'fs.edit', arguments: { path: 'greeting.js', edits: [{ old_text: 'Helo', new_text: 'Hello' }] } }],
  },
  { text: 'I try it.', calls: [{ name: 'shell.exec', arguments: { command: 'node --test' } }] },
  { text: 'The greeting is mended.' },
]

test('the tour leads to a sample, by keyboard alone, and is not shown again', async () => {
  desktop = await openDesktop(mended)
  // High enough to render all of it: otherwise the rendered part changes while the test moves through it.
  const page = await desktop.page({ width: 1200, height: 1_800 })
  await page.getByRole('region', { name: 'Quick tour' }).waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Next', exact: true }))
  for (const heading of ['It asks first', 'Changes can be undone', 'Find anything']) {
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: heading }).waitFor()
    if (heading !== 'Find anything') await tabTo(page, page.getByRole('button', { name: 'Next', exact: true }))
  }
  await tabTo(page, page.getByRole('button', { name: 'Try it in a sample folder', exact: true }))
  await page.keyboard.press('Enter')
  await approval(page).getByText('Edit greeting.js?').waitFor()
  const file = join(desktop.folder, 'tandem-sample', 'greeting.js')
  expect(readFileSync(file, 'utf8')).toContain('Helo')
  await page.keyboard.press('Control+.')
  await page.keyboard.press('y')
  await approval(page).getByText('Run node --test?').waitFor()
  expect(readFileSync(file, 'utf8')).toContain('Hello')
  await page.keyboard.press('Control+.')
  await page.keyboard.press('y')
  await recordedAnswer(page, 'The greeting is mended.').waitFor()
  // The result before its presentation: a command that failed says so here.
  const output = { exit_code: 0, timed_out: false, output: expect.stringContaining('people are greeted by their name') }
  const last = await lastResult()
  expect(last).toMatchObject({ outcome: 'succeeded', failure_contract: null, output })
  // It has closed automatically, or is about to: opened by hand it stays open.
  const result = page.locator(`[data-part="call:${last.call_id}"] > article`)
  await expect.poll(() => result.getAttribute('data-mode')).toBe('auto_closed')
  await tabTo(page, result.locator('button.card-line'))
  await page.keyboard.press('Enter')
  await expect.poll(() => result.getAttribute('data-mode')).toBe('user_open')
  await expect.poll(() => result.innerText()).toContain('people are greeted by their name')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('recovery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Recovery' }).waitFor()
  await tabTo(page, page.locator('main a[href^="/recovery/"]').first())
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('list', { name: /^Recovery points of/ }).getByRole('link', { name: /^Before fs\.edit/ }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Restore', exact: true }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Restored' }).waitFor()
  expect(readFileSync(file, 'utf8')).toContain('Helo')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('new conv')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'What can I help with?' }).waitFor()
  expect(await page.getByRole('region', { name: 'Quick tour' }).count()).toBe(0)
})

test('the tour is skipped with Esc, remembered after a reload, and shown again on request', async () => {
  desktop = await openDesktop([])
  const page = await desktop.page()
  const look = page.getByRole('region', { name: 'Quick tour' })
  await look.waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Next', exact: true }))
  await page.keyboard.press('Escape')
  await look.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: /Try it in a sample folder/ }).waitFor()
  expect(await look.count()).toBe(0)
  expect(existsSync(join(desktop.folder, 'tandem-sample'))).toBe(false)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('restart tour')
  await page.keyboard.press('Enter')
  await look.waitFor()
})

test('approvals of several conversations are named on every page, and each answer reaches its own call', async () => {
  desktop = await openDesktop((_, request) =>
    JSON.stringify(request.messages).includes('second talk')
      ? request.messages.at(-1)?.role === 'tool'
        ? { text: 'Second done.' }
        : { calls: [writeCall('second.md', 'two')] }
      : request.messages.at(-1)?.role === 'tool'
        ? { text: 'First done.' }
        : { calls: [writeCall('first.md', 'one')] },
  )
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'first talk')
  await approval(page).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('new conv')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: '1 conversation needs you:' }).waitFor()
  await sendMessage(page, 'second talk')
  await approval(page).waitFor()
  await page.getByRole('main').getByText('2 requests waiting').waitFor()
  expect(await approval(page).innerText()).toContain('second.md')
  await page.keyboard.press('Control+.')
  await page.keyboard.press('n')
  await page.keyboard.type('not this one')
  await page.keyboard.press('Escape')
  expect(await approval(page).getByLabel('Reason').count()).toBe(0)
  await page.keyboard.press('r')
  await recordedAnswer(page, 'Second done.').waitFor()
  await approval(page).waitFor({ state: 'detached' })
  // The other one can be answered from here, and is not mistaken for one of this conversation.
  await page.getByText('In “first talk”: Create first.md?').click()
  await approval(page).focus()
  await page.keyboard.press('e')
  await page.keyboard.press('Escape')
  await page.keyboard.press('y')
  await approval(page).waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: 'first talk' }).click()
  await recordedAnswer(page, 'First done.').waitFor()
  const file = (name: string) => readFileSync(join(desktop.workspace, name), 'utf8')
  expect([file('first.md'), file('second.md')]).toEqual(['one', 'two'])
  await expect.poll(() => page.getByText(/conversations? needs? you/).count()).toBe(0)
})

/** How the last call of the newest run ended. */
async function lastResult() {
  const [run] = desktop.runtime.journal.runs({ limit: 1 })
  const steps = await desktop.runtime.commands.call('agent_run_list_steps', { run_id: run?.run_id ?? '', limit: 200 })
  if (!steps.ok) throw new Error(steps.error.message)
  const last = steps.value.items.findLast((step) => step.kind === 'tool.result')
  if (!last) throw new Error('no call has ended')
  return last
}

/** As a user without a mouse: Tab until it has the focus, which must be visible. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let tabs = 0; tabs < 80; tabs += 1) {
    if (await wanted.evaluate((element) => element.matches(':focus'))) {
      expect(await wanted.evaluate((element) => element.matches(':focus-visible'))).toBe(true)
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`${wanted} can not be reached by Tab`)
}
