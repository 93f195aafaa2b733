// The Memory page: a newcomer corrects a wrong memory from a message, reviews, decides conflicts, forgets, and looks at relationships.
import { DatabaseSync } from 'node:sqlite'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ScriptedTurn } from '../packages/runtime/test/support/model/test-model.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { type Desktop, sendMessage, waitForRunState } from './test-desktop.ts'

const timeout = 120_000
const openDesktop = useTestDesktop()
let desktop: Desktop

async function open(script: readonly ScriptedTurn[] = []): Promise<void> {
  const turns = [...script]
  desktop = await openDesktop(() => turns.shift() ?? { text: 'Fine.' })
  // What is extracted does not depend on the scripted model.
  await call('runtime_set_settings', { sections: [{ section: 'memory', setting: 'background_model', value: false }] })
}

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await desktop.runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}

/** Remembering happens in the background, after a run. */
async function remembered(words: string) {
  const look = async () => (await call('memory_list', { words: [words] })).items
  await expect.poll(async () => (await look()).length).toBeGreaterThan(0)
  const [memory] = await look()
  if (!memory) throw new Error(`nothing is remembered about ${words}`)
  return memory
}

function lastPrompt(): string {
  const system = desktop.model.requests.at(-1)?.messages.find(({ role }) => role === 'system')
  return typeof system?.content === 'string' ? system.content : ''
}

const newConversation = (page: Page) => page.getByRole('link', { name: 'New conversation' }).click()

test('a newcomer corrects a wrong memory from a message, and the next run uses the right one', async () => {
  await open()
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'I prefer pnpm over npm for every project.')
  await waitForRunState(page, 'Done')
  const wrong = await remembered('pnpm')

  const message = page.locator('[data-role=user]').last()
  await message.hover()
  await message.getByRole('button', { name: 'That’s wrong' }).click()
  const dialog = page.getByRole('dialog', { name: 'Correct what is remembered' })
  // The memory that quotes this message is selected.
  await expect.poll(() => dialog.getByRole('radio', { name: wrong.content }).isChecked()).toBe(true)
  await dialog.getByRole('button', { name: 'Save correction' }).click()
  const field = dialog.getByRole('textbox', { name: 'What is right' })
  await dialog.getByRole('alert').filter({ hasText: /./ }).first().waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await seriousFindings(page)).toEqual([])
  await field.fill('I prefer yarn for every project.')
  await dialog.getByRole('button', { name: 'Save correction' }).click()
  await dialog.getByText('Saved. It applies from the agent’s next turn or run.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()

  await newConversation(page)
  await sendMessage(page, 'Which package manager do I use?')
  await waitForRunState(page, 'Done')
  expect(lastPrompt()).toContain('I prefer yarn')
  expect(lastPrompt()).not.toContain(wrong.id)

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Memory' }).click()
  await page.getByRole('link', { name: 'Reviews' }).click()
  const corrections = page.getByRole('region', { name: 'Your corrections' })
  await corrections.getByText('I prefer yarn for every project.').waitFor()
  await corrections.getByRole('link', { name: 'Open the memory' }).click()
  await page.getByRole('main').getByRole('link', { name: wrong.content, exact: true }).click()
  await page.getByText('Replaced', { exact: true }).waitFor()
  await page.getByRole('link', { name: /^Open in “/ }).click()
  await page.locator('[data-found] [data-role=user]').filter({ hasText: 'I prefer pnpm' }).waitFor()
})

test('a run shows the memories it used; a wrong one is corrected there with the keyboard, and the next run uses the right one', async () => {
  await open()
  const add = async (content: string) => (await call('memory_add', { agent_id: null, content, memory_kind: 'preference' })).memory
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Hello.')
  await waitForRunState(page, 'Done')
  const run = page.locator('article[data-card=RunStatus]').last()
  expect(await page.getByRole('button', { name: /^Used \d/ }).count()).toBe(0)

  const wrong = await add('I prefer pnpm for every project.')
  await newConversation(page)
  await sendMessage(page, 'Which package manager do I use?')
  await waitForRunState(page, 'Done')
  expect(lastPrompt()).toContain('I prefer pnpm')
  const used = run.getByRole('button', { name: 'Used 1 memory', exact: true })
  await used.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Used 1 memory' })
  await panel.getByRole('listitem').filter({ hasText: wrong.content }).getByText('Preference').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  await page.locator(':focus').and(used).waitFor()

  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: `Correct: ${wrong.content}` }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Correct what is remembered' })
  await form.getByText(wrong.content).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await form.getByRole('button', { name: 'Back' }).press('Enter')
  await page
    .locator(':focus')
    .and(panel.getByRole('button', { name: `Correct: ${wrong.content}` }))
    .waitFor()
  await page.keyboard.press('Enter')
  // The field has the focus.
  await page
    .locator(':focus')
    .and(form.getByRole('textbox', { name: 'What is right' }))
    .waitFor()
  await page.keyboard.type('I prefer yarn for every project.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await form.getByText('Saved. It applies from the agent’s next turn or run.').waitFor()
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'hidden' })
  await page.locator(':focus').and(used).waitFor()
  expect((await call('memory_get', { memory_id: wrong.id })).memory.state).toBe('superseded')

  await sendMessage(page, 'And now?')
  await expect.poll(lastPrompt).toContain('I prefer yarn')
  await expect.poll(() => page.getByRole('button', { name: 'Used 1 memory', exact: true }).count()).toBe(2)
  expect(lastPrompt()).not.toContain('pnpm')
})

test('what has become of the memories of a run is shown, without a word of a forgotten one, also at 360 px', async () => {
  await open()
  const add = async (content: string) => (await call('memory_add', { agent_id: null, content, memory_kind: 'preference' })).memory.id
  const kept = 'I prefer tabs over spaces.'
  await add(kept)
  const wrong = await add('I prefer tea in the morning.')
  const gone = await add('I prefer Xanadu for the holidays.')
  await add(`I prefer ${'wide'.repeat(60)} words.`)
  const page = await desktop.page({ width: 1200 })
  const asked: string[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => asked.push(String(payload))))
  await page.reload()
  await sendMessage(page, 'What do I prefer?')
  await waitForRunState(page, 'Done')
  const used = page.getByRole('button', { name: 'Used 4 memories', exact: true })
  await used.waitFor()
  // The count comes with the run: nothing is requested before the panel is opened.
  expect(asked.some((frame) => frame.includes('agent_run_list'))).toBe(true)
  expect(asked.filter((frame) => frame.includes('memory_of_run'))).toEqual([])
  const { items: agents } = await call('agent_list', {})
  const right = { wrong: 'tea', right: 'I prefer coffee in the morning.', corrected_memory_id: wrong }
  await call('memory_record_user_correction', { agent_id: agents[0]?.agent_id ?? '', ...right })
  await call('memory_forget', { memory_id: gone })

  await page.setViewportSize({ width: 360, height: 740 })
  await used.click()
  const panel = page.getByRole('dialog', { name: 'Used 4 memories' })
  const rows = panel.getByRole('listitem')
  await rows
    .filter({ hasText: kept })
    .getByRole('button', { name: `Correct: ${kept}` })
    .waitFor()
  expect(await rows.filter({ hasText: kept }).getByText('since').count()).toBe(0)
  await rows
    .filter({ hasText: `Now: ${right.right}` })
    .getByText('Corrected since')
    .waitFor()
  expect(await rows.filter({ hasText: 'Forgotten since' }).getByRole('link').count()).toBe(0)
  expect(await rows.count()).toBe(4)
  expect(await page.content()).not.toContain('Xanadu')
  expect(await page.content()).not.toContain('I prefer tea')
  expect(asked.filter((frame) => frame.includes('memory_of_run'))).toHaveLength(1)
  expect(await seriousFindings(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  expect(await panel.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  // Nor is a text cut off at the side.
  expect(await panel.locator('p').evaluateAll((all) => all.every((one) => one.scrollWidth <= one.clientWidth))).toBe(true)
  await panel.getByRole('link', { name: `Open: ${right.right}` }).click()
  await page.waitForURL(/\/memory\/memories\//)
  await page.getByText(right.right).first().waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('the list is filtered and searched, and a memory is confirmed, edited, limited and forgotten after a question', async () => {
  await open()
  await call('memory_add', { agent_id: null, content: 'I work from Lisbon.', memory_kind: 'semantic' })
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'I prefer tabs over spaces.')
  await waitForRunState(page, 'Done')
  const memory = await remembered('tabs')
  await page.goto(new URL('/memory', desktop.window.url).href)
  await page.getByText('Memories stay on this device').waitFor()
  await page.getByText('Only local rules are used, which understand English.').waitFor()
  await page.getByText('2 memories', { exact: true }).waitFor()
  await page.getByLabel('Kind').selectOption('Preference')
  await page.getByText('1 memory', { exact: true }).waitFor()
  await page.getByLabel('State').selectOption('Archived')
  await page.getByText('No memories match these filters.').waitFor()
  await page.getByLabel('State').selectOption('Active')
  await page.getByLabel('Kind').selectOption('Any kind')

  await page.getByRole('searchbox', { name: 'Search memories' }).fill('tabs')
  const quotes = page.getByRole('region', { name: 'Exact quotes' })
  await quotes.getByText('words: tabs').first().waitFor()
  await page.getByRole('region', { name: 'Memories', exact: true }).getByText('Matched on').first().waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await quotes.getByRole('link', { name: 'Open the message' }).click()
  await page.locator('[data-found] [data-role=user]').filter({ hasText: 'I prefer tabs' }).waitFor()
  await page.goBack()

  await page.getByRole('main').getByRole('link', { name: memory.content, exact: true }).click()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Confirmed', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Use only in its conversation' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Use only in its conversation' }).getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('button', { name: 'Edit' }).click()
  const box = page.getByRole('textbox', { name: 'What to remember' })
  await box.fill('my password: hunter2-Zx81-canary')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('Contains a secret').waitFor()
  await box.fill('I prefer tabs over spaces everywhere.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('I prefer tabs over spaces everywhere.').first().waitFor()
  await page.getByRole('region', { name: 'Earlier versions' }).getByText('Version 1,').waitFor()
  expect(await seriousFindings(page)).toEqual([])

  await page.getByRole('button', { name: 'Forget' }).click()
  await page.getByText('Forget this memory?').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect((await call('memory_get', { memory_id: memory.id })).memory.id).toBe(memory.id)
  await page.getByRole('button', { name: 'Forget' }).click()
  await page.getByRole('button', { name: 'Forget memory' }).click()
  await page.getByText('Forgot 1 memory').waitFor()
  await page.getByText('The message in which you said it stays').waitFor()
  expect((await call('memory_list', { words: ['tabs'] })).items).toEqual([])
  await page.reload()
  await page.getByText('This memory does not exist.').waitFor()
})

test('a conflict is decided side by side, and what needs a review is confirmed or forgotten', async () => {
  const added = 'Deploys are approved at https://deploy.example.net before every release.'
  await open([{ calls: [{ name: 'memory.add', arguments: { content: added, memory_kind: 'procedural', about: 'deploys' } }] }])
  await call('memory_add', { agent_id: null, content: 'I prefer long answers.', memory_kind: 'preference' })
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'I prefer short answers.')
  await waitForRunState(page, 'Done')
  await remembered('short')
  await page.goto(new URL('/memory', desktop.window.url).href)

  await page.getByText('Conflicts (2)').click()
  const sides = page.getByRole('button', { name: /^This one is right/ })
  await sides.first().waitFor()
  expect(await sides.count()).toBe(2)
  const right = page.getByRole('button', { name: 'This one is right: I prefer short' })
  await right.waitFor()
  await page.getByRole('button', { name: 'This one is right: I prefer long' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await right.click()
  await page.getByText('No conflicts.').waitFor()
  expect((await remembered('long')).state).toBe('superseded')
  expect((await remembered('short')).state).toBe('active')

  await page.getByText('To review (1)').click()
  await page.getByRole('link', { name: added }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('button', { name: /^Forget: Deploys are approved/ }).click()
  await page.getByRole('button', { name: 'Forget memory' }).click()
  await page.getByText('Nothing to review.').waitFor()
  await page.getByText('What remains').waitFor()
  await page.getByText('Expiring soon', { exact: true }).click()
  await page.getByText('Nothing expires soon.').waitFor()
})

test('profile, reviews and options', async () => {
  await open()
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'I prefer short answers without small talk.')
  await waitForRunState(page, 'Done')
  await remembered('short answers')
  await page.goto(new URL('/memory/profile', desktop.window.url).href)
  const known = page.getByRole('region', { name: 'What is known about you' })
  await known.getByText('2 pieces of evidence').first().click()
  await known.getByRole('link', { name: 'Open the memory' }).first().waitFor()
  await page.getByRole('region', { name: 'Who the agent is' }).getByText('Role').waitFor()
  expect(await seriousFindings(page)).toEqual([])

  await page.getByRole('link', { name: 'Reviews' }).click()
  await page.getByText('No reviews yet.').waitFor()
  await page.getByRole('button', { name: 'Review now' }).click()
  await page
    .getByRole('status')
    .getByText(/^Last review .* Reviewed \d+ message/)
    .waitFor({ timeout })
  await page.locator('main summary').getByText('by you').waitFor()
  expect(await seriousFindings(page)).toEqual([])

  await page.getByRole('link', { name: 'Options' }).click()
  await page.getByText('Local rules only').click()
  await page.getByLabel('Minimum number of steps in a complex procedure').fill('0')
  const policies = page.getByRole('region', { name: 'Procedures' })
  await policies.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByLabel('Minimum number of steps in a complex procedure').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Minimum number of steps in a complex procedure').fill('9')
  await policies.getByRole('button', { name: 'Save' }).click()
  await policies.getByText('Saved', { exact: true }).waitFor()
  expect((await call('get_procedural_memory_policy', { agent_id: null })).policy).toMatchObject({
    mode: 'heuristic',
    complex_flow_steps: 9,
  })

  const excludes = page.getByRole('region', { name: 'Don’t remember' })
  const { items: conversations } = await call('conversation_list', {})
  await excludes.getByRole('checkbox', { name: `Don’t remember anything from “${conversations[0]?.title}”` }).check()
  await expect.poll(async () => (await call('memory_status', {})).excluded.conversations).toEqual([conversations[0]?.conversation_id])
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Forget everything about me' }).click()
  await page.getByText('Forget everything about you?').waitFor()
  expect((await call('memory_list', {})).items.length).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Forget everything' }).click()
  await page.getByText(/^Forgot \d+ memor/).waitFor()
  expect((await call('memory_list', { subject: 'user' })).items).toEqual([])
})

test('2,000 entities are drawn, can be moved, filtered and clicked, and are a table too', async () => {
  await open()
  const { agent } = await call('agent_create', { name: 'Grapher' })
  fillGraph(agent.agent_id, 2_000)
  const page = await desktop.page({ width: 1200 })
  page.setDefaultTimeout(90_000)
  await page.goto(new URL('/memory', desktop.window.url).href)
  await page.getByLabel('Agent').selectOption('Grapher')
  await page.getByRole('link', { name: 'Relationships' }).click()
  const canvas = page.locator('canvas')
  await page.locator('canvas[data-painted=settled]').waitFor()
  expect(await seriousFindings(page)).toEqual([])

  const picture = () => page.evaluate(`document.querySelector('canvas').toDataURL()`)
  const before = await picture()
  await canvas.hover({ position: { x: 300, y: 200 } })
  await page.mouse.down()
  await page.mouse.move(600, 400, { steps: 5 })
  await page.mouse.up()
  await expect.poll(picture).not.toBe(before)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(picture).toBe(before)

  await page.getByRole('checkbox', { name: 'Channels' }).uncheck()
  await page.getByText(/^Entities: 1,000/).waitFor()
  await page.getByText('Table', { exact: true }).click()
  await page.getByRole('region', { name: 'Table' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page
    .getByRole('button', { name: /^Details of Person 0/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Close details' }).click()
})

/** Written directly: a graph of this size grows over months. */
function fillGraph(agent_id: string, size: number): void {
  const database = new DatabaseSync(`${desktop.runtime.home}/tandem.db`)
  const at = new Date().toISOString()
  const id = (number: number) => `01920000-0000-7000-8000-${String(number).padStart(12, '0')}`
  const entity = database.prepare(`INSERT INTO memory_relationship_entities VALUES (?, ?, NULL, ?, ?, 'work', '[]', 1, ?, ?, 1)`)
  const edge = database.prepare(`INSERT INTO memory_relationship_graph VALUES
    (?, ?, NULL, 'expects_update_via', ?, ?, '[]', '[]', 1, 'stated', 'person', 'channel', '[]', NULL, '[]', NULL, ?, ?, 1)`)
  database.exec('BEGIN')
  for (let number = 0; number < size; number += 1) {
    const isPerson = number % 2 === 0
    entity.run(id(number), agent_id, isPerson ? 'stakeholder' : 'channel', isPerson ? `Person ${number}` : `Channel ${number}`, at, at)
    edge.run(id(size + number), agent_id, id(number - (number % 2)), id(number % 2 === 1 ? number : (number * 7 + 1) % size), at, at)
  }
  database.exec('COMMIT')
  database.close()
}
