// The graph of a workflow run, with the keyboard and at all widths, and the card of a workflow in a conversation.
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval, type Desktop, sendMessage } from './test-desktop.ts'

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
  return (await call('workflow_save', { ...content, covers_calls: true })).workflow.workflow_id
}

/** Starts a workflow, and returns the address of its run. */
async function start(text: string, inputs: unknown = {}): Promise<string> {
  const { run } = await call('workflow_start', { workflow_id: await save(text), inputs: JSON.stringify(inputs) })
  return `/workflows/runs/${run.workflow_run_id}`
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const graph = (page: Page) => page.getByRole('application', { name: /^Graph of the workflow\./ })
const drawn = (page: Page, id: string) => graph(page).locator(`[data-node=${id}]`)
const details = (page: Page, name: string) => page.getByRole('region', { name: `Details of ${name}`, exact: true })
const focused = (page: Page) => page.evaluate('document.activeElement.dataset.node')
const pageWidth = (page: Page) => page.evaluate('document.documentElement.scrollWidth')

const report = `name: Report
inputs:
  - { name: files, type: json, required: true }
nodes:
  - { id: look, kind: condition, title: Is there a file?, condition: { left: "{{inputs.files}}", comparison: contains, right: notes.md } }
  - { id: none, kind: wait, seconds: 0 }
  - { id: files, kind: for_each, title: Each file, items: "{{inputs.files}}", concurrency: 1, on_item_failure: continue }
  - { id: read, kind: tool, within: files, tool: fs.read, arguments: { path: "{{loops.files.item}}" } }
  - { id: ok, kind: approval, title: Send it?, message: Send it? }
  - { id: send, kind: wait, seconds: 0 }
edges:
  - look -> files when true
  - look -> none when false
  - files -> ok
  - ok -> send when approved
`

test('the graph shows what a run does, and is used with the keyboard', async () => {
  desktop = await openDesktop([])
  const path = await start(report, { files: ['missing.md', 'notes.md'] })
  const page = await desktop.page({ path, width: 1280, height: 1_600 })
  await drawn(page, 'ok').getByText('Waiting').waitFor({ timeout })
  await drawn(page, 'look').getByText('Completed').waitFor()
  await drawn(page, 'files').getByText('2 rounds done').waitFor()
  await drawn(page, 'read').getByText('Failed').waitFor()
  await drawn(page, 'none').getByText('Skipped').waitFor()
  await drawn(page, 'send').getByText('Not started').waitFor()
  for (const label of ['True', 'False', 'Approved']) await graph(page).getByText(label, { exact: true }).waitFor()
  expect(await graph(page).locator('.react-flow__edge').count()).toBe(4)
  expect(await seriousFindings(page)).toEqual([])

  await graph(page).focus()
  for (const [key, node] of [
    ['ArrowDown', 'look'],
    ['ArrowDown', 'none'],
    ['ArrowRight', 'files'],
    ['ArrowDown', 'read'],
    ['ArrowDown', 'ok'],
    ['ArrowUp', 'read'],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => focused(page)).toBe(node)
  }
  await page.keyboard.press('Enter')
  const read = details(page, 'read')
  await read.getByText('How to fix').waitFor()
  await read.getByText('“missing.md”').waitFor()
  expect(await drawn(page, 'read').getAttribute('aria-pressed')).toBe('true')
  expect(await seriousFindings(page)).toEqual([])
  await read.getByLabel('Round').selectOption('2: Completed')
  await read.getByText('“notes.md”').waitFor()
  await read.getByText('Output', { exact: true }).click()
  await read.getByText('Buy milk', { exact: false }).first().waitFor()
  await read.getByRole('button', { name: 'Close details' }).click()
  await read.waitFor({ state: 'detached' })
})

test('a run that waits for the user offers the answer, not to resume', async () => {
  desktop = await openDesktop([])
  const path = await start(report, { files: ['notes.md'] })
  const page = await desktop.page({ path, width: 360, height: 900, dark: true })
  await page.getByRole('main').getByRole('status').getByText('Waiting for you', { exact: true }).waitFor({ timeout })
  expect(await button(page, 'Resume').count()).toBe(0)
  await drawn(page, 'ok').click()
  const ok = details(page, 'Send it?')
  await ok.getByText('Needs your approval.').waitFor()
  const [above, below] = [await graph(page).boundingBox(), await ok.boundingBox()]
  expect((below?.y ?? 0) >= (above?.y ?? 0) + (above?.height ?? 0)).toBe(true)
  expect(await pageWidth(page)).toBe(360)
  expect(await seriousFindings(page, 'colours')).toEqual([])
  await page.getByRole('main').getByRole('link', { name: 'Answer Send it?' }).first().click()
  await page.waitForURL(/\/c\//)
  await button(page, 'Answer').waitFor()
})

test('only the visible nodes of the largest workflow are in the page', async () => {
  desktop = await openDesktop([])
  const nodes = Array.from({ length: limits.workflow_nodes }, (_, at) => `  - { id: n${at}, kind: wait, seconds: ${at === 0 ? 600 : 0} }`)
  const path = await start(`name: Long\nnodes:\n${nodes.join('\n')}\n`)
  const page = await desktop.page({ path, width: 1200, height: 900 })
  await drawn(page, 'n0').getByText('Waiting').waitFor({ timeout })
  const count = await graph(page).locator('[data-node]').count()
  expect([count > 1, count < 40]).toEqual([true, true])
  // A node outside of the view is moved into it when it gets the focus.
  await drawn(page, 'n0').focus()
  for (let at = 1; at <= 12; at += 1) {
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page)).toBe(`n${at}`)
  }
  expect(await graph(page).locator('[data-node]').count()).toBeLessThan(40)
})

const nightly = `name: Nightly
nodes:
  - { id: read, kind: tool, title: Read the notes, tool: fs.read, arguments: { path: notes.md } }
  - { id: many, kind: repeat, most_rounds: 10000, until: { left: "{{inputs.end}}", comparison: exists } }
  - { id: tick, kind: wait, within: many, title: One of many, seconds: 1 }
  - { id: nap, kind: wait, seconds: 1 }
inputs:
  - { name: end, type: text, required: false }
`

test('the card of a workflow is live, and controls it', async () => {
  desktop = await openDesktop((_index, { messages }) => {
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
    const workflow_run_id = /id: (\S+)/.exec(results.join('\n'))?.[1] ?? ''
    const calls = [
      { name: 'workflow.start', arguments: { workflow: 'Nightly', inputs: {} } },
      { name: 'workflow.wait', arguments: { workflow_run_id } },
    ]
    const next = calls[results.length]
    return next ? { calls: [next] } : { text: 'It has ended.' }
  })
  await save(nightly)
  const page = await desktop.page({ width: 1100, height: 1_000 })
  await sendMessage(page, 'Start the nightly workflow.')
  await approval(page).getByRole('button', { name: 'Allow once' }).click()
  const card = page.locator('article[data-card=Workflow]')
  await card.getByText('1 of 3 nodes').waitFor({ timeout })
  await card.getByText('One of many').waitFor()
  expect(await card.getAttribute('data-mode')).toBe('auto_open')
  await card.getByText('Workflow events').click()
  await card
    .getByText(/^Node tick \(round \d+\) started\.$/)
    .last()
    .waitFor()
  expect(await seriousFindings(page)).toEqual([])
  expect(await card.getByRole('link', { name: 'Open the workflow run' }).getAttribute('href')).toMatch(/^\/workflows\/runs\//)

  const badge = (text: string) => card.locator('> .card-end', { hasText: text })
  await card.getByRole('button', { name: 'Pause' }).click()
  await badge('Paused').waitFor({ timeout })
  await card.getByRole('button', { name: 'Resume' }).click()
  await badge('Running').waitFor({ timeout })
  await card.getByRole('button', { name: 'Cancel run…' }).click()
  await card.getByLabel('Reason (optional)').fill('Not tonight')
  await card.getByRole('button', { name: 'Cancel run', exact: true }).click()
  await badge('Stopped').waitFor({ timeout })
  await page.getByRole('log').getByText('It has ended.').waitFor({ timeout })
})

test('a loop of 10,000 rounds is shown by its latest ones, and the page can be used', async () => {
  desktop = await openDesktop([])
  const { journal } = desktop.runtime
  const id = (last: number) => `01900000-0000-7000-8000-${String(last).padStart(12, '0')}`
  const place = { workflow_run_id: id(1), workflow_id: id(2), run_id: id(3), device_id: 'other', ts: '2026-03-01T09:00:00.000Z' }
  const { content } = await call('workflow_read_text', { text: nightly })
  const more = {
    name: 'Nightly',
    owner_agent_id: 'agent',
    definition_sha256: '0'.repeat(64),
    definition: JSON.stringify(content?.definition),
  }
  let seq = 0
  const next = () => ({ ...place, event_id: id(100 + seq), seq: seq++ })
  journal.workflowEvents.append({ ...next(), kind: 'started', ...more })
  journal.workflowEvents.append({ ...next(), kind: 'node.started', node_id: 'many', attempt: 1 })
  for (let round = 0; round < 10_000; round += 1) {
    const node = { node_id: 'tick', iteration: [round] }
    journal.workflowEvents.append({ ...next(), kind: 'node.started', ...node, attempt: 1 })
    journal.workflowEvents.append({ ...next(), kind: 'node.completed', ...node, attempt: 1, outcome: 'succeeded' })
  }
  const page = await desktop.page({ path: `/workflows/runs/${id(1)}`, width: 1200, height: 900 })
  await drawn(page, 'many')
    .getByText(/10,?000 rounds done/)
    .waitFor({ timeout })
  await drawn(page, 'tick').click()
  const tick = details(page, 'One of many')
  await tick.getByLabel('Round').waitFor()
  expect(await tick.getByLabel('Round').locator('option').count()).toBeLessThanOrEqual(500)
  await tick.getByRole('button', { name: 'Close details' }).click()
  // Folded rounds and only a page of events: the page stays small.
  expect(Number(await page.evaluate('document.querySelectorAll("*").length'))).toBeLessThan(5_000)
})

test('a workflow run of another device is shown without controls', async () => {
  desktop = await openDesktop([])
  const { journal } = desktop.runtime
  const id = (last: number) => `01900000-0000-7000-8000-${String(last).padStart(12, '0')}`
  const place = { workflow_run_id: id(1), workflow_id: id(2), run_id: id(3), device_id: 'other', ts: '2026-03-01T09:00:00.000Z' }
  const { content } = await call('workflow_read_text', { text: nightly })
  const definition = JSON.stringify(content?.definition)
  const more = { name: 'Nightly', owner_agent_id: 'agent', definition_sha256: '0'.repeat(64), definition }
  journal.workflowEvents.append({ ...place, event_id: id(4), seq: 0, kind: 'started', ...more })
  journal.workflowEvents.append({ ...place, event_id: id(5), seq: 1, kind: 'node.started', node_id: 'read', attempt: 1 })
  const page = await desktop.page({ path: `/workflows/runs/${id(1)}` })
  await page.getByText('This run is on another device. You can control it there.').waitFor()
  await drawn(page, 'read').getByText('Running').waitFor()
  for (const name of ['Pause', 'Resume', 'Cancel run…', 'Skip nap']) expect(await button(page, name).count()).toBe(0)

  const { conversation_id, no } = journal.conversations.create({ agent_id: 'agent', title: 'Talk', workspace: desktop.workspace })
  const ids = { conversation: no, agent_id: 'agent', message_id: null }
  const { run_id } = journal.start({ ...ids, title: 'Talk', model: 'scripted', sandbox_mode: 'workspace' })
  journal.append(run_id, {
    kind: 'workflow.status',
    workflow_run_id: id(1),
    name: 'Nightly',
    state: 'running',
    nodes_done: 0,
    nodes_total: 2,
  })
  await page.goto(new URL(`/c/${conversation_id}`, desktop.window.url).href)
  const card = page.locator('article[data-card=Workflow]')
  await card.getByText('Read the notes').waitFor()
  await card.getByText('This run is on another device. You can control it there.').waitFor()
  expect(await card.getByRole('button', { name: /^(Pause|Cancel)/ }).count()).toBe(0)
})
