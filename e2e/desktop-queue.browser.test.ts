// Writing at any time: messages wait visibly, can be changed, removed and sent now; Enter always answers.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { enterWords, queueWords } from '../packages/desktop/src/strings/branching.ts'
import { shortcutWords } from '../packages/desktop/src/strings/shortcuts.ts'
import { slashWords } from '../packages/desktop/src/strings/slash.ts'
import { words } from '../packages/desktop/src/strings/window.ts'
import { startTestModel } from '../packages/runtime/test/support/model/test-model.ts'
import { seriousFindings } from './accessibility.ts'
import { launchChromium } from './chromium.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { startProcess } from './killable-window.ts'
import { recordedAnswer, sendMessage, streamingAnswer, waitForRunState, writeCall } from './test-desktop.ts'

const open = useTestDesktop()

function gate(): { readonly promise: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, open: resolve }
}

test('queued messages are edited and removed in one window, and another window shows the same', async () => {
  const first = gate()
  const desktop = await open((index) => (index === 0 ? { text: 'Working on it', hold: first.promise } : { text: 'All done.' }))
  const page = await desktop.page()
  await sendMessage(page, 'Begin')
  await streamingAnswer(page, 'Working on it').waitFor()
  for (const text of ['one', 'two', 'three']) await sendMessage(page, text)
  const queued = page.locator('[data-queued]')
  await expect.poll(() => queued.count()).toBe(3)
  const other = await desktop.page({ path: new URL(page.url()).pathname })
  const inOther = other.locator('[data-queued]')
  await expect.poll(() => inOther.count()).toBe(3)
  await queued.nth(0).getByRole('button', { name: queueWords.edit, exact: true }).click()
  const editor = page.getByRole('textbox', { name: queueWords.editing })
  await editor.waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await editor.fill('')
  await editor.press('Enter')
  await page.getByRole('alert').getByText(enterWords.empty).waitFor()
  await editor.fill('one, changed')
  await editor.press('Enter')
  await queued.nth(1).getByRole('button', { name: queueWords.remove }).click()
  await expect.poll(() => queued.count()).toBe(2)
  await inOther.getByText('one, changed').waitFor()
  await expect.poll(() => inOther.count()).toBe(2)
  await page.reload()
  await expect.poll(() => queued.count()).toBe(2)
  first.open()
  await recordedAnswer(page, 'All done.').waitFor()
  await queued.first().waitFor({ state: 'detached' })
  expect(
    desktop.model.requests
      .at(-1)
      ?.messages.filter(({ role }) => role === 'user')
      .map(({ content }) => content),
  ).toEqual(['Begin', 'one, changed', 'three'])
  await recordedAnswer(other, 'All done.').waitFor()
})

test('"Send now" interrupts the answer and sends what waits', async () => {
  const desktop = await open((index) =>
    index === 0 ? { text: 'A very long answer', hold: new Promise<void>(() => undefined) } : { text: 'Short.' },
  )
  const page = await desktop.page()
  await sendMessage(page, 'Explain')
  await streamingAnswer(page, 'A very long answer').waitFor()
  await sendMessage(page, 'Shorter')
  await page.getByRole('button', { name: queueWords.sendNow }).click()
  await recordedAnswer(page, 'Short.').waitFor()
  await waitForRunState(page, 'Done')
  await page.getByText('A very long answer').waitFor()
  expect(await page.locator('[data-queued]').count()).toBe(0)
})

test('after a stop, queued messages and their files wait to be sent or removed, also after a reload', async () => {
  const desktop = await open((index) =>
    index === 0 ? { text: 'Working on it', hold: new Promise<void>(() => undefined) } : { text: 'All done.' },
  )
  const page = await desktop.page()
  await sendMessage(page, 'Begin')
  await streamingAnswer(page, 'Working on it').waitFor()
  await page.locator('input[type=file]').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') })
  await page.getByText('notes.txt').waitFor()
  await sendMessage(page, 'one')
  const queued = page.locator('[data-queued]')
  await queued.getByText('one').waitFor()
  await sendMessage(page, 'two')
  await expect.poll(() => queued.count()).toBe(2)
  await page.getByTitle(words.composer.stop).click()
  await waitForRunState(page, 'Stopped')
  await expect.poll(() => queued.getByText(queueWords.waits.stopped).count()).toBe(2)
  expect(await seriousFindings(page)).toEqual([])
  await page.reload()
  await expect.poll(() => queued.getByText(queueWords.waits.stopped).count()).toBe(2)
  await queued.nth(0).getByText('notes.txt').waitFor()
  await queued.nth(1).getByRole('button', { name: queueWords.remove }).click()
  await expect.poll(() => queued.count()).toBe(1)
  await queued.getByRole('button', { name: queueWords.send, exact: true }).click()
  await recordedAnswer(page, 'All done.').waitFor()
  await queued.waitFor({ state: 'detached' })
  const last = desktop.model.requests.at(-1)?.messages.findLast(({ role }) => role === 'user')
  expect(String(last?.content)).toMatch(/one[\s\S]*notes\.txt/)
})

test('after a failure, a new run answers the queued messages', async () => {
  const first = gate()
  const desktop = await open((index) => (index === 0 ? { refusal: 'I will not.', hold: first.promise } : { text: 'Here I am.' }))
  const page = await desktop.page()
  await sendMessage(page, 'Begin')
  await expect.poll(() => desktop.model.requests.length).toBe(1)
  await sendMessage(page, 'go on')
  await page.locator('[data-queued]').getByText('go on').waitFor()
  first.open()
  await recordedAnswer(page, 'Here I am.').waitFor()
  await page.locator('[data-queued]').waitFor({ state: 'detached' })
  expect(await page.locator('[data-role=user]').filter({ hasText: 'go on' }).count()).toBe(1)
})

test('a change that was not saved before the agent received the message moves to the composer', async () => {
  const [first, second] = [gate(), gate()]
  const desktop = await open((index) => (index === 0 ? { text: 'First', hold: first.promise } : { text: 'Second', hold: second.promise }))
  const page = await desktop.page()
  await sendMessage(page, 'Begin')
  await streamingAnswer(page, 'First').waitFor()
  await sendMessage(page, 'one')
  const queued = page.locator('[data-queued]')
  await queued.getByRole('button', { name: queueWords.edit, exact: true }).click()
  const editor = page.getByRole('textbox', { name: queueWords.editing })
  await editor.fill('one, changed')
  // It is kept, whatever happens to the page.
  await page.reload()
  await expect.poll(() => editor.inputValue()).toBe('one, changed')
  first.open()
  await streamingAnswer(page, 'Second').waitFor()
  await page.getByRole('alert').getByText(queueWords.delivered).waitFor()
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('one, changed')
  expect(await queued.count()).toBe(0)
  expect(desktop.model.requests.at(-1)?.messages.at(-1)?.content).toBe('one')
  second.open()
})

test('a paused run continues with what the user writes; a message waits while an approval is pending', async () => {
  const desktop = await open((index) => {
    if (index === 0) return { text: 'Thinking', hold: new Promise<void>(() => undefined) }
    if (index === 1) return { calls: [{ name: 'fs.write', arguments: { path: 'a.txt', content: 'a' } }] }
    return { text: 'As you wish.' }
  })
  const page = await desktop.page()
  await sendMessage(page, 'Work')
  await streamingAnswer(page, 'Thinking').waitFor()
  await page.locator('article[data-card=RunStatus]').getByRole('button', { name: 'Pause' }).click()
  await waitForRunState(page, 'Paused')
  await sendMessage(page, 'Write a.txt')
  await page.getByRole('alertdialog').waitFor()
  expect(desktop.model.requests[1]?.messages.at(-1)?.content).toBe('Write a.txt')
  await sendMessage(page, 'Better not')
  await page.locator('[data-queued]').getByText(queueWords.waits.answer).waitFor()
  await page.getByRole('button', { name: queueWords.sendNow }).click()
  await recordedAnswer(page, 'As you wish.').waitFor()
  expect(await page.getByRole('alertdialog').count()).toBe(0)
  expect(desktop.model.requests.at(-1)?.messages.at(-1)?.content).toBe('Better not')
})

test('Enter always answers: empty, without a model, without a connection', async () => {
  const desktop = await open([{ text: 'Hello.' }], () => undefined, { TANDEM_MODEL: '' })
  const page = await desktop.page()
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.press('Enter')
  await page.getByRole('alert').getByText(enterWords.empty).waitFor()
  await box.fill('Hi')
  await expect.poll(() => page.getByText(enterWords.empty).count()).toBe(0)
  await box.press('Enter')
  await page.getByRole('alert').getByText(/model/i).first().waitFor()
  expect(await box.inputValue()).toBe('Hi')
  await desktop.window.stop()
  await page.getByText(/Connection lost/).waitFor()
  await box.press('Enter')
  await page
    .getByRole('alert')
    .getByText(/connect/i)
    .first()
    .waitFor()
  expect(await box.inputValue()).toBe('Hi')
})

test('what is typed while a message is being sent stays, in a new conversation, in an open one and while a run works', async () => {
  const working = gate()
  const desktop = await open((index) => (index === 2 ? { text: 'Working', hold: working.promise } : { text: `Answer ${index}.` }))
  const page = await desktop.page()
  const box = page.getByRole('textbox', { name: 'Message' })
  /** The answers to these commands arrive after the test let them. */
  const holding = new Set<string>()
  const held: (() => void)[] = []
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer()
    const ids = new Set<unknown>()
    socket.onMessage((sent) => {
      const { id, method } = JSON.parse(String(sent))
      if (holding.has(method)) ids.add(id)
      server.send(sent)
    })
    server.onMessage((answer) => {
      const { id } = JSON.parse(String(answer))
      if (id === undefined || !ids.delete(id)) return socket.send(answer)
      held.push(() => socket.send(answer))
    })
  })
  const release = async () => {
    await expect.poll(() => held.length).toBe(1)
    holding.clear()
    for (const go of held.splice(0)) go()
  }
  await page.reload()
  await page.getByText(words.connection.connecting).waitFor({ state: 'hidden' })
  await box.fill('First')
  holding.add('agent_run_start')
  await box.press('Enter')
  await box.pressSequentially(' and this')
  await release()
  await page.waitForURL(/\/c\//)
  await recordedAnswer(page, 'Answer 0.').waitFor()
  expect([await box.inputValue(), desktop.model.requests.at(-1)?.messages.at(-1)?.content]).toEqual(['and this', 'First'])
  // Something else instead of it.
  await box.fill('Second')
  holding.add('agent_run_start')
  await box.press('Enter')
  await box.fill('Another text')
  await box.press('Home')
  await release()
  await recordedAnswer(page, 'Answer 1.').waitFor()
  expect(await box.inputValue()).toBe('Another text')
  // The caret stays where it is.
  await page.keyboard.type('Yet ')
  expect(await box.inputValue()).toBe('Yet Another text')
  await page.reload()
  await expect.poll(() => box.inputValue()).toBe('Yet Another text')
  await box.fill('Third')
  await box.press('Enter')
  await streamingAnswer(page, 'Working').waitFor()
  await box.fill('Later')
  holding.add('agent_run_add_message')
  await box.press('Enter')
  await box.pressSequentially(', more')
  await release()
  await page.locator('[data-queued]').getByText('Later').waitFor()
  await expect.poll(() => box.inputValue()).toBe(', more')
  working.open()
  await recordedAnswer(page, 'Answer 3.').waitFor()
  expect(desktop.model.requests.at(-1)?.messages.at(-1)?.content).toBe('Later')
})

test('slash commands by keyboard: list, filter, run, arguments, and unknown ones as text', async () => {
  const desktop = await open((_index, { messages }) => ({ text: `Heard ${String(messages.at(-1)?.content)}` }))
  const page = await desktop.page()
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.pressSequentially('/')
  const list = page.getByRole('listbox', { name: slashWords.commands })
  await list.waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await box.pressSequentially('mod')
  await expect.poll(() => list.getByRole('option').allTextContents()).toHaveLength(1)
  await box.press('Enter')
  expect(await box.inputValue()).toBe('/model ')
  await box.pressSequentially('gpt-x')
  await box.press('Enter')
  await page.getByText(slashWords.model('gpt-x')).waitFor()
  expect(await page.getByRole('combobox', { name: 'Model' }).or(page.getByLabel('Model')).first().inputValue()).toBe('gpt-x')
  await box.fill('/model default')
  await box.press('Escape')
  await box.press('Enter')
  await page.getByText(slashWords.model(null)).waitFor()
  await box.fill('/nonsense here')
  await box.press('Enter')
  await page.getByText(slashWords.unknown('nonsense')).waitFor()
  await page.getByRole('button', { name: slashWords.sendAsText }).click()
  await recordedAnswer(page, 'Heard /nonsense here').waitFor()
  // What follows a command that takes no text may be a message: nothing of it is lost.
  await box.fill('/todos add a test')
  await box.press('Enter')
  await page.getByText(slashWords.takesNoText('todos')).waitFor()
  expect(await box.inputValue()).toBe('/todos add a test')
  await page.getByRole('button', { name: slashWords.sendAsText }).click()
  await recordedAnswer(page, 'Heard /todos add a test').waitFor()
  await box.fill('/undo')
  await box.press('Escape')
  await box.press('Enter')
  await page.getByText(slashWords.nothingToUndo).waitFor()
  await box.fill('/help')
  await box.press('Enter')
  const dialog = page.getByRole('dialog', { name: shortcutWords.title })
  await dialog.getByText('/branch').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // In the box, a question mark is text.
  await box.fill('')
  await box.press('?')
  expect(await box.inputValue()).toBe('?')
  await box.fill('')
  await page.locator('[role=log]').focus()
  await page.keyboard.press('?')
  await dialog.waitFor()
})

/** Types a slash command and runs it, as a user who knows its name. */
async function runCommand(page: Page, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill(text)
  await box.press('Escape')
  await box.press('Enter')
}

test('/agent starts a conversation with another agent; one that does not exist is named', async () => {
  const desktop = await open((_index, { messages }) => ({ text: `Heard ${String(messages.at(-1)?.content)}` }))
  const page = await desktop.page()
  await sendMessage(page, 'One')
  await recordedAnswer(page, 'Heard One').waitFor()
  // Only now: the first agent would be the default.
  const made = await desktop.runtime.commands.call('agent_create', { name: 'Scribe' })
  if (!made.ok) throw new Error(made.error.message)
  await page.reload()
  await recordedAnswer(page, 'Heard One').waitFor()
  await runCommand(page, '/agent Nobody')
  await page.getByText(slashWords.noAgent('Nobody')).waitFor()
  await runCommand(page, '/agent scribe')
  await page.waitForURL((url) => url.pathname === '/')
  await sendMessage(page, 'Two')
  await recordedAnswer(page, 'Heard Two').waitFor()
  const listed = await desktop.runtime.commands.call('conversation_list', {})
  const agents = listed.ok ? listed.value.items.map(({ title, agent_id }) => [title, agent_id === made.value.agent.agent_id]) : []
  expect(Object.fromEntries(agents)).toEqual({ One: false, Two: true })
})

test('/undo opens the preview of a restore, /todos and /new their pages, and an unknown skill is named', async () => {
  const desktop = await open((_index, { messages }) => {
    const last = messages.at(-1)
    return last?.role === 'user' ? { calls: [writeCall('made.txt', 'x')] } : { text: 'Written.' }
  })
  const page = await desktop.page()
  for (const name of ['undo', 'compact', 'export', 'continue']) {
    await runCommand(page, `/${name}`)
    await page.getByText(slashWords.needsConversation(name)).waitFor()
  }
  await runCommand(page, '/skill nonsense')
  await page.getByText(slashWords.noSkills).waitFor()
  await sendMessage(page, 'Make it')
  await page.getByRole('button', { name: 'Allow once' }).waitFor()
  // While a run is open, it says what to do first.
  // Nothing is listed for them then, so that Esc would be the first half of stopping the run.
  const box = page.getByRole('textbox', { name: 'Message' })
  for (const name of ['undo', 'compact', 'skill']) {
    await box.fill(`/${name}`)
    await box.press('Enter')
    await page.getByText(slashWords.notNow(name)).waitFor()
  }
  await box.fill('/model other')
  await box.press('Enter')
  await page.getByText(slashWords.modelOfNextRun('other')).waitFor()
  await page.getByRole('button', { name: 'Allow once' }).click()
  await waitForRunState(page, 'Done')
  const { pathname } = new URL(page.url())
  await runCommand(page, '/undo')
  await page.waitForURL((url) => url.pathname.startsWith('/recovery'))
  await page.getByText('made.txt').first().waitFor()
  expect(readFileSync(join(desktop.workspace, 'made.txt'), 'utf8')).toBe('x')
  await page.goBack()
  await page.waitForURL((url) => url.pathname === pathname)
  await runCommand(page, '/todos')
  await page.getByRole('heading', { level: 1, name: 'Todos' }).waitFor()
  await page.goBack()
  await runCommand(page, '/new')
  await page.waitForURL((url) => url.pathname === '/')
})

test('/branch continues from the last message in a branch, and the first conversation stays as it is', async () => {
  const desktop = await open((_index, { messages }) => ({ text: `Heard ${String(messages.at(-1)?.content)}` }))
  const page = await desktop.page()
  await runCommand(page, '/branch')
  await page.getByText(slashWords.needsConversation('branch')).waitFor()
  await sendMessage(page, 'One')
  await recordedAnswer(page, 'Heard One').waitFor()
  await waitForRunState(page, 'Done')
  const { pathname } = new URL(page.url())
  await runCommand(page, '/branch')
  await page.waitForURL((url) => url.pathname !== pathname && url.pathname.startsWith('/c/'))
  await sendMessage(page, 'Two')
  await recordedAnswer(page, 'Heard Two').waitFor()
  const said = desktop.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user')
  expect(said?.map(({ content }) => content)).toEqual(['One', 'Two'])
  await page.goto(new URL(pathname, page.url()).href)
  await recordedAnswer(page, 'Heard One').waitFor()
  expect(await page.getByText('Heard Two').count()).toBe(0)
})

test('/continue continues a paused run, and says if none is paused', async () => {
  const desktop = await open((index) =>
    index === 0 ? { text: 'Thinking', hold: new Promise<void>(() => undefined) } : { text: 'There you are.' },
  )
  const page = await desktop.page()
  await sendMessage(page, 'Work')
  await streamingAnswer(page, 'Thinking').waitFor()
  await page.locator('article[data-card=RunStatus]').getByRole('button', { name: 'Pause' }).click()
  await waitForRunState(page, 'Paused')
  await runCommand(page, '/continue')
  await recordedAnswer(page, 'There you are.').waitFor()
  await waitForRunState(page, 'Done')
  await runCommand(page, '/continue')
  await page.getByText(slashWords.nothingToContinue).waitFor()
})

test('/export saves the conversation as Markdown or JSON, and names a format that it does not have', async () => {
  const desktop = await open([{ text: 'Grüße 👋🏽' }])
  const page = await desktop.page()
  await sendMessage(page, 'Greet')
  await recordedAnswer(page, 'Grüße').waitFor()
  for (const [command, file] of [
    ['/export', 'Greet.md'],
    ['/export json', 'Greet.json'],
  ] as const) {
    const coming = page.waitForEvent('download')
    await runCommand(page, command)
    const download = await coming
    expect(download.suggestedFilename()).toBe(file)
    expect(readFileSync(await download.path(), 'utf8')).toContain('Grüße 👋🏽')
  }
  await runCommand(page, '/export pdf')
  await page.getByText(slashWords.format('pdf')).waitFor()
})

test('/compact summarizes a long conversation, and says if there is nothing to summarize', async () => {
  const long = `A long report. ${'All of the work was done as planned. '.repeat(800)}`
  // Only turns of the agent offer tools; a summary is requested without.
  const desktop = await open((_index, { messages, tools }) => {
    if (!tools?.length) return { text: 'They worked.' }
    return { text: messages.at(-1)?.content === 'Short' ? 'Yes.' : long }
  })
  const page = await desktop.page()
  await sendMessage(page, 'First')
  await recordedAnswer(page, 'A long report').first().waitFor()
  await waitForRunState(page, 'Done')
  for (const text of ['Second', 'Third', 'Fourth']) {
    const before = desktop.model.requests.length
    await sendMessage(page, text)
    await expect.poll(() => desktop.model.requests.length).toBeGreaterThan(before)
    await waitForRunState(page, 'Done')
  }
  await runCommand(page, '/compact')
  await page.getByText(/The conversation was summarized: [\d,]+ → [\d,]+ tokens\./).waitFor()
  const fresh = await desktop.page()
  await sendMessage(fresh, 'Short')
  await waitForRunState(fresh, 'Done')
  await runCommand(fresh, '/compact')
  await fresh.getByText(slashWords.nothingToCompact).waitFor()
})

test('killed with -9 while messages wait: they are still there, and the run continues with them', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-queue-')))
  mkdirSync(join(folder, 'workspace'))
  const model = await startTestModel((index) =>
    index === 0 ? { text: 'Half', hold: new Promise<void>(() => undefined) } : { text: 'Whole.' },
  )
  const browser = await launchChromium()
  let running = await startProcess(folder, model.base_url)
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    page.setDefaultTimeout(60_000)
    await page.goto(running.url)
    await sendMessage(page, 'Begin')
    await streamingAnswer(page, 'Half').waitFor()
    await sendMessage(page, 'one')
    await sendMessage(page, 'two')
    const queued = page.locator('[data-queued]')
    await expect.poll(() => queued.count()).toBe(2)
    const { pathname } = new URL(page.url())
    await running.kill()
    await page.getByText(/Connection lost\. Reconnecting/).waitFor()
    running = await startProcess(folder, model.base_url)
    await page.goto(running.url.replace('/#', `${pathname}#`))
    await page.getByText(/Connection lost\. Reconnecting|no longer authorized|Connecting to the runtime/).waitFor({ state: 'hidden' })
    await page.reload()
    await expect.poll(() => queued.count()).toBe(2)
    await waitForRunState(page, 'Paused')
    await queued.nth(0).getByRole('button', { name: queueWords.sendNow }).click()
    await recordedAnswer(page, 'Whole.').waitFor()
    expect(
      model.requests
        .at(-1)
        ?.messages.filter(({ role }) => role === 'user')
        .map(({ content }) => content),
    ).toEqual(['Begin', 'one', 'two'])
    await expect.poll(() => queued.count()).toBe(0)
  } finally {
    await browser.close()
    await running.kill()
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
