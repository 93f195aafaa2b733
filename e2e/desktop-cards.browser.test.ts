import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cardKinds, toolCallCardStates } from '../packages/contract/src/card/index.ts'
import { toolOutcomes } from '../packages/contract/src/run/index.ts'
import { endedCommand, mcpSamples, outputSamples } from '../packages/contract/test/support/output-samples.ts'
import { shownTexts } from '../packages/desktop/test/support/result/test-shown-texts.ts'
import type { NewStep } from '../packages/runtime/src/journal/step.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { writeLongThread } from './long-thread.ts'
import { type Desktop, sendMessage, wheelUp } from './test-desktop.ts'

const openDesktop = useTestDesktop()
let desktop: Desktop

/** A run that waits for its model; tests write anything into its journal. */
async function openRun(options: Parameters<Desktop['page']>[0] = {}): Promise<{ page: Page; append(step: NewStep): void }> {
  desktop = await openDesktop([{ text: 'Wait', hold: new Promise<void>(() => undefined) }])
  const page = await desktop.page(options)
  await sendMessage(page, 'Begin.')
  await page.locator('[data-standing=coming]').waitFor()
  const [run] = desktop.runtime.journal.runs({ limit: 1 })
  if (!run) throw new Error('no run was started')
  return { page, append: (step) => void desktop.runtime.journal.append(run.run_id, step) }
}

const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
const failure = {
  taxonomy: 'sandbox_failure',
  stage: 'tool_execution',
  source: 'shell.exec',
  reason_code: 'write_outside',
  recoverability: 'user_action',
  details: { message: 'writing /etc/passwd was refused', subject: '/etc/passwd', remedy: 'Write inside the workspace.' },
} as const
const prompt = (number: number) => ({
  approval_id: id(number),
  call_id: `c-awaiting_approval`,
  tool: 'shell.exec',
  arguments: '{"command":"rm -rf build"}',
  working_directory: '/srv',
  fingerprint: 'a'.repeat(64),
  touches: ['run rm'],
  protected: [],
  unprotected: ['/srv/build'],
  remembers: [],
  warnings: [],
  choices: ['once' as const, 'no' as const],
})

test('every kind of card, and a call in every state', async () => {
  const { page, append } = await openRun({ width: 1200, height: 900 })
  append({ kind: 'thinking', thinking_id: 'th', text: 'Considering.', complete: true })
  for (const state of toolCallCardStates) {
    const call_id = `c-${state}`
    append({ kind: 'tool.call', call_id, tool: 'shell.exec', arguments: '{"command":"rm -rf build"}' })
    if (state === 'awaiting_approval') append({ kind: 'approval.requested', approval: prompt(1) })
    if (state === 'approved')
      append({ kind: 'approval.answered', approval_id: id(2), call_id, answer: 'once', reason: null, edited_arguments: null })
    if (state === 'running') append({ kind: 'tool.started', call_id })
    if ((toolOutcomes as readonly string[]).includes(state)) {
      const failure_contract = state === 'failed' ? failure : null
      append({
        kind: 'tool.result',
        call_id,
        outcome: state as 'failed',
        output: { ...endedCommand, exit_code: state === 'succeeded' ? 0 : 1, output: `said ${state}` },
        truncated: false,
        failure_contract,
      })
    }
  }
  append({ kind: 'context.compacted', tokens_before: 90_000, tokens_after: 12_000, summary: 'So far: **this**.' })
  append({ kind: 'workflow.status', workflow_run_id: id(3), name: 'Nightly', state: 'running', nodes_done: 1, nodes_total: 4 })
  append({
    kind: 'mcp.status',
    server_id: 'files',
    name: 'Files',
    state: 'degraded',
    message: 'two pings missed',
    heartbeat_at: '2026-01-01T00:00:00.000Z',
  })
  append({ kind: 'error', failure_contract: failure })
  append({ kind: 'todos.changed', todos: [{ id: 't', title: 'Look', state: 'in_progress', state_ts: '2026-01-01T00:00:00.000Z' }] })
  append({
    kind: 'question.asked',
    question: { question_id: id(4), call_id: 'q', question: 'Which?', options: [], multiple: false, allows_text: true },
  })
  await page.locator('article[data-card=QuestionCard]').waitFor()
  const seen = new Map<string, string>()
  const modes = new Set<string>()
  for await (const { kind, text, mode } of cardsIn(page)) {
    seen.set(kind, `${seen.get(kind) ?? ''}\n${text}`)
    modes.add(mode)
  }
  expect([...seen.keys()].sort()).toEqual([...cardKinds].sort())
  expect([...modes]).toEqual(['auto_open'])
  for (const word of [
    'Queued',
    'Needs approval',
    'Approved',
    'Running',
    'Done',
    'Failed',
    'Denied',
    'Timed out',
    'Canceled',
    'Interrupted',
  ])
    expect(seen.get('ToolCall')).toContain(word)
  expect(seen.get('ToolResult')).toContain('Blocked by the sandbox. Writing /etc/passwd was refused.')
  expect(seen.get('ToolResult')).toContain('Write inside the workspace.')
  expect(seen.get('ContextCompact')).toContain('90,000 → 12,000 tokens')
  expect(seen.get('Workflow')).toContain('1 of 4 nodes')
  expect(seen.get('McpStatus')).toContain('Two pings missed.')
  expect(seen.get('TodoCard')).toContain('In progress')
})

test('the result of every tool is rendered, under the content security policy, and has its line when it is closed', async () => {
  const { page, append } = await openRun({ width: 1200, height: 900 })
  const results = [
    ...Object.entries(outputSamples).flatMap(([tool, samples]) => samples.slice(0, 1).map(({ output }) => ({ tool, output }))),
    { tool: 'mcp.weather.today', output: mcpSamples[0]?.output },
    { tool: 'plugin.do', output: { any: 'thing' } },
  ]
  for (const [index, { tool, output: sample }] of results.entries()) {
    // This runtime does not have the image of the sample.
    const output = tool === 'browser.screenshot' ? { ...sample, file_id: undefined } : sample
    const call_id = `r${index}`
    append({ kind: 'tool.call', call_id, tool, arguments: '{}' })
    append({ kind: 'tool.result', call_id, outcome: 'succeeded', output, truncated: false, failure_contract: null })
  }
  await page.locator('article[data-card=ToolCall][data-outcome]').filter({ hasText: 'plugin.do' }).waitFor()
  const texts = new Set<string>()
  for await (const { kind, text } of cardsIn(page)) if (kind === 'ToolCall') texts.add(text)
  // An answer of the user is in the card of its question.
  const { ask_user: _answer, ...shown } = shownTexts
  const parts = { ...shown, 'mcp.weather.today': [['It is cloudy.', 'Structured content']], 'plugin.do': [['any: “thing”']] }
  const missing = Object.entries(parts).filter(
    ([tool, [first = []]]) => ![...texts].some((text) => text.includes(tool) && first.every((part) => text.includes(part))),
  )
  expect(missing).toEqual([])
  // High enough to render it among the open cards before it.
  await page.setViewportSize({ width: 1200, height: 2_400 })
  await page.evaluate(scrollTo(0))
  const edit = page.locator('article[data-card=ToolCall]').filter({ hasText: 'fs.edit' })
  await edit.locator('button.card-line').click()
  await edit.getByText('Edited greeting.js +1 −1').waitFor()
  expect(desktop.consoleErrors).toEqual([])
})

test('hostile content shows as text and runs nothing', async () => {
  const evil =
    '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script><svg onload="document.title=\'owned\'">'
  desktop = await openDesktop([
    {
      text: `${evil}\n\n[click](javascript:document.title='owned') ![p](https://evil.example/p.png) <iframe src="https://evil.example"></iframe>`,
      calls: [{ name: 'fs.list', arguments: { path: '.' } }],
    },
    { calls: [{ name: 'fs.write', arguments: { path: 'invoice\u202efdp.sh', content: `${evil}\u001b]0;owned\u0007` } }] },
    { text: 'Done.' },
  ])
  const { writeFileSync } = await import('node:fs')
  const { join } = await import('node:path')
  writeFileSync(join(desktop.workspace, '<img src=x onerror=alert(1)>'), '')
  writeFileSync(join(desktop.workspace, 'a\u202egnp.exe'), '')
  const page = await desktop.page({ height: 2_400 })
  await sendMessage(page, `Hello ${evil}`)
  const approval = page.getByRole('alertdialog')
  await approval.waitFor()
  expect(await approval.innerText()).toContain('invoice⟨U+202E⟩fdp.sh')
  expect(await approval.innerText()).toContain('<script>document.title="owned"</script>')
  // The thread is loaded separately.
  const thread = () => page.getByRole('log').innerText()
  await expect.poll(thread).toContain("click (javascript:document.title='owned')")
  await expect.poll(thread).toContain('p (https://evil.example/p.png)')
  await expect.poll(thread).toContain('<img src=x onerror=alert(1)>')
  await expect.poll(thread).toContain('a⟨U+202E⟩gnp.exe')
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.locator('[data-role=assistant]').filter({ hasText: 'Done.' }).waitFor()
  expect(await page.locator('main :is(img, iframe, script, object, embed), main a[href^="javascript:"]').count()).toBe(0)
  expect(await page.title()).not.toBe('owned')
})

test('terminal colors are rendered, and sequences that move the cursor or set titles are removed', async () => {
  const { page, append } = await openRun()
  append({ kind: 'tool.call', call_id: 'c', tool: 'shell.exec', arguments: '{"command":"ls"}' })
  const output = '\u001b[31mred\u001b[0m plain \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007\u001b[2J'
  append({
    kind: 'tool.result',
    call_id: 'c',
    outcome: 'succeeded',
    output: { ...endedCommand, output },
    truncated: false,
    failure_contract: null,
  })
  const box = page.locator('[data-card=ToolResult] pre')
  await box.waitFor()
  expect(await box.innerText()).toBe('red plain link')
  expect(await box.locator('span').first().innerText()).toBe('red')
})

test('a thread of 10,000 parts opens, renders few of them, and scrolls to both ends', async () => {
  let conversation_id = ''
  desktop = await openDesktop([], (home, workspace) => {
    conversation_id = writeLongThread(home, workspace, 5_000)
  })
  const page = await desktop.page({ path: `/c/${conversation_id}` })
  await page.locator('article[data-card=RunStatus]').waitFor()
  expect(await page.locator('[data-card=ToolCall]').last().innerText()).toContain('file-4999.md')
  expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(5_000)
  await page.evaluate(scrollTo(0))
  await page.locator('[data-card=ToolCall]').filter({ hasText: 'file-0.md' }).waitFor()
  await page.getByRole('button', { name: 'Jump to latest' }).click()
  await page.locator('[data-card=ToolCall]').filter({ hasText: 'file-4999.md' }).waitFor()
})

test('new parts do not scroll a reader further up, and the pill jumps to the end', async () => {
  const { page, append } = await openRun({ height: 500 })
  for (let number = 0; number < 30; number += 1)
    append({ kind: 'thinking', thinking_id: `t${number}`, text: `Thought ${number}`, complete: true })
  await page.getByText('Thought 29').first().waitFor()
  await wheelUp(page, 700)
  const place = () => page.getByRole('log').evaluate((element) => element.scrollTop)
  const before = await place()
  append({ kind: 'thinking', thinking_id: 'late', text: 'A late thought', complete: true })
  await page.getByRole('button', { name: 'New messages' }).waitFor()
  expect(await place()).toBe(before)
  await page.getByRole('button', { name: 'New messages' }).click()
  await page.getByText('A late thought').first().waitFor()
})

test('a reader who drags the scroll bar up stays there, also if rows turn out lower in the same moment', async () => {
  const { page, append } = await openRun({ height: 500 })
  for (let number = 0; number < 30; number += 1)
    append({ kind: 'thinking', thinking_id: `t${number}`, text: `Thought ${number}`, complete: true })
  await page.getByText('Thought 29').first().waitFor()
  await expect.poll(() => page.evaluate(leftBelow)).toBeLessThan(2)
  await page.evaluate(`(async () => {
    const thread = document.querySelector('[role=log]')
    const row = thread.querySelector('[data-part]')
    Object.assign(row.style, { overflow: 'hidden', height: row.offsetHeight - 10 + 'px' })
    thread.scrollTop -= 300
    for (let count = 0; count < 10; count += 1) await new Promise(requestAnimationFrame)
  })()`)
  expect(await page.evaluate(leftBelow)).toBeGreaterThan(200)
})

const leftBelow = `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('[role=log]'))`

/** Whether rows fill the view from top to bottom, except for the space around them. */
const isDrawn = `{
  const { top, bottom } = document.querySelector('[role=log]').getBoundingClientRect()
  const rows = [...document.querySelectorAll('[data-part]')].map((row) => row.getBoundingClientRect())
  Math.min(...rows.map((row) => row.top)) <= top + 40 && Math.max(...rows.map((row) => row.bottom)) >= bottom - 40
}`

/** As a reader would: first the wheel, then the position. */
function scrollTo(top: number): string {
  return `{
    const thread = document.querySelector('[role=log]')
    thread.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }))
    thread.scrollTop = ${top}
  }`
}

/** The cards of a thread from its start; cards that are rendered again are repeated. */
async function* cardsIn(page: Page): AsyncGenerator<{ readonly kind: string; readonly text: string; readonly mode: string }> {
  const scroller = page.getByRole('log')
  for (let top = 0; ; top += 500) {
    await page.evaluate(scrollTo(top))
    await expect.poll(() => page.evaluate(isDrawn)).toBe(true)
    yield* await page.locator('[data-card]').evaluateAll((all) =>
      all.map((one) => ({
        kind: one.getAttribute('data-card') ?? '',
        text: one.textContent ?? '',
        mode: one.closest('article')?.getAttribute('data-mode') ?? '',
      })),
    )
    if (top > (await scroller.evaluate((element) => element.scrollHeight))) break
  }
}
