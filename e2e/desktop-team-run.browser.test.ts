// A real team in the window: a member works in a copy, asks in the conversation of its parent, and its work is merged with a conflict.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ScriptedTurn } from '../packages/runtime/test/support/model/test-model.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval, recordedAnswer, sendMessage, waitForRunState, writeCall } from './test-desktop.ts'

const openDesktop = useTestDesktop()

interface Said {
  readonly role: string
  readonly content?: unknown
}

const said = (messages: readonly Said[], role: string) => messages.filter((one) => one.role === role).map(({ content }) => String(content))

/** The member is known by its task, the parent by everything else. */
function script(_index: number, { messages }: { readonly messages: readonly Said[] }): ScriptedTurn {
  const [first = ''] = said(messages, 'user')
  const results = said(messages, 'tool')
  if (first.startsWith('Write oat milk')) {
    return results.length === 0 ? { calls: [writeCall('notes.md', '# Notes\n\nBuy oat milk.\n')] } : { text: 'It says oat milk.' }
  }
  const task = { title: 'Fix the notes', task: 'Write oat milk.', role: 'You edit notes.' }
  if (results.length === 0) return { calls: [{ name: 'agent.delegate', arguments: task }] }
  const [run_id = ''] = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(results.join('\n')) ?? []
  if (results.length === 1) return { calls: [{ name: 'agent.merge_result', arguments: { run_ids: [run_id] } }] }
  return { text: `Heard: ${said(messages, 'user').slice(1).join(' ')}` }
}

test('a member asks in the dock of its parent, its work is merged by a choice, and the parent gets what was written meanwhile', async () => {
  const desktop = await openDesktop(script)
  const notes = join(desktop.workspace, 'notes.md')
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Change the notes.')
  await approval(page).getByRole('heading', { name: 'Delegate “Fix the notes” to an agent?' }).waitFor()
  await approval(page).getByRole('button', { name: 'Allow once' }).click()

  await approval(page).getByText('for “Fix the notes”').waitFor()
  await approval(page).getByRole('heading', { name: 'Overwrite notes.md?' }).waitFor()
  const line = page.getByRole('article', { name: 'Run for part of the work: Fix the notes' })
  await line.getByText('Needs approval').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Also greet Mara.')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await page.locator('[data-queued=queued]').getByText('Also greet Mara.').waitFor()
  await page.reload()
  await page.locator('[data-queued=queued]').getByText('Also greet Mara.').waitFor()
  writeFileSync(notes, '# Notes\n\nBuy rice milk.\n')
  await approval(page).getByRole('button', { name: 'Allow for this team' }).click()
  await line.getByText('Done', { exact: true }).waitFor()
  expect(readFileSync(notes, 'utf8')).toBe('# Notes\n\nBuy rice milk.\n')

  await approval(page).getByRole('heading', { name: 'Merge the work on “Fix the notes”: 1 path?' }).waitFor()
  const conflict = approval(page).getByRole('group', { name: 'Conflict 1 of 1' })
  await conflict.getByText('Change, by Fix the notes').waitFor()
  expect(await approval(page).getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true)
  await conflict.getByText('Keep both').click()
  await approval(page).getByRole('button', { name: 'Allow once' }).click()
  await recordedAnswer(page, 'Also greet Mara.').waitFor()
  await waitForRunState(page, 'Done')
  expect(readFileSync(notes, 'utf8')).toBe('# Notes\n\nBuy rice milk.\nBuy oat milk.\n')
  await page.getByText('Merged the work on “Fix the notes”: 1 path changed, 1 conflict resolved.').waitFor()
  expect(await page.locator('[data-queued]').count()).toBe(0)

  await page.getByRole('link', { name: 'Team of 2' }).click()
  const rows = page.getByRole('list', { name: 'Members of the team' }).locator('[data-member]')
  await expect.poll(() => rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-state')))).toEqual(['completed', 'completed'])
  await rows.nth(1).getByRole('link', { name: 'Fix the notes' }).click()
  const heading = page.locator('[data-team-heading]')
  await heading.getByText('Role').click()
  await heading.getByText('You edit notes.').waitFor()
  await heading.getByRole('link', { name: 'Change the notes.' }).waitFor()
})
