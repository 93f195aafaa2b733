// The editor of workflows: completion, mistakes, the keyboard, text that was not saved, schedules, and workflows that are made from runs.
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { workflowExamples } from '../packages/desktop/src/workflows/workflow-examples.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval, type Desktop, sendMessage, waitForRunState, writeCall } from './test-desktop.ts'
import { lineOfCursor, textIn, workflowEditor, writeText } from './workflow-text.ts'

const timeout = 180_000
const openDesktop = useTestDesktop()
let desktop: Desktop

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await desktop.runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}

async function save(text: string): Promise<string> {
  const { content } = await call('workflow_read_text', { text })
  if (content === null) throw new Error('the text has problems')
  return (await call('workflow_save', content)).workflow.workflow_id
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const option = (page: Page, name: string) => page.getByRole('listbox').getByRole('option', { name })
const graphNode = (page: Page, name: string) => page.locator('[data-node]').filter({ hasText: name })
const openPage = (page: Page, name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()

/** Types, and takes the first option, which must be this one. */
async function complete(page: Page, editor: Locator, written: string, name: string): Promise<void> {
  await editor.pressSequentially(written)
  const first = page.getByRole('listbox').getByRole('option').first()
  await first.getByText(name, { exact: true }).click()
}

const start = `name: Take a note
nodes:
  - id: ask
    kind: question
    question: Well?
  - id: save
    `

test('a node is written with completion, and appears in the graph', async () => {
  desktop = await openDesktop([])
  const page = await desktop.page({ path: '/workflows/new', width: 1200 })
  const editor = await workflowEditor(page)
  await writeText(editor, start)
  await page.keyboard.press('Control+End')
  await editor.pressSequentially('ki')
  await option(page, 'kind').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await complete(page, editor, 'n', 'kind')
  await option(page, 'for_each').waitFor()
  await complete(page, editor, 'too', 'tool')
  await page.keyboard.press('Enter')
  await complete(page, editor, 'tool', 'tool')
  await complete(page, editor, 'fs.wr', 'fs.write')
  await page.keyboard.press('Enter')
  await complete(page, editor, 'arg', 'arguments')
  await complete(page, editor, 'pa', 'path')
  await editor.pressSequentially('note.md')
  await page.keyboard.press('Enter')
  await complete(page, editor, 'cont', 'content')
  await complete(page, editor, '{{no', '{{nodes.ask.output}}')
  expect(await textIn(editor)).toBe(`${start}kind: tool
    tool: fs.write
    arguments:
      path: note.md
      content: "{{nodes.ask.output}}"`)
  await page.getByText('No problems found.').waitFor()
  await graphNode(page, 'save').waitFor()
  expect(await seriousFindings(page)).toEqual([])
})

test('mistakes are underlined and listed, and the last graph stays', async () => {
  desktop = await openDesktop([])
  const page = await desktop.page({ path: '/workflows/new/note', width: 1200 })
  const editor = await workflowEditor(page)
  await graphNode(page, 'save').waitFor()
  await writeText(editor, workflowExamples.note.text.replace('kind: question', 'kind: riddle'))
  const mark = page.locator('.cm-lintRange-error').first()
  await mark.waitFor()
  expect(await mark.innerText()).toBe('kind: riddle')
  expect(await editor.getAttribute('aria-invalid')).toBe('true')
  await page.getByText('The graph of the last text without problems.').waitFor()
  await graphNode(page, 'save').waitFor()
  await page.getByRole('list', { name: 'Problems in the text' }).getByRole('button').first().click()
  expect(await lineOfCursor(page)).toBe(11)
  expect(await seriousFindings(page)).toEqual([])
})

test('the keyboard reaches the editor, leaves it, and saves', async () => {
  desktop = await openDesktop([])
  const page = await desktop.page({ path: '/workflows/new/note' })
  const editor = await workflowEditor(page)
  await link(page, 'All workflows').focus()
  await page.keyboard.press('Tab')
  const isFocused = () =>
    editor.evaluate((element) => (element.getRootNode() as unknown as { activeElement: unknown }).activeElement === element)
  expect(await isFocused()).toBe(true)
  await page.keyboard.press('Tab')
  expect(await isFocused()).toBe(true)
  expect(await textIn(editor)).toBe(`  ${workflowExamples.note.text}`)
  await page.keyboard.press('Shift+Tab')
  expect(await textIn(editor)).toBe(workflowExamples.note.text)
  await page.keyboard.press('Escape')
  await page.locator('.cm-announced').getByText('Tab now leaves the text.').waitFor({ state: 'attached' })
  await page.keyboard.press('Tab')
  expect(await isFocused()).toBe(false)
  await editor.focus()
  await page.keyboard.press('Control+s')
  await page.getByRole('heading', { name: 'Take a note' }).waitFor()
  expect((await call('workflow_list', {})).items.map(({ name }) => name)).toEqual(['Take a note'])
})

test('text that was not saved is kept for its workflow until it is discarded or saved', async () => {
  desktop = await openDesktop([])
  const workflow_id = await save(workflowExamples.note.text)
  const path = `/workflows/${workflow_id}/edit`
  const page = await desktop.page({ path })
  const restored = page.getByText('This is your text from before, which is not saved.')
  const stored = await textIn(await workflowEditor(page))
  const mine = stored.replace('What do you want to note?', 'Mine?')
  await writeText(await workflowEditor(page), mine)
  await openPage(page, 'Workflows')
  await link(page, 'Take a note').click()
  await button(page, 'Edit Take a note').click()
  await restored.waitFor()
  expect(await textIn(await workflowEditor(page))).toBe(mine)
  await page.reload()
  await restored.waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await button(page, 'Discard it').click()
  await restored.waitFor({ state: 'detached' })
  expect(await textIn(await workflowEditor(page))).toBe(stored)

  await writeText(await workflowEditor(page), mine)
  await button(page, 'Save').click()
  await button(page, 'Edit Take a note').click()
  expect(await textIn(await workflowEditor(page))).toBe(mine)
  expect(await restored.count()).toBe(0)
})

test('without the editor with completion, the plain text field stays', async () => {
  desktop = await openDesktop([])
  const page = await desktop.page()
  await page.route('**/code-editor-*.js', (route) => route.abort('connectionrefused'))
  await openPage(page, 'Workflows')
  await page.getByRole('link', { name: 'Take a note' }).click()
  const field = page.getByRole('textbox', { name: 'Workflow as text' })
  await field.fill(workflowExamples.note.text.replace('Take a note', 'Take another note'))
  await button(page, 'Save').click()
  await page.getByRole('heading', { name: 'Take another note' }).waitFor()
})

test('a schedule is edited, and its next times or what is wrong with it are shown', async () => {
  desktop = await openDesktop([])
  const workflow_id = await save(workflowExamples.note.text)
  const given = { workflow_id, cron: '15 7 * * 1', time_zone: 'Asia/Tokyo', workspace: desktop.workspace, inputs: '{"file":"a.md"}' }
  await call('workflow_schedule_save', { ...given, is_enabled: false })
  const page = await desktop.page({ path: `/workflows/${workflow_id}`, width: 360 })
  await button(page, 'Edit the schedule: Every Monday at 07:15').click()
  const form = page.locator('form').filter({ has: button(page, 'Save schedule') })
  const next = form.getByRole('status')
  await next.getByText(/^Next starts: (Mon.* 07:15( AM)?( · )?){3}$/).waitFor()
  await form.getByText('Custom', { exact: true }).click()
  await form.getByLabel(/^Cron expression/).fill('61 7 * * *')
  await next.getByText('61 is not a valid minute.').waitFor()
  await button(page, 'Save schedule').click()
  await form
    .getByRole('alert')
    .getByText(/61 is not a valid minute/)
    .waitFor()
  await form.getByLabel(/^Cron expression/).fill('0 9 * * 1-5')
  await next.getByText(/^Next starts: /).waitFor()
  await form.getByLabel('The file to write').fill('b.md')
  expect(await seriousFindings(page)).toEqual([])
  await button(page, 'Save schedule').click()
  await page
    .getByRole('article', { name: '0 9 * * 1-5' })
    .getByText(/switched off/)
    .waitFor()
  const { items } = await call('workflow_schedule_list', { workflow_id })
  expect(items.map(({ cron, time_zone, inputs, workspace, is_enabled }) => ({ cron, time_zone, inputs, workspace, is_enabled }))).toEqual([
    { cron: '0 9 * * 1-5', time_zone: 'Asia/Tokyo', inputs: '{"file":"b.md"}', workspace: desktop.workspace, is_enabled: false },
  ])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
})

test('a run that needs the user says so in lists', async () => {
  desktop = await openDesktop([])
  const workflow_id = await save(workflowExamples.note.text)
  await call('workflow_start', { workflow_id, workspace: desktop.workspace, inputs: '{}' })
  const page = await desktop.page({ path: '/workflows' })
  const row = page.getByRole('article', { name: 'Take a note' })
  await row.getByText('Waiting for you').waitFor({ timeout })
  await row.getByRole('link', { name: 'Take a note' }).click()
  await page.getByRole('region', { name: 'Runs' }).getByText('Waiting for you').waitFor()
})

test('a finished run becomes a workflow', async () => {
  const remember = { name: 'todo.create', arguments: { todos: [{ title: 'Write' }] } }
  desktop = await openDesktop([{ calls: [writeCall('idea.md', 'Plant a tree')] }, { calls: [remember] }, { text: 'Done.' }])
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Write an idea to idea.md')
  const allow = approval(page).getByRole('button', { name: 'Allow once' })
  await allow.waitFor()
  await openPage(page, 'Runs')
  // Only a run that has ended can become one.
  await page.getByRole('main').getByText('Write an idea to idea.md').first().waitFor()
  expect(await page.getByText('Make a workflow from this run').count()).toBe(0)
  expect(await seriousFindings(page)).toEqual([])
  await page.goBack()
  await allow.click()
  await waitForRunState(page, 'Done')
  const card = page.locator('article[data-card=RunStatus]').last()
  await card.locator('[aria-expanded=false]').first().click()
  await card.getByRole('link', { name: /^Make a workflow from this run/ }).waitFor()
  await openPage(page, 'Runs')
  await page.getByRole('link', { name: /^Make a workflow from this run/ }).click()
  const editor = await workflowEditor(page)
  expect(await textIn(editor)).toContain('tool: fs.write')
  await page.getByRole('region', { name: 'Before you save it' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await button(page, 'Save').click()
  await page.getByRole('region', { name: 'Runs' }).getByText('It has not run yet.').waitFor()
})
