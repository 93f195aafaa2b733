// The Workflows page: an example is edited, checked, saved and started; its question is answered, and another run is canceled.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { workflowExamples } from '../packages/desktop/src/workflows/workflow-examples.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval, type Desktop } from './test-desktop.ts'
import { lineOfCursor, textIn, workflowEditor, writeText } from './workflow-text.ts'

const timeout = 180_000
const openDesktop = useTestDesktop()
let desktop: Desktop

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await desktop.runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}

async function save(text: string, more: { readonly workflow_id?: string } = {}): Promise<string> {
  const { content } = await call('workflow_read_text', { text })
  if (content === null) throw new Error('the text has problems')
  return (await call('workflow_save', { ...content, ...more })).workflow.workflow_id
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const nodeNamed = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const runState = (page: Page, text: string) =>
  page.getByRole('main').getByRole('status').getByText(text, { exact: true }).waitFor({ timeout })
const openPage = (page: Page, path: string) => page.goto(new URL(path, desktop.window.url).href)

test('an example is edited, saved and started, its question is answered, and another run is canceled', async () => {
  desktop = await openDesktop([])
  const page = await desktop.page({ width: 1200 })
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Workflows' }).click()
  await page.getByText('A workflow is a list of steps').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('link', { name: 'Take a note' }).click()

  const text = await workflowEditor(page)
  await page.getByText('No problems found.').waitFor()
  const example = workflowExamples.note.text
  expect(await textIn(text)).toBe(example)
  await writeText(text, example.replace('kind: question', 'kind: riddle'))
  const issue = page.getByRole('list', { name: 'Problems in the text' }).getByRole('button').first()
  await issue.waitFor()
  expect(await issue.innerText()).toMatch(/^Line 1[01]: /)
  expect(await seriousFindings(page)).toEqual([])
  await issue.click()
  expect(await issue.innerText()).toContain(`Line ${await lineOfCursor(page)}:`)
  await button(page, 'Save').click()
  await page.getByText('The text has problems, so it was not saved.').waitFor()
  expect((await call('workflow_list', {})).items).toEqual([])

  await writeText(text, example)
  await button(page, 'Save').click()
  await page.getByRole('heading', { name: 'Take a note' }).waitFor()
  await page.getByText('It has not run yet.').waitFor()
  expect(await seriousFindings(page)).toEqual([])

  await page.getByLabel('The file to write').fill('idea.md')
  await button(page, 'Start workflow').click()
  await page.waitForURL(/\/workflows\/runs\//)
  const run = page.url()
  const ask = nodeNamed(page, 'ask')
  await ask.getByText('Needs your answer.').waitFor({ timeout })
  await nodeNamed(page, 'save').getByText('Not started').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await ask.getByRole('link', { name: 'Answer ask' }).click()
  await page.getByLabel('Answer in your own words').fill('Plant a tree')
  await button(page, 'Answer').click()
  await approval(page).getByRole('button', { name: 'Allow once' }).click()

  await page.goto(run)
  await runState(page, 'Completed')
  await page.getByText('2 of 2 nodes ended').waitFor()
  await ask.getByText('Output', { exact: true }).click()
  await ask.getByText('“Plant a tree”').waitFor()
  await page.getByText('Node save is complete.').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  expect(readFileSync(join(desktop.workspace, 'idea.md'), 'utf8')).toBe('Plant a tree')

  await page.getByRole('link', { name: 'Open workflow' }).click()
  await button(page, 'Start workflow').click()
  await nodeNamed(page, 'ask').getByText('Needs your answer.').waitFor({ timeout })
  await button(page, 'Cancel run…').click()
  await page.getByLabel('Reason (optional)').fill('Not today')
  await button(page, 'Cancel run').click()
  await runState(page, 'Canceled')
  await page.getByText('Not today.', { exact: true }).waitFor()
  expect(await button(page, 'Cancel run…').count()).toBe(0)
})

test('a version conflict loses neither text', async () => {
  desktop = await openDesktop([])
  const workflow_id = await save(workflowExamples.note.text)
  const page = await desktop.page({ path: `/workflows/${workflow_id}/edit` })
  const text = await workflowEditor(page)
  await writeText(text, (await textIn(text)).replace('What do you want to note?', 'Mine?'))
  await save(workflowExamples.note.text.replace('What do you want to note?', 'Theirs?'), { workflow_id })
  await button(page, 'Save').click()
  await button(page, 'Load the other version').click()
  const other = page.getByRole('region', { name: 'The other version' })
  await other.getByText('Theirs?').waitFor()
  expect(await textIn(text)).toContain('Mine?')
  expect(await seriousFindings(page)).toEqual([])
  await button(page, 'Edit the other version instead').click()
  await page.getByRole('region', { name: 'Your text' }).getByText('Mine?').waitFor()
  expect(await textIn(text)).toContain('Theirs?')
  await button(page, 'Edit your text instead').click()
  await button(page, 'Save').click()
  await page.getByRole('region', { name: 'Definition' }).getByText('Mine?').waitFor()
})

test('the edited text stays when the workflow is deleted meanwhile', async () => {
  desktop = await openDesktop([])
  const workflow_id = await save(workflowExamples.note.text)
  const page = await desktop.page({ path: `/workflows/${workflow_id}/edit` })
  const text = await workflowEditor(page)
  await writeText(text, (await textIn(text)).replace('What do you want to note?', 'Mine?'))
  await call('workflow_delete', { workflow_id })
  await desktop.restart()
  await page.getByText('This window is no longer authorized.').waitFor()
  await page.evaluate(`location.hash = '${new URL(desktop.window.windowUrl()).hash}'`)
  await page.getByText('This window is no longer authorized.').waitFor({ state: 'detached' })
  await button(page, 'Save').click()
  await page
    .getByRole('alert')
    .getByText(/^There is no workflow/)
    .waitFor()
  expect(await textIn(text)).toContain('Mine?')
})

test('a version is approved after its calls are shown, and starts at set times', async () => {
  desktop = await openDesktop([])
  const workflow_id = await save(workflowExamples.summary.text)
  const { workflow } = await call('workflow_get', { workflow_id })
  await call('workflow_approve', { workflow_id, sha256: workflow.sha256, is_approved: false })
  const page = await desktop.page({ path: '/workflows', width: 360 })
  await nodeNamed(page, 'Summarize a file').getByText('Not approved on this device').waitFor()
  await page.getByRole('link', { name: 'Summarize a file' }).click()
  const calls = page.getByRole('list', { name: 'Calls' })
  await calls.getByText('fs.read').waitFor()
  await calls.getByText('{{inputs.file}}').waitFor()
  await calls.getByText('Summarize this text in three sentences').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await button(page, 'Approve').click()
  await page.getByText('Approved on this device.').waitFor()

  await button(page, 'Start workflow').click()
  await page.getByRole('alert').getByText('Is required.').waitFor()
  await button(page, 'Add a schedule').click()
  const adding = page.locator('form').filter({ has: button(page, 'Add schedule') })
  await adding.getByText('Every week', { exact: true }).click()
  await adding.getByLabel('Time', { exact: true }).fill('07:15')
  await adding.getByLabel('The file to summarize').fill('notes.md')
  expect(await seriousFindings(page)).toEqual([])
  await button(page, 'Add schedule').click()
  const schedule = nodeNamed(page, 'Every Monday at 07:15')
  await schedule.getByText(/next start/).waitFor()
  await schedule.getByRole('switch').uncheck()
  await schedule.getByText(/switched off/).waitFor()
  const { items } = await call('workflow_schedule_list', { workflow_id })
  expect(items.map(({ cron, inputs, missed, is_enabled }) => ({ cron, inputs, missed, is_enabled }))).toEqual([
    { cron: '15 7 * * 1', inputs: '{"file":"notes.md"}', missed: 'skip', is_enabled: false },
  ])
  await button(page, 'Delete the schedule: Every Monday at 07:15').click()
  await button(page, 'Delete schedule').click()
  await page.getByText('It starts only when you start it.').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
})

const loopText = `name: Check files
nodes:
  - id: files
    kind: for_each
    items: "{{inputs.files}}"
    concurrency: 1
    on_item_failure: continue
  - id: read
    kind: tool
    within: files
    tool: fs.read
    arguments: { path: "{{loops.files.item}}" }
  - id: ask
    kind: question
    question: Is that all?
inputs:
  - name: files
    type: json
    required: true
`

test('a failed node shows its remedy, rounds are in their loop, and a node can be skipped', async () => {
  desktop = await openDesktop([])
  const workflow_id = await save(loopText)
  const page = await desktop.page({ path: `/workflows/${workflow_id}` })
  await page.getByLabel('files', { exact: true }).fill('["notes.md", "missing.md"')
  await button(page, 'Start workflow').click()
  await page.getByText('Must be valid JSON.').waitFor()
  await page.getByLabel('files', { exact: true }).fill('["notes.md", "missing.md"]')
  await button(page, 'Start workflow').click()
  const files = nodeNamed(page, 'files')
  await files.getByText('Completed').waitFor({ timeout })
  await button(page, '2 rounds').click()
  await page
    .getByText(/^Round 2/)
    .first()
    .click()
  await nodeNamed(page, 'read').getByText('How to fix').waitFor()
  expect(await seriousFindings(page)).toEqual([])

  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await seriousFindings(page, 'colours')).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)

  await button(page, 'Skip ask').click()
  await button(page, 'Skip node').click()
  await page.getByRole('alert').getByText('Is required.').waitFor()
  await page.getByLabel('Reason').fill('It is all')
  await button(page, 'Skip node').click()
  await runState(page, 'Completed')
  await nodeNamed(page, 'ask').getByText('It is all.').waitFor()
  await openPage(page, '/workflows/runs/01990000-0000-7000-8000-000000000000')
  await page.getByText('This workflow run does not exist on this device.').waitFor()
  await openPage(page, '/workflows/01990000-0000-7000-8000-000000000000')
  await page.getByText('This workflow does not exist on this device.').waitFor()
})
