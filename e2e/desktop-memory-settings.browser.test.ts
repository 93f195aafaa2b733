// Memory in the settings and diagnostics centers, manual reviews with their progress, and procedures with their policies.
import { DatabaseSync } from 'node:sqlite'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import type { Memory } from '@tandem/contract/memory'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Script } from '../packages/runtime/test/support/model/test-model.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { type Desktop, sendMessage, waitForRunState } from './test-desktop.ts'

const openDesktop = useTestDesktop()
let desktop: Desktop

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await desktop.runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}

async function open(script: Script = () => ({ text: 'Fine.' }), environment: Readonly<Record<string, string>> = {}): Promise<Page> {
  desktop = await openDesktop(script, undefined, environment)
  const page = await desktop.page({ width: 1200 })
  page.setDefaultTimeout(90_000)
  return page
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, desktop.window.url).href)
}

async function say(page: Page, text: string): Promise<void> {
  await sendMessage(page, text)
  await waitForRunState(page, 'Done')
}

/** Of the only agent. */
async function agentId(): Promise<string> {
  const { items } = await call('agent_list', {})
  return items[0]?.agent_id ?? ''
}

/** Everything fits the narrowest window, and nothing is inaccessible in it. */
async function checkNarrow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  expect(await seriousFindings(page)).toEqual([])
  await page.setViewportSize({ width: 1200, height: 800 })
}

test('the settings show what remembering costs and what is known, and take corrections with the keyboard', async () => {
  const page = await open()
  await say(page, 'I prefer short answers.')
  const agent_id = await agentId()
  await call('memory_add', { agent_id, content: 'I maintain the billing service.', memory_kind: 'relationship' })
  const { memory } = await call('memory_add', { agent_id, content: 'I live in Porto.', memory_kind: 'semantic' })
  await goTo(page, '/settings')

  const cost = page.getByRole('region', { name: 'What remembering costs' })
  await cost.getByText('0 of 50,000 tokens used in the background today').waitFor()
  const budget = cost.getByRole('spinbutton', { name: 'Tokens per day' })
  await budget.fill('-1')
  await cost.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => budget.getAttribute('aria-invalid')).toBe('true')
  await budget.fill('7000')
  await cost.getByRole('checkbox', { name: 'Use your model in the background' }).uncheck()
  await cost.getByRole('button', { name: 'Save' }).click()
  await cost.getByText('Saved', { exact: true }).waitFor()
  await cost.getByText('0 of 7,000 tokens used in the background today').waitFor()
  const { settings } = await call('runtime_get_settings', {})
  expect(settings.sections.filter(({ setting }) => setting === 'background_model' || setting === 'daily_tokens')).toEqual([
    { section: 'memory', setting: 'background_model', value: false },
    { section: 'memory', setting: 'daily_tokens', value: 7_000 },
  ])

  const center = page.getByRole('region', { name: 'Memory', exact: true })
  await center.getByText(/^Preferences: .*short answers/).waitFor()
  await center.getByText(/^Most connected: .*You/).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await center.getByRole('button', { name: 'Correct something' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Correct what is remembered' })
  const wrong = dialog.getByRole('textbox', { name: 'What was wrong' })
  await page.locator(':focus').and(wrong).waitFor()
  await page.keyboard.type('where I live')
  const candidate = dialog.getByRole('radio', { name: memory.content })
  await candidate.press('Space')
  await dialog.getByRole('textbox', { name: 'What is right' }).fill('I live in Braga.')
  await checkNarrow(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dialog.getByText('Saved. It applies from the agent’s next turn or run.').waitFor()
  await page.keyboard.press('Enter')
  // The focus returns to where it was.
  await page
    .locator(':focus')
    .and(center.getByRole('button', { name: 'Correct something' }))
    .waitFor()
  const { items: corrections } = await call('memory_list_corrections', {})
  expect(corrections).toMatchObject([{ wrong: 'where I live', right: 'I live in Braga.', corrected_memory_id: memory.id }])

  await center.getByRole('button', { name: 'Review now' }).click()
  await center.getByText(/^Last review .* Reviewed 2 messages, found \d/).waitFor()
  for (const [link, path] of [
    ['Open your profile', '/memory/profile'],
    ['Open the graph', '/memory/graph'],
    ['All reviews', '/memory/reviews'],
    ['All memories', '/memory'],
  ] as const) {
    expect(await center.getByRole('link', { name: link }).getAttribute('href')).toBe(path)
  }
})

test('a review shows its progress on every page, also after leaving and coming back, and cannot be started twice', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  // The background use of the model has no tools.
  const script: Script = (_, { tools }) =>
    tools === undefined || tools.length === 0 ? { text: '{"items":[]}', hold: held } : { text: 'Fine.' }
  const page = await open(script, { TANDEM_MEMORY_MODEL: 'on' })
  await say(page, 'I prefer tabs over spaces.')
  await goTo(page, '/memory/reviews')
  const start = page.getByRole('button', { name: 'Review now' })
  await start.click()
  await page.getByText('Reviewing conversation 1 of 1…').waitFor()
  await page.getByText('You can leave this page. The review continues.').waitFor()
  expect(await start.isDisabled()).toBe(true)
  expect(await seriousFindings(page)).toEqual([])
  for (const name of ['Settings', 'Diagnostics'] as const) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
    await page.getByText('Reviewing conversation 1 of 1…').waitFor()
    expect(await start.isDisabled()).toBe(true)
  }
  await page.reload()
  await page.getByText('Reviewing conversation 1 of 1…').waitFor()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Memory' }).click()
  await page.getByRole('link', { name: 'Reviews' }).click()
  await page.getByText('Reviewing conversation 1 of 1…').waitFor()
  release()
  await page
    .getByRole('status')
    .getByText(/^Last review .* Reviewed 2 messages, found 1 memory\.$/)
    .waitFor()
  expect(await start.isDisabled()).toBe(false)
  expect((await call('memory_list_reviews', {})).items).toHaveLength(1)
})

test('the diagnostics show reviews that failed, and why a search may not find everything', async () => {
  const page = await open()
  await say(page, 'I prefer tabs over spaces.')
  await goTo(page, '/diagnostics')
  const center = page.getByRole('region', { name: 'Memory', exact: true })
  await center.getByText('Up to date').waitFor()
  await center.getByText('No reviews yet.').waitFor()
  // Only the page scrolls, not the window around it.
  expect(await page.evaluate('document.documentElement.scrollHeight === innerHeight')).toBe(true)

  const database = new DatabaseSync(`${desktop.runtime.home}/tandem.db`)
  database.exec(`CREATE TRIGGER broken BEFORE INSERT ON memory_heartbeat_reviews WHEN NEW.failure IS NULL
    BEGIN SELECT RAISE(ABORT, 'the table is locked'); END`)
  await center.getByRole('button', { name: 'Review now' }).click()
  await center.getByText(/^Last review .* It ended early: the table is locked$/).waitFor()
  const failed = center.locator('summary').filter({ hasText: 'Failed' })
  await failed.getByText('It ended early: the table is locked').waitFor()
  await failed.press('Enter')
  await center.getByText('The next review reads the rest.').waitFor()
  database.exec('DROP TRIGGER broken')
  database.close()
  await page.getByRole('button', { name: /^Dismiss/ }).click()
  await center.getByRole('button', { name: 'Review now' }).click()
  await center
    .getByRole('status')
    .getByText(/Reviewed 2 messages, found 1 memory\.$/)
    .waitFor()
  expect(await center.locator('summary').count()).toBe(2)
  expect(await seriousFindings(page)).toEqual([])

  // The scripted model has no embeddings.
  await call('runtime_set_settings', {
    sections: [
      { section: 'recall', setting: 'embeddings', value: 'model' },
      { section: 'recall', setting: 'embeddings_model', value: 'none' },
    ],
  })
  await call('memory_add', { agent_id: null, content: 'I live in Porto.', memory_kind: 'semantic' })
  await center.getByText('Problem', { exact: true }).waitFor()
  await center.getByText(/^Search by meaning failed: ./).waitFor()
  await center.getByText(/^Check that the embeddings model is available\./).waitFor()
  await checkNarrow(page)
  await goTo(page, '/memory')
  await page.getByRole('searchbox', { name: 'Search memories' }).fill('Porto')
  await page.getByText('Search may not find everything.').waitFor()
  await page.getByText(/^Check that the embeddings model is available\./).waitFor()
  await page.getByRole('region', { name: 'Exact quotes' }).getByText('I live in Porto.').waitFor()
  await checkNarrow(page)
})

test('the relationships of the user are told to the user as "You"', async () => {
  const page = await open()
  await say(page, 'Hello.')
  const agent_id = await agentId()
  await call('memory_add', { agent_id, content: 'I maintain the billing service.', memory_kind: 'relationship' })
  await call('memory_add', { agent_id, content: 'I prefer short answers.', memory_kind: 'preference' })
  await goTo(page, '/memory/graph')
  await page.getByText('Table', { exact: true }).click()
  const table = page.getByRole('region', { name: 'Table' })
  await table.getByRole('row').filter({ hasText: 'billing service' }).getByRole('cell', { name: 'work on', exact: true }).waitFor()
  await table.getByRole('row').filter({ hasText: 'billing service' }).getByRole('button', { name: 'Details of You' }).click()
  await page.getByRole('heading', { name: /^You/ }).waitFor()
  const relations = page.getByRole('list', { name: 'Relationships' })
  await relations.getByText('You work on billing service').waitFor()
  await relations.getByText(/shapes results for you/).waitFor()
  expect(await page.getByText(/^user$/).count()).toBe(0)
  expect(await seriousFindings(page)).toEqual([])
})

const idAt = (at: number) => `01a00000-0000-7000-8000-${String(at).padStart(12, '0')}`

function procedure(at: number, fields: Partial<Memory>): Memory {
  const created_at = '2026-11-01T10:00:00.000Z'
  return {
    ...{ id: idAt(at), agent_id: null, conversation_id: null, only_in_conversation: false, memory_kind: 'procedural', subject: 'agent' },
    ...{ slot: null, content: `How to handle requests like "Release ${at}".`, quotes: [], procedure: null, state: 'active' },
    ...{ state_reason: null, confidence: 0.75, source_type: 'distillation', source_run_id: null, authority: 'agent' },
    ...{ confirmed_by_user: false, expires_at: null, conflicts_with: [], supersedes: [], last_used_at: null, use_count: 0, tags: [] },
    ...{ created_at, updated_at: created_at, version: 1, ...fields },
  }
}

test('a procedure shows its steps, which distiller wrote it and how it went; each agent can have a policy of its own', async () => {
  const page = await open()
  const { agent } = await call('agent_create', { name: 'Mara' })
  const steps = [
    { tool: 'fs.read', shape: '{path: path}', command: null },
    { tool: 'fs.write', shape: '{content: text, path: path}', command: null },
    { tool: 'shell.exec', shape: '{command: text}', command: 'make release' },
  ]
  const memories = [
    procedure(1, { procedure: { steps, distiller: 'llm', successes: 4, failures: 1 } }),
    procedure(2, {
      procedure: { steps: steps.slice(0, 2), distiller: 'heuristic', fallback_reason: 'the model failed', successes: 2, failures: 0 },
    }),
  ]
  await call('memory_import', { json: JSON.stringify({ format: 'tandem-memory', version: 1, memories }) })

  await goTo(page, `/memory/memories/${idAt(1)}`)
  const shownSteps = page.getByRole('region', { name: 'Steps' }).getByRole('listitem')
  await shownSteps.nth(2).waitFor()
  expect(await shownSteps.allInnerTexts()).toEqual([
    'fs.read {path: path}',
    'fs.write {content: text, path: path}',
    'shell.exec make release',
  ])
  const details = page.getByRole('region', { name: 'Details' })
  for (const text of ['by your model', '4 went well, 1 did not', '75% sure', 'learned from runs that went well'])
    await details.getByText(text, { exact: true }).waitFor()
  // A file may come from anywhere: its command is not used until the user confirms it.
  await page.getByText('To review', { exact: true }).waitFor()
  await checkNarrow(page)
  await goTo(page, `/memory/memories/${idAt(2)}`)
  await details.getByText('by local rules (your model’s version was not used: the model failed)').waitFor()
  await details.getByText('2 went well, 0 did not').waitFor()

  await goTo(page, '/memory/options')
  const policies = page.getByRole('region', { name: 'Procedures' })
  await policies.getByLabel('Policy for').selectOption('Mara')
  await policies.getByText('This agent uses the default policy.').waitFor()
  await policies.getByText('Your model first, local rules if it fails').click()
  await policies.getByLabel('Minimum number of steps in a complex procedure').fill('4')
  await policies.getByRole('textbox', { name: 'Model' }).fill('small/one')
  await policies.getByRole('button', { name: 'Save' }).press('Enter')
  await policies.getByText('Saved', { exact: true }).waitFor()
  await policies.getByRole('listitem').getByText('Mara: Your model first, local rules if it fails').waitFor()
  await policies.getByText('This agent uses the default policy.').waitFor({ state: 'hidden' })
  expect((await call('list_procedural_memory_policies', {})).items).toMatchObject([
    { agent_id: null, mode: 'adaptive' },
    { agent_id: agent.agent_id, mode: 'llm_first', complex_flow_steps: 4, model: 'small/one' },
  ])
  await policies.getByLabel('Policy for').selectOption('Default for agents without their own policy')
  await expect
    .poll(() => policies.getByRole('radio', { name: 'Your model for complex procedures, local rules for the rest' }).isChecked())
    .toBe(true)
  await checkNarrow(page)
})

test('each agent can keep the preferences it learns to itself, and be left out of automatic reviews', async () => {
  const page = await open()
  const { agent_id } = (await call('agent_create', { name: 'Mara' })).agent
  await call('agent_create', { name: 'Otto' })
  const chosen = async () => {
    const { settings } = await call('runtime_get_settings', {})
    return Object.fromEntries(
      settings.sections.flatMap(({ setting, value }) =>
        setting === 'own_preferences' || setting === 'without_reviews' ? [[setting, value]] : [],
      ),
    )
  }
  await goTo(page, '/memory/options')
  const mara = page.getByRole('region', { name: 'For each agent' }).getByRole('group', { name: 'Mara' })
  const own = mara.getByRole('checkbox', { name: 'Keep the preferences that this agent learns to itself' })
  const reviews = mara.getByRole('checkbox', { name: 'Don’t review its conversations automatically' })
  await own.press('Space')
  await expect.poll(chosen).toEqual({ own_preferences: [agent_id], without_reviews: [] })
  await reviews.press('Space')
  await expect.poll(chosen).toEqual({ own_preferences: [agent_id], without_reviews: [agent_id] })
  await page.reload()
  await expect.poll(() => own.isChecked()).toBe(true)
  const { memory } = await call('memory_record_user_correction', {
    agent_id,
    wrong: 'tabs',
    right: 'I prefer spaces.',
    memory_kind: 'preference',
  })
  expect(memory.agent_id).toBe(agent_id)
  await own.press('Space')
  await expect.poll(chosen).toEqual({ own_preferences: [], without_reviews: [agent_id] })
  await checkNarrow(page)
})
