// The rules of cards in a real browser, with runs written into the journal: every state, which cards stay open, and no layout shifts.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cardKinds } from '../packages/contract/src/card/index.ts'
import type { FailureContract } from '../packages/contract/src/failure/index.ts'
import { mcpServerStates } from '../packages/contract/src/mcp/state.ts'
import { isTerminalRunState, type RunState, runStates } from '../packages/contract/src/run/index.ts'
import { workflowRunStates } from '../packages/contract/src/workflow-run/index.ts'
import { chatWords } from '../packages/desktop/src/strings/chat.ts'
import type { NewStep } from '../packages/runtime/src/journal/step.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { type Desktop, settled, wheelUp } from './test-desktop.ts'

const patient = { timeout: 30_000 }

const openDesktop = useTestDesktop()
let desktop: Desktop

/** A conversation whose runs are not executed: the test writes their steps, including their end. */
function openTalk() {
  const { journal } = desktop.runtime
  const { conversation_id, no } = journal.conversations.create({ agent_id: 'agent', title: 'Talk', workspace: desktop.workspace })
  return {
    path: `/c/${conversation_id}`,
    run() {
      const ids = { conversation: no, agent_id: 'agent', message_id: null }
      const run = journal.start({ ...ids, title: 'Rules', model: 'scripted', sandbox_mode: 'workspace' })
      return {
        run_id: run.run_id,
        append: (step: NewStep) => void journal.append(run.run_id, step),
        say(text: string, role: 'assistant' | 'system') {
          const message_id = journal.messages.write({ conversation: no, run: run.no, role, author: 'agent', text })
          journal.append(run.run_id, { kind: 'message.completed', message_id })
        },
      }
    },
  }
}

const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: true }
const completed: NewStep = { kind: 'run.completed', usage }
const refused: FailureContract = {
  taxonomy: 'none',
  stage: 'model_call',
  source: 'model',
  reason_code: 'unauthorized',
  recoverability: 'user_action',
  details: { message: 'the key was refused', subject: 'scripted', remedy: 'Set another key.' },
}
const endings: Record<RunState, NewStep | null> = {
  running: null,
  paused: { kind: 'run.paused', reason: 'user' },
  completed,
  failed: { kind: 'run.failed', usage, failure_contract: refused },
  canceled: { kind: 'run.canceled', usage, reason: null },
}
const thought = (thinking_id: string, text: string, complete = true): NewStep => ({ kind: 'thinking', thinking_id, text, complete })
const part = (page: Page, id: string) => page.locator(`[data-part="${id}"] > article`)
const modes = (page: Page) =>
  page
    .locator('[data-part] > article')
    .evaluateAll((all) =>
      Object.fromEntries(
        all.map((one) => [one.parentElement?.getAttribute('data-part')?.replace(/^run:.*/, 'run'), one.getAttribute('data-mode')]),
      ),
    )

test('every kind of card for runs in every state; servers, workflows, thoughts and questions in all their own states', async () => {
  desktop = await openDesktop([])
  const talk = openTalk()
  const runs = new Map<string, RunState>()
  let ids = 0
  const id = () => `01900000-0000-7000-8000-${String(++ids).padStart(12, '0')}`
  for (const state of runStates) {
    const run = talk.run()
    runs.set(run.run_id, state)
    run.append(thought(`half-${state}`, 'Half a', false))
    run.append(thought(`whole-${state}`, 'A whole thought.'))
    for (const server of mcpServerStates) {
      const heartbeat_at = server === 'connected' ? '2026-01-01T12:34:00.000Z' : null
      run.append({ kind: 'mcp.status', server_id: server, name: `Server ${server}`, state: server, message: null, heartbeat_at })
    }
    for (const of of workflowRunStates)
      run.append({ kind: 'workflow.status', workflow_run_id: id(), name: `Flow ${of}`, state: of, nodes_done: 1, nodes_total: 4 })
    for (const answer of [null, { chosen: ['a'], text: null }]) {
      const question_id = id()
      const question = { question_id, call_id: `q${ids}`, question: 'Which?', options: [], multiple: false, allows_text: true }
      run.append({ kind: 'question.asked', question })
      if (answer) run.append({ kind: 'question.answered', question_id, answer })
    }
    run.append({ kind: 'tool.call', call_id: `call-${state}`, tool: 'fs.read', arguments: '{"path":"notes.md"}' })
    const succeeded = { outcome: 'succeeded', output: 'Read.', truncated: false, failure_contract: null } as const
    run.append({ kind: 'tool.result', call_id: `call-${state}`, ...succeeded })
    run.append({ kind: 'context.compacted', tokens_before: 90_000, tokens_after: 12_000, summary: 'So far.' })
    run.append({ kind: 'error', failure_contract: refused })
    run.append({ kind: 'todos.changed', todos: [{ id: 't', title: 'Look', state: 'in_progress', state_ts: '2026-01-01T00:00:00.000Z' }] })
    run.say(`The system speaks of ${state}.`, 'system')
    const ending = endings[state]
    if (ending) run.append(ending)
  }
  const page = await desktop.page({ path: talk.path, width: 1200, height: 18_000 })
  // Two thoughts and two questions; one of each other kind. A result is rendered in the card of its call.
  const kinds = cardKinds.filter((kind) => kind !== 'ToolResult')
  const once = kinds.length - 'Thinking QuestionCard McpStatus Workflow'.split(' ').length
  const most = (state: RunState) => 2 + 2 + mcpServerStates.length + workflowRunStates.length + once + (state === 'failed' ? 1 : 0)
  const all = runStates.reduce((sum, state) => sum + most(state), 0)
  await expect.poll(() => page.locator('[data-part] > article').count(), patient).toBe(all)
  const cards = await page.locator('[data-part] > article').evaluateAll((all) =>
    all.map((one) => ({
      kind: one.getAttribute('data-card') ?? '',
      mode: one.getAttribute('data-mode') ?? '',
      badge: one.querySelector(':scope > .card-end > :last-child, :scope > .card-end:not(:has(*))')?.textContent ?? '',
      text: one.textContent ?? '',
      id: one.parentElement?.getAttribute('data-part') ?? '',
    })),
  )
  const badges = (kind: string) => cards.filter((card) => card.kind === kind).map(({ badge }) => badge)
  // Runs are in the order of creation, each with its own card at its end.
  const ends = cards.flatMap(({ kind }, index) => (kind === 'RunStatus' ? [index] : []))
  for (const [index, state] of runStates.entries()) {
    const own = cards.slice((ends[index - 1] ?? -1) + 1, (ends[index] ?? 0) + 1)
    expect([state, own.length, new Set(own.map(({ mode }) => mode)), new Set(own.map(({ kind }) => kind))]).toEqual([
      state,
      most(state),
      new Set([isTerminalRunState(state) ? 'auto_closed' : 'auto_open']),
      new Set<string>(kinds),
    ])
    expect(runs.get(own.at(-1)?.id.slice('run:'.length) ?? '')).toBe(state)
  }
  const { run: runWords, thinking, thought: thoughtWord, answered, open, heartbeat, noHeartbeat } = chatWords.cards
  expect(badges('RunStatus')).toEqual(runStates.map((state) => runWords[state]))
  expect(badges('Thinking')).toEqual(runStates.flatMap(() => [thinking, thoughtWord]))
  expect(badges('QuestionCard')).toEqual(runStates.flatMap(() => [open, answered]))
  expect(badges('Error')).toEqual([...runStates, 'the end of the one that failed'].map(() => chatWords.cards.call.failed))
  for (const [kind, states] of [['McpStatus', mcpServerStates] as const, ['Workflow', workflowRunStates] as const]) {
    const first = badges(kind).slice(0, states.length)
    expect(new Set(first.filter(Boolean)).size).toBe(states.length)
    expect(badges(kind)).toEqual(runStates.flatMap(() => first))
  }
  const beats = cards.filter(({ kind, mode }) => kind === 'McpStatus' && mode === 'auto_open').slice(0, mcpServerStates.length)
  expect(beats.map(({ text }) => [text.includes(heartbeat('')), text.includes(noHeartbeat)])).toEqual(
    mcpServerStates.map((state) => [state === 'connected', state !== 'connected']),
  )
  expect(await page.locator('[data-role=system]').allTextContents()).toEqual(
    runStates.map((state) => `System: The system speaks of ${state}.`),
  )
})

test('at the end of a run a card stays open under the pointer, the focus or a selection, and as the user left it', async () => {
  desktop = await openDesktop([])
  const talk = openTalk()
  const run = talk.run()
  for (const name of ['pointer', 'focus', 'selection', 'closed', 'opened', 'pinned', 'plain']) run.append(thought(name, `About ${name}.`))
  const page = await desktop.page({ path: talk.path, height: 1_400 })
  const card = (name: string) => part(page, `thinking:${name}`)
  await card('plain').waitFor()
  await page.clock.install()
  await card('closed').getByRole('button').first().click()
  for (const _ of 'ab') await card('opened').getByRole('button').first().click()
  await card('pinned').hover()
  await card('pinned').getByRole('button', { name: 'Pin' }).click()
  await card('pointer').getByRole('button').last().focus()
  await page.keyboard.press('Tab')
  expect(
    await card('focus')
      .getByRole('button')
      .first()
      .evaluate((element) => element.matches(':focus-visible')),
  ).toBe(true)
  await card('selection')
    .getByText('About selection.')
    .last()
    .evaluate((element) => element.ownerDocument.getSelection()?.selectAllChildren(element))
  await card('pointer').hover()
  await page.clock.pauseAt(Date.now() + 600_000)
  const step = async (ms: number) => {
    await page.clock.runFor(ms)
    return await modes(page)
  }
  run.append(completed)
  const done = part(page, `run:${run.run_id}`).getByText(chatWords.cards.run.completed, { exact: true })
  await expect.poll(async () => (await step(10)) && (await done.count())).toBe(1)
  const held = {
    'thinking:pointer': 'auto_open',
    'thinking:focus': 'auto_open',
    'thinking:selection': 'auto_open',
    'thinking:closed': 'user_closed',
    'thinking:opened': 'user_open',
    'thinking:pinned': 'pinned',
    'thinking:plain': 'auto_closed',
    run: 'auto_closed',
  }
  expect(await step(10_000)).toEqual(held)
  let now: Record<string, string> = held
  for (const [name, letGo] of [
    ['selection', () => page.evaluate('getSelection().removeAllRanges()')],
    ['focus', () => page.evaluate('document.activeElement.blur()')],
    ['pointer', () => page.mouse.move(0, 0)],
  ] as const) {
    await letGo()
    // After a release, the whole delay starts again.
    await card(name)
      .locator('.countdown')
      .waitFor({ state: 'attached', ...patient })
    expect(await step(760)).toEqual(now)
    now = { ...now, [`thinking:${name}`]: 'auto_closed' }
    expect(await step(60)).toEqual(now)
  }
})

test('cards that close above a reader do not move the visible text', async () => {
  desktop = await openDesktop([])
  const talk = openTalk()
  const run = talk.run()
  const lines = (name: string) => Array.from({ length: 8 }, (_, index) => `${name}, line ${index}.`).join('\n\n')
  for (let number = 0; number < 6; number += 1) run.append(thought(`t${number}`, lines(`Thought ${number}`)))
  run.say(Array.from({ length: 60 }, (_, index) => `Paragraph ${index}.`).join('\n\n'), 'assistant')
  const page = await desktop.page({ path: talk.path, height: 700 })
  const read = page.getByText('Paragraph 5.', { exact: true })
  const log = page.getByRole('log')
  await wheelUp(page, 100)
  await read.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  await page.mouse.move(0, 0)
  const place = async () => Math.round((await read.boundingBox())?.y ?? -1)
  const height = () => log.evaluate((element) => element.scrollHeight)
  const before = await settled(page, place)
  const whole = await height()
  run.append(completed)
  await expect.poll(height, patient).toBeLessThan(whole - 500)
  await expect.poll(() => page.locator('article[data-mode=auto_open]').count(), patient).toBe(0)
  expect(Math.abs((await settled(page, place)) - before)).toBeLessThanOrEqual(1)
})
