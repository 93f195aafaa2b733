import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useTestDesktop } from './desktop-fixture.ts'
import {
  approval,
  type Desktop,
  openCard,
  recordedAnswer,
  sendMessage,
  streamingAnswer,
  waitForRunState,
  writeCall,
} from './test-desktop.ts'

const openDesktop = useTestDesktop()
let desktop: Desktop

const open = async (...given: Parameters<typeof openDesktop>) => {
  desktop = await openDesktop(...given)
  return desktop
}
const file = (name: string) => readFileSync(join(desktop.workspace, name), 'utf8')
const write = (content: string) => writeCall('notes.md', content)
const card = (page: Page, kind: string) => page.locator(`article[data-card=${kind}]`)

test('a new user sends a message, watches, approves a change and sees it done', async () => {
  await open([
    { thinking: 'I look first.', text: 'I look around.', calls: [{ name: 'fs.list', arguments: { path: '.' } }] },
    { text: 'I change it.', calls: [write('# Notes\n\nBuy oat milk.\n')] },
    { text: 'It says **oat milk** now.' },
  ])
  // High enough to render all of it next to an approval.
  const page = await desktop.page({ height: 1_800 })
  await page.getByRole('heading', { name: 'What can I help with?' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await sendMessage(page, 'Put oat milk on the list.')
  await approval(page).getByRole('heading', { name: 'Overwrite notes.md?' }).waitFor()
  expect(await approval(page).getByRole('region', { name: 'Changes in notes.md' }).innerText()).toContain('Buy oat milk.')
  // The arguments are available on request.
  const all = approval(page).getByRole('region', { name: 'Arguments' })
  expect(await all.isVisible()).toBe(false)
  await approval(page).getByText('Details').click()
  expect(await all.innerText()).toContain('Buy oat milk.')
  expect(file('notes.md')).toContain('Buy milk.')
  await expect.poll(() => card(page, 'ToolCall').first().innerText()).toContain('notes.md')
  await page.getByRole('button', { name: 'Allow once' }).click()
  await recordedAnswer(page, 'It says oat milk now.').waitFor()
  await waitForRunState(page, 'Done')
  expect(file('notes.md')).toBe('# Notes\n\nBuy oat milk.\n')
  await openCard(card(page, 'ToolCall').last())
  await card(page, 'ToolCall').last().getByText('+Buy oat milk.').waitFor()
  await expect
    .poll(() => page.locator('[data-role]').evaluateAll((all) => all.map((one) => one.getAttribute('data-role'))))
    .toEqual(['user', 'assistant', 'assistant', 'assistant'])
})

test('the edited arguments of an approval are what runs', async () => {
  await open([{ calls: [write('wrong')] }, { text: 'Done.' }])
  const page = await desktop.page()
  await sendMessage(page, 'Write.')
  await approval(page).getByRole('button', { name: 'Edit' }).click()
  const box = page.getByLabel('Edit the arguments before you allow the call')
  await box.fill('{"path": "notes.md"')
  await page.getByText('This is not valid JSON.').waitFor()
  expect(await page.getByRole('button', { name: 'Allow once' }).isDisabled()).toBe(true)
  await box.fill('{"path": "notes.md", "content": "right"}')
  await page.getByRole('button', { name: 'Allow once' }).click()
  await recordedAnswer(page, 'Done.').waitFor()
  expect(file('notes.md')).toBe('right')
})

test('a denial with a reason reaches the model, by keyboard alone, and the shortcuts do nothing while typing', async () => {
  await open([{ calls: [write('x')] }, { text: 'I leave it.' }])
  const page = await desktop.page()
  await sendMessage(page, 'Write.')
  await approval(page).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).pressSequentially('any yes')
  expect(await approval(page).count()).toBe(1)
  await page.getByRole('textbox', { name: 'Message' }).fill('')
  await approval(page).focus()
  await page.keyboard.press('n')
  await page.keyboard.type('not on a Sunday')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await recordedAnswer(page, 'I leave it.').waitFor()
  expect(await page.evaluate('document.activeElement.id')).toBe('composer')
  expect(file('notes.md')).toContain('Buy milk.')
  expect(JSON.stringify(desktop.model.requests.at(-1)?.messages)).toContain('not on a Sunday')
})

test('"always" is remembered: the same call is not asked again', async () => {
  await open([{ calls: [write('one')] }, { calls: [write('two')] }, { text: 'Both.' }])
  const page = await desktop.page()
  await sendMessage(page, 'Write twice.')
  await approval(page).waitFor()
  await approval(page).focus()
  await page.keyboard.press('a')
  await recordedAnswer(page, 'Both.').waitFor()
  expect(file('notes.md')).toBe('two')
})

test('a question is answered, and the run continues with the answer', async () => {
  const options = [
    { value: 'red', label: 'Red' },
    { value: 'blue', label: 'Blue', hint: 'like the sea' },
  ]
  await open([{ calls: [{ name: 'ask_user', arguments: { question: 'Which colour?', options } }] }, { text: 'Blue it is.' }])
  const page = await desktop.page()
  await sendMessage(page, 'Paint.')
  const dock = page.getByRole('region', { name: 'The agent has a question' })
  await dock.getByText('Which colour?').waitFor()
  expect(await dock.getByRole('button', { name: 'Answer' }).isDisabled()).toBe(true)
  await dock.getByLabel('Blue').check()
  await dock.getByRole('button', { name: 'Answer' }).click()
  await recordedAnswer(page, 'Blue it is.').waitFor()
  expect(await page.evaluate('document.activeElement.id')).toBe('composer')
  await card(page, 'QuestionCard').getByText('Answered', { exact: true }).waitFor()
  expect(JSON.stringify(desktop.model.requests.at(-1)?.messages)).toContain('blue')
})

test('a reload in the middle of an answer loses nothing and duplicates nothing', async () => {
  const long = Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(' ')
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  await open([{ text: long, hold }])
  // Only rows near the view are rendered: the answer alone is about 9,000 pixels high.
  const page = await desktop.page({ height: 14_000 })
  await sendMessage(page, 'Tell.')
  await streamingAnswer(page, 'word2990').waitFor()
  await page.reload()
  await streamingAnswer(page, 'word100').waitFor()
  expect(await page.locator('[data-role=assistant]').count()).toBe(1)
  release()
  await waitForRunState(page, 'Done')
  await expect.poll(() => page.locator('[data-role=assistant]').allInnerTexts()).toEqual([expect.stringContaining(long)])
  expect(await page.locator('[data-role=user]').count()).toBe(1)
})

test('after a restart of the runtime the approval is still pending, and the change happens once', async () => {
  await open([{ text: 'I write.', calls: [write('after')] }, { text: 'Written.' }])
  const page = await desktop.page({ height: 1_800 })
  await sendMessage(page, 'Write.')
  await approval(page).waitFor()
  // The two are loaded separately.
  await recordedAnswer(page, 'I write.').waitFor()
  await desktop.restart()
  await page.getByText('This window is no longer authorized. Run “tandem start”, or open Tandem from the start menu').waitFor()
  expect(await recordedAnswer(page, 'I write.').count()).toBe(1)
  await page.evaluate(`location.hash = '${new URL(desktop.window.windowUrl()).hash}'`)
  await page.getByText('This window is no longer authorized.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Allow once' }).click()
  await recordedAnswer(page, 'Written.').waitFor()
  expect(file('notes.md')).toBe('after')
  const texts = () => page.locator('[data-role]').evaluateAll((all) => all.map((one) => one.textContent?.replace(/\d\d:\d\d/, '')))
  await expect.poll(texts).toEqual(['You: Write.', 'Agent: I write.', 'Agent: Written.'])
  expect(await card(page, 'ToolCall').count()).toBe(1)
})

test('while the runtime is not running the window says so, keeps what is typed, and sends nothing twice', async () => {
  await open([{ text: 'One.' }, { text: 'Two.' }])
  const page = await desktop.page()
  await sendMessage(page, 'First.')
  await recordedAnswer(page, 'One.').waitFor()
  // During a run nothing is sent, with or without a runtime.
  await waitForRunState(page, 'Done')
  await desktop.window.stop()
  await page.getByText('Connection lost.').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Second.')
  await page.getByRole('textbox', { name: 'Message' }).press('Enter')
  await page.getByText('Couldn’t send').waitFor()
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Second.')
  expect(desktop.model.requests).toHaveLength(1)
})

test('stop ends the current run', async () => {
  await open([{ text: 'I begin and begin', hold: new Promise<void>(() => undefined) }])
  const page = await desktop.page()
  await sendMessage(page, 'Go.')
  await streamingAnswer(page, 'I begin').waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).last().click()
  await waitForRunState(page, 'Stopped')
})

test('cards close 800 ms after the end of their run and not before; pinned ones stay', async () => {
  const { promise: hold, resolve: release } = Promise.withResolvers<void>()
  await open([{ calls: ['.', './'].map((path) => ({ name: 'fs.list', arguments: { path } })) }, { text: 'Done.', hold }])
  const page = await desktop.page()
  await page.clock.install()
  await sendMessage(page, 'List.')
  await streamingAnswer(page, 'Done.').waitFor()
  await card(page, 'ToolCall').first().hover()
  await card(page, 'ToolCall').first().getByRole('button', { name: 'Pin' }).click()
  await page.mouse.move(0, 0)
  await page.clock.pauseAt(Date.now() + 60_000)
  release()
  const step = async (ms: number) => {
    await page.clock.runFor(ms)
    return await page.locator('article').evaluateAll((all) => all.map((one) => one.getAttribute('data-mode')))
  }
  // In steps that leave a margin before the 800 ms, and are few enough for a busy machine.
  const done = card(page, 'RunStatus').getByText('Done', { exact: true })
  await expect.poll(async () => (await step(10)) && (await done.count())).toBe(1)
  expect(await step(760)).toEqual(['pinned', 'auto_open', 'auto_open'])
  expect(await step(60)).toEqual(['pinned', 'auto_closed', 'auto_closed'])
  expect(await step(60_000)).toEqual(['pinned', 'auto_closed', 'auto_closed'])
  await card(page, 'ToolCall').last().getByRole('button').first().click()
  await page.clock.resume()
  await page.reload()
  // The user's decisions stay; all other cards of a stored thread are closed.
  await expect
    .poll(() => page.locator('article').evaluateAll((all) => all.map((one) => one.getAttribute('data-mode'))))
    .toEqual(['pinned', 'user_open', 'auto_closed'])
})

test('conversations are created, renamed, hidden and shown again', async () => {
  await open([{ text: 'One.' }])
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'First thing.')
  await recordedAnswer(page, 'One.').waitFor()
  const list = page.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('link', { name: 'First thing.' }).hover()
  await page.getByRole('button', { name: 'More actions for First thing.' }).click()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('New title for First thing.').fill('Renamed')
  await page.keyboard.press('Enter')
  await list.getByRole('link', { name: 'Renamed' }).waitFor()
  await page.getByRole('button', { name: 'More actions for Renamed' }).click()
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  await page.getByText('No conversations yet').waitFor()
  await page.getByRole('button', { name: 'Archived', exact: true }).click()
  await list.getByRole('link', { name: 'Renamed' }).waitFor()
})

test('Shift+Enter starts a new line; an Enter that selects a word of an input method sends nothing', async () => {
  await open([{ text: 'Read.' }])
  const page = await desktop.page()
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('one')
  await box.press('Shift+Enter')
  await box.pressSequentially('two')
  await page.evaluate(
    "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, isComposing: true }))",
  )
  expect(await box.inputValue()).toBe('one\ntwo')
  expect(desktop.model.requests).toHaveLength(0)
  expect(existsSync(join(desktop.workspace, 'notes.md'))).toBe(true)
})
