// Learning in the window: an agent that fails again and again, the change that is proposed because of it, and what undoes it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import type { Script } from '../packages/runtime/test/support/model/test-model.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { learningRuns } from './learning-runs.ts'
import { approval, type Desktop, sendMessage, settled, waitForRunState, writeCall } from './test-desktop.ts'

const openDesktop = useTestDesktop()
const timeout = 300_000
const learned = { timeout: 60_000 }
let desktop: Desktop
let prices: Server | null = null

afterEach(async () => {
  const server = prices
  prices = null
  if (server?.listening) await new Promise((resolve) => server.close(resolve))
})

/** "Run: a ; b" runs commands, "Write: a ; b" writes files, one per turn. "Fetch: URL" fetches until there is a price. */
const script: Script = (_, { messages }) => {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = String(messages[at]?.content)
  const results = messages.slice(at).filter(({ role }) => role === 'tool')
  const url = /Fetch: (\S+)/.exec(asked)?.[1]
  if (url) {
    const isFound = results.some(({ content }) => JSON.stringify(content).includes('EUR'))
    return isFound ? { text: 'It costs 42 EUR.' } : { calls: [{ name: 'web.fetch', arguments: { url } }] }
  }
  const file = /Write: (.*)/.exec(asked)?.[1]?.split(' ; ')[results.length]
  if (file) return { calls: [writeCall(file, 'new')] }
  const next = /Run: (.*)/.exec(asked)?.[1]?.split(' ; ')[results.length]
  return next ? { calls: [{ name: 'shell.exec', arguments: { command: next } }] } : { text: 'Done.' }
}

const { call, setPolicy, ran } = learningRuns(() => desktop)

async function open(name: string, max_turns = 20, plays: Script = script, more: Readonly<Record<string, string>> = {}): Promise<string> {
  desktop = await openDesktop(plays, undefined, more)
  const { agent_id } = (await call('agent_create', { name, max_turns })).agent
  await setPolicy(agent_id, 'shell.exec', { approval_mode: 'auto' })
  return agent_id
}

const main = (page: Page) => page.getByRole('main')
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of learning' }).getByRole('link', { name }).click()

test(
  'an agent fails five times for one reason; the change is applied, the sixth run succeeds, and another fault undoes it',
  async () => {
    const agent_id = await open('Buyer', 3)
    const server = createServer((_, response) => response.end('{"price":"42 EUR"}'))
    prices = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    await setPolicy(agent_id, 'web.fetch', { network_scope: { hosts: ['docs.example.org'] }, approval_mode: 'required' })
    const states: string[] = []
    for (let round = 0; round < 5; round += 1) {
      const { run_id } = await ran(agent_id, `Fetch: http://${host}/price`)
      states.push((await call('agent_run_get', { run_id })).run.state)
    }
    expect(states).toEqual(['failed', 'failed', 'failed', 'failed', 'failed'])

    const page = await desktop.page({ width: 1200 })
    // The bar above every page asks for the decision.
    const bar = page.getByRole('status').filter({ hasText: '1 policy candidate needs you' })
    await bar.getByRole('link', { name: /^Add 127\.0\.0\.1/ }).click()
    const title =
      /^Add 127\.0\.0\.1.* to the hosts of web\.fetch, because you asked for it and approved it \d+ times, and the network scope refused it\.$/
    await page.getByRole('heading', { name: title }).waitFor()
    await bar.waitFor({ state: 'hidden' })
    await page.getByText('This allows more than the current policy. It takes effect only if you apply it.').waitFor()
    await main(page).getByText('Proposed: docs.example.org, 127.0.0.1').waitFor()
    const changed = page.getByRole('region', { name: 'Calls it would have changed' })
    await expect.poll(() => changed.getByRole('listitem').count()).toBeGreaterThanOrEqual(5)
    await changed
      .getByText('Was: approved by you, then refused: host_out_of_scope. Would have been: carried out after your approval.')
      .first()
      .waitFor()
    expect(await seriousFindings(page)).toEqual([])

    // A divergence opens at its call, and Back returns.
    await changed.getByRole('link').first().click()
    await page.locator('[data-found] article[data-card=ToolCall]').waitFor()
    await page.goBack()

    // What allows more asks first.
    await page.getByRole('button', { name: /^Apply on trial: Add/ }).click()
    await page.getByRole('alert').filter({ hasText: 'Apply it on this device?' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect((await call('agent_run_list_policy_candidates', { agent_id })).items.map(({ state }) => state)).toEqual(['canary_ready'])
    await page.getByRole('button', { name: /^Apply on trial: Add/ }).click()
    await page.getByRole('button', { name: 'Allow and apply' }).click()
    await page.getByText('On trial', { exact: true }).waitFor()

    // The sixth run, in the window.
    const { conversation_id } = (await call('conversation_create', { agent_id, workspace: desktop.workspace })).conversation
    await page.goto(`${new URL(page.url()).origin}/c/${conversation_id}`)
    const line = page.getByRole('article', { name: 'Policy change' })
    await line.getByText(/^On trial for this agent: Add 127/).waitFor()
    await sendMessage(page, `Fetch: http://${host}/price`)
    await approval(page)
      .getByRole('button', { name: /^Allow once/ })
      .click()
    await page.getByRole('log').getByText('It costs 42 EUR.').waitFor()
    await waitForRunState(page, 'Done')

    // Another fault.
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await sendMessage(page, `Fetch: http://${host}/price?again`)
    const answered = new Set<string>()
    const asked = async () => (await call('approval_list', {})).items.map((one) => one.approval.approval_id).find((id) => !answered.has(id))
    for (let round = 0; round < 3; round += 1) {
      await expect.poll(asked, learned).toBeDefined()
      answered.add((await asked()) ?? '')
      await approval(page)
        .getByRole('button', { name: /^Allow once/ })
        .click()
      await expect
        .poll(async () => (await call('approval_list', {})).items.every((one) => !answered.has(one.approval.approval_id)), learned)
        .toBe(true)
    }
    await waitForRunState(page, 'Failed')
    await line.getByText(/^Undone: Add 127.* Reason: A run in which it applied failed \(too_many_turns\)\.$/).waitFor()
    expect(await line.getByRole('button').count()).toBe(0)
    await page.reload()
    await line.getByRole('link', { name: 'Details' }).click()
    await page.getByText('Rolled back', { exact: true }).first().waitFor()
    await main(page).getByText('Rolled back: A run in which it applied failed (too_many_turns).').waitFor()
    await page.getByRole('link', { name: 'Open the run that caused it' }).first().click()
    await page.waitForURL(`**/c/${conversation_id}`)
    const { layers } = (await call('agent_tool_policy_get', { agent_id, tool: 'web.fetch' })).policy
    expect(layers.in_force.map(({ name }) => name)).toEqual(['configured policy'])
  },
  timeout,
)

test(
  'what runs taught can be read, opened at the place and decided about',
  async () => {
    const agent_id = await open('Builder')
    const failed = await ran(agent_id, 'Run: node missing-1.js')
    await ran(agent_id, 'Run: cat notes.txt ; touch notes.txt ; cat notes.txt')
    await ran(agent_id, 'Run: true')
    const page = await desktop.page({ width: 1200, path: '/diagnostics' })
    const summary = page.getByRole('region', { name: 'Learning' })
    await summary.getByText('No policy candidate needs your decision.').waitFor()
    await summary.getByText('1 memory candidate to remember or dismiss.').waitFor()
    await summary.getByRole('link', { name: 'Outcomes' }).click()

    await page.getByRole('combobox', { name: 'Agent' }).selectOption('Builder')
    await main(page)
      .getByText(/^The latest 3 runs: 2 successful, 1 partly successful, 0 failed\./)
      .waitFor()
    const chart = page.getByRole('group', { name: /^Overall score of the runs of Builder, oldest first/ })
    const points = chart.getByRole('link')
    await expect.poll(() => points.count()).toBe(3)
    // One stop of the keyboard; the arrow keys move between the points.
    await page.getByRole('combobox', { name: 'Score' }).focus()
    await page.keyboard.press('Tab')
    await page
      .locator(':focus')
      .and(chart.getByRole('link', { name: /^Success, 100%, / }))
      .waitFor()
    await page.keyboard.press('Home')
    await page
      .locator(':focus')
      .and(chart.getByRole('link', { name: /^Partial, .*node missing-1\.js/ }))
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/c/${failed.conversation_id}`)
    await page.goBack()
    await page.getByRole('combobox', { name: 'Score' }).selectOption('Tool reliability')
    await page.getByRole('group', { name: /^Tool reliability of the runs of Builder/ }).waitFor()
    await page.getByText('All outcomes as a table').click()
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(4)
    expect(await seriousFindings(page)).toEqual([])

    await section(page, 'Failure patterns')
    const pattern = page.locator('details').filter({ hasText: 'Cannot find module' })
    await pattern.locator('summary').click()
    await pattern.getByText('Error, with its variable parts removed').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await pattern.getByRole('link', { name: 'Run: node missing-1.js' }).first().click()
    await page.locator('[data-found] article[data-card=ToolCall]').waitFor()
    await page.waitForURL(`**/c/${failed.conversation_id}#call*`)
    await page.goBack()

    await section(page, 'Reflections')
    const reflection = page.locator('details').filter({ hasText: 'It was repaired during the run.' })
    await reflection.locator('summary').click()
    await reflection.getByRole('link', { name: 'Memory candidates' }).click()

    const proposed = main(page).getByRole('region', { name: 'To decide' }).getByRole('listitem')
    await proposed.getByRole('button', { name: /^Remember: / }).click()
    const decided = main(page).getByRole('region', { name: 'Decided' }).getByRole('listitem')
    await decided.getByText('Remembered').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await decided.getByRole('link', { name: 'Open the memory' }).click()
    await page.waitForURL('**/memory/memories/**')

    await page.goto(`${new URL(page.url()).origin}/diagnostics/learning/candidates`)
    await page.getByText(/^No policy candidates\./).waitFor()
    await page.getByRole('button', { name: 'Test and apply now' }).click()
    await page.getByText('Nothing changed.').waitFor()
    // One that does not exist: the refusal of the command, and a way to try again.
    await page.goto(`${new URL(page.url()).origin}/diagnostics/learning/candidates/01a00000-0000-7000-8000-000000000000`)
    await page
      .getByRole('alert')
      .filter({ hasText: /^There is no policy candidate 01a00000/ })
      .getByRole('button', { name: 'Retry now' })
      .waitFor()
  },
  timeout,
)

test(
  'a finished run shows what it taught without moving anything, and learning can be turned off',
  async () => {
    const agent_id = await open('Builder')
    await ran(agent_id, 'Run: true')
    const { conversation_id } = await ran(agent_id, 'Run: node missing-1.js')
    const page = await desktop.page({ width: 1000, path: `/c/${conversation_id}` })
    const card = page.locator('article[data-card=RunStatus]').last()
    await card.waitFor()
    const line = page.getByText('What this run taught')
    await line.waitFor()
    const whole = () => page.getByRole('log').evaluate((element) => element.scrollHeight)
    const before = await settled(page, whole)
    await page.reload()
    await card.waitFor()
    await line.waitFor()
    expect(await settled(page, whole)).toBe(before)
    await line.click()
    const lesson = page.locator('[data-lesson]')
    await lesson.getByText('Root cause').waitFor()
    await lesson.getByText('first seen in this run').waitFor()
    expect(await seriousFindings(page)).toEqual([])

    // In the menu of the conversation.
    await page
      .getByRole('button', { name: /^More actions for Run: node/ })
      .first()
      .click()
    const ofConversation = page.getByRole('navigation', { name: 'Conversations' }).getByRole('switch', { name: 'Learn from runs' })
    await expect.poll(() => ofConversation.isChecked()).toBe(true)
    await ofConversation.click()
    await expect.poll(async () => (await call('learning_get_enabled', { kind: 'conversation', id: conversation_id })).enabled).toBe(false)
    await sendMessage(page, 'Run: node missing-2.js')
    await expect.poll(() => page.locator('article[data-card=RunStatus]').count()).toBe(2)
    await waitForRunState(page, 'Done')

    // On the page of the agent.
    await page.goto(`${new URL(page.url()).origin}/agents/${agent_id}`)
    const ofAgent = main(page).getByRole('switch', { name: 'Learn from runs' })
    await expect.poll(() => ofAgent.isChecked()).toBe(true)
    await ofAgent.click()
    await expect.poll(async () => (await call('learning_get_enabled', { kind: 'agent', id: agent_id })).enabled).toBe(false)
    await page.reload()
    await expect.poll(() => ofAgent.isChecked()).toBe(false)
    expect(await seriousFindings(page)).toEqual([])
    // Only the first run of the conversation was learned from.
    const { items } = await call('learning_list_evaluations', { agent_id })
    expect(items.filter((one) => one.conversation_id === conversation_id)).toHaveLength(1)
  },
  timeout,
)

test(
  'a change that only restricts is applied by itself, undone in the conversation, and the page survives a restart',
  async () => {
    const agent_id = await open('Writer')
    await setPolicy(agent_id, 'fs.write', { approval_mode: 'required' })
    let conversation_id = ''
    for (const name of ['a.md', 'b.md', 'c.md']) conversation_id = (await ran(agent_id, `Write: keys.env ; ${name}`)).conversation_id
    await expect
      .poll(async () => (await call('agent_run_list_policy_candidates', { agent_id })).items[0]?.state, learned)
      .toBe('canary_applied')

    const page = await desktop.page({ width: 360, path: '/diagnostics/learning/candidates' })
    await page.getByText('Only restricts', { exact: true }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await page.getByRole('button', { name: /^Keep: .*keys\.env/ }).waitFor()
    await desktop.restart()
    // While it is not connected, what was read stays; then it works again.
    await page.getByText('This window is no longer authorized.').waitFor()
    await page.getByRole('button', { name: /^Keep: .*keys\.env/ }).waitFor()
    await page.evaluate(`location.hash = '${new URL(desktop.window.windowUrl()).hash}'`)
    await page.getByText('This window is no longer authorized.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Test and apply now' }).click()
    await page.getByText('Nothing changed.').waitFor()

    await page.goto(`${new URL(page.url()).origin}/c/${conversation_id}`)
    const line = page.getByRole('article', { name: 'Policy change' })
    await line.getByText(/^On trial for this agent: .*keys\.env/).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await line.getByRole('button', { name: /^Undo: / }).click()
    await line.getByText(/^Undone: .*keys\.env.* Reason: You rolled it back\.$/).waitFor()
    expect((await call('agent_run_list_policy_candidates', { agent_id })).items[0]?.state).toBe('rolled_back')
  },
  timeout,
)

test(
  'Keep makes a change part of the policy, so that a run that fails later no longer undoes it',
  async () => {
    const agent_id = await open('Keeper', 4)
    await setPolicy(agent_id, 'fs.write', { approval_mode: 'required' })
    for (const name of ['a.md', 'b.md', 'c.md']) await ran(agent_id, `Write: keys.env ; ${name}`)
    const candidate = async () => (await call('agent_run_list_policy_candidates', { agent_id })).items[0]
    await expect.poll(async () => (await candidate())?.state, learned).toBe('canary_applied')

    const page = await desktop.page({ width: 1000, path: '/diagnostics/learning/candidates' })
    await page.getByRole('button', { name: /^Keep: .*keys\.env/ }).click()
    await page
      .getByText(/^Kept\b/)
      .first()
      .waitFor()
    expect(await page.getByRole('button', { name: /^Keep: / }).count()).toBe(0)
    expect(await candidate()).toMatchObject({ state: 'canary_applied', adopted_at: expect.any(String) })

    const { run_id } = await ran(agent_id, 'Run: true ; true ; true ; true ; true')
    expect((await call('agent_run_get', { run_id })).run.state).toBe('failed')
    expect(await candidate()).toMatchObject({ state: 'canary_applied', adopted_at: expect.any(String) })
    await page.reload()
    await page
      .getByText(/^Kept\b/)
      .first()
      .waitFor()
    expect(await seriousFindings(page)).toEqual([])

    // Colors that the system forces replace those of borders and backgrounds: an outline marks the current part.
    await page.emulateMedia({ forcedColors: 'active' })
    const outlines = await page.evaluate<[string | null, string][]>(
      `[...document.querySelectorAll('nav[aria-label="Parts of learning"] a')].map((link) =>
        [link.getAttribute('aria-current'), getComputedStyle(link).outlineStyle])`,
    )
    expect(outlines.map(([isCurrent, outline]) => (isCurrent === 'page') === (outline === 'solid'))).toEqual(Array(5).fill(true))
    expect(outlines.filter(([isCurrent]) => isCurrent === 'page')).toHaveLength(1)
  },
  timeout,
)

const opinion = 'The command could not find what it was looking for.'
const dimensions = ['goal_completion', 'tool_reliability', 'efficiency', 'safety', 'user_satisfaction']

/** As `script`, and with an opinion about each run that has ended. */
const withOpinion: Script = (no, request) => {
  const system = String(request.messages[0]?.content)
  if (system.startsWith('You read a conversation')) return { text: '{"items":[]}' }
  if (!system.startsWith('An agent has finished a run')) return script(no, request)
  const scores = dimensions.map((dimension) => ({ dimension, score: 0.5, reason: opinion, calls: [] }))
  return { text: JSON.stringify({ scores, root_cause: opinion }) }
}

test(
  'what a model thinks of a run is shown as its opinion, and a pattern that was not seen for long moves away until it is seen again',
  async () => {
    const agent_id = await open('Observer', 20, withOpinion, { TANDEM_MEMORY_MODEL: 'on' })
    const { run_id, conversation_id } = await ran(agent_id, 'Run: cat missing.txt')
    await expect.poll(async () => (await call('learning_of_run', { run_id })).second_opinion, learned).not.toBeNull()

    const page = await desktop.page({ path: `/c/${conversation_id}` })
    await page.getByText('What this run taught').click()
    const lesson = page.locator(`[data-lesson="${run_id}"]`)
    await lesson.getByText('Second opinion of the model', { exact: true }).waitFor()
    await lesson.getByText(opinion).first().waitFor()
    expect(await seriousFindings(page)).toEqual([])

    await page.goto(`${new URL(page.url()).origin}/diagnostics/learning/patterns`)
    await main(page).getByText('A file or folder does not exist.').first().waitFor()
    const aged = main(page).getByRole('heading', { name: 'Not seen lately' })
    expect(await aged.count()).toBe(0)
    const database = new DatabaseSync(join(desktop.folder, 'home', 'tandem.db'))
    database.exec("UPDATE runtime_failure_patterns SET last_seen_at = '2020-01-01T00:00:00.000Z'")
    database.close()
    await page.reload()
    await aged.waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await ran(agent_id, 'Run: cat missing.txt')
    await aged.waitFor({ state: 'detached' })
    expect((await call('agent_run_list_failure_patterns', { agent_id })).items).toMatchObject([{ aged: false, runs: 2 }])
  },
  timeout,
)
