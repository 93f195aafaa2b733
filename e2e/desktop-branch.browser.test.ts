// Edit and resend, regenerate, branch: in a real window, with real files, killed in between, and in two windows at once.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { branchWords } from '../packages/desktop/src/strings/branching.ts'
import { type Script, startTestModel } from '../packages/runtime/test/support/model/test-model.ts'
import { seriousFindings } from './accessibility.ts'
import { launchChromium } from './chromium.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { startProcess } from './killable-window.ts'
import { type Desktop, recordedAnswer, sendMessage, waitForRunState } from './test-desktop.ts'

const open = useTestDesktop()
const wait = { timeout: 60_000 }

/** Answers a message with what it heard; "write NAME TEXT" writes a file first. */
const echo: Script = (index, { messages }) => {
  const last = messages.at(-1)
  const text = String(last?.content)
  if (last?.role !== 'user') return { text: 'Written.' }
  const [, path, content] = /write (\S+) (.+)$/.exec(text) ?? []
  return path === undefined ? { text: `Answer ${index} to ${text}` } : { calls: [{ name: 'fs.write', arguments: { path, content } }] }
}

/** Without approvals, so that a run is one step for the test. */
async function allowWrites(desktop: Desktop): Promise<void> {
  const { commands } = desktop.runtime
  const listed = await commands.call('agent_list', {})
  const agent_id = listed.ok ? (listed.value.items[0]?.agent_id ?? '') : ''
  const read = await commands.call('agent_tool_policy_get', { agent_id, tool: 'fs.write' })
  if (!read.ok) throw new Error(read.error.message)
  await commands.call('agent_tool_policy_set', {
    agent_id,
    tool: 'fs.write',
    policy: { ...read.value.policy.policy, approval_mode: 'auto' },
  })
}

const bubble = (page: Page, text: string) => page.locator('[data-role=user]').filter({ hasText: text })
const act = async (page: Page, text: string, name: string) => {
  await bubble(page, text).hover()
  await bubble(page, text).getByRole('button', { name, exact: true }).click()
}
/** Sending opens another page: the user can go on writing there. */
const writesInComposer = (page: Page) => expect.poll(() => page.evaluate('document.activeElement.id'), wait).toBe('composer')
const position = (page: Page) => page.getByRole('navigation', { name: branchWords.switch })
const userTexts = (desktop: Desktop) =>
  desktop.model.requests
    .at(-1)
    ?.messages.filter(({ role }) => role === 'user')
    .map(({ content }) => content)
const textsOf = (page: Page) =>
  page.locator('[role=log] [data-role=user] > p:first-of-type').evaluateAll((all) => all.map((one) => one.lastChild?.textContent ?? ''))

test('a message is edited and sent again: a branch with the history before it; the old one is one click away', async () => {
  const desktop = await open(echo)
  const page = await desktop.page()
  await sendMessage(page, 'Make tea')
  await recordedAnswer(page, 'Answer 0 to Make tea').waitFor()
  await writesInComposer(page)
  await sendMessage(page, 'Black, please')
  await recordedAnswer(page, 'Answer 1 to Black, please').waitFor()
  const first = new URL(page.url()).pathname
  await act(page, 'Black, please', branchWords.edit)
  const editor = page.getByRole('textbox', { name: branchWords.editing })
  await editor.waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await editor.fill('Green, please')
  await editor.press('Enter')
  await recordedAnswer(page, 'Answer 2 to Green, please').waitFor()
  await writesInComposer(page)
  expect(new URL(page.url()).pathname).not.toBe(first)
  expect(userTexts(desktop)).toEqual(['Make tea', 'Green, please'])
  await position(page).getByText(branchWords.position(2, 2)).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  expect(await textsOf(page)).toEqual(['Make tea', 'Green, please'])
  expect(await page.getByText('Answer 1 to Black, please').count()).toBe(0)
  // One line in the sidebar.
  expect(await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').count()).toBe(1)
  await position(page).getByRole('button', { name: branchWords.previous }).click()
  await recordedAnswer(page, 'Answer 1 to Black, please').waitFor()
  expect(new URL(page.url()).pathname).toBe(first)
  await position(page).getByText(branchWords.position(1, 2)).waitFor()
  await page.reload()
  await recordedAnswer(page, 'Answer 1 to Black, please').waitFor()
  await position(page).getByRole('button', { name: branchWords.next }).click()
  await recordedAnswer(page, 'Answer 2 to Green, please').waitFor()
  // The branch continues on its own.
  await sendMessage(page, 'Thanks')
  await recordedAnswer(page, 'Answer 3 to Thanks').waitFor()
  expect(userTexts(desktop)).toEqual(['Make tea', 'Green, please', 'Thanks'])
})

test('an answer is regenerated, a message is sent again, and a branch continues from any message', async () => {
  const desktop = await open(echo)
  const page = await desktop.page()
  await sendMessage(page, 'Joke')
  const answer = recordedAnswer(page, 'Answer 0 to Joke')
  await answer.hover()
  await answer.getByRole('button', { name: branchWords.regenerate }).click()
  await recordedAnswer(page, 'Answer 1 to Joke').waitFor()
  await writesInComposer(page)
  await position(page).getByText(branchWords.position(2, 2)).waitFor()
  await act(page, 'Joke', branchWords.retry)
  await recordedAnswer(page, 'Answer 2 to Joke').waitFor()
  await writesInComposer(page)
  await position(page).getByText(branchWords.position(3, 3)).waitFor()
  const third = recordedAnswer(page, 'Answer 2 to Joke')
  await third.hover()
  await third.getByRole('button', { name: branchWords.branch }).click()
  await page.getByText(branchWords.empty).waitFor()
  await writesInComposer(page)
  await recordedAnswer(page, 'Answer 2 to Joke').waitFor()
  await sendMessage(page, 'Another')
  await recordedAnswer(page, 'Answer 3 to Another').waitFor()
  expect(userTexts(desktop)).toEqual(['Joke', 'Another'])
  const list = await desktop.runtime.commands.call('conversation_list', {})
  expect(list.ok && list.value.items).toHaveLength(4)
})

test('files are restored only if the user wants that, after a preview with conflicts', async () => {
  const desktop = await open(echo)
  const file = join(desktop.workspace, 'a.txt')
  const page = await desktop.page()
  await sendMessage(page, 'Hello')
  await recordedAnswer(page, 'Answer 0 to Hello').waitFor()
  await allowWrites(desktop)
  await sendMessage(page, 'write a.txt one')
  await waitForRunState(page, 'Done')
  await sendMessage(page, 'write a.txt two')
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8'), wait).toBe('two')
  await expect.poll(() => recordedAnswer(page, 'Written.').count(), wait).toBe(2)
  const dialog = page.getByRole('dialog', { name: branchWords.files.title })
  // "No" leaves the files as they are.
  await act(page, 'write a.txt one', branchWords.edit)
  await page.getByRole('textbox', { name: branchWords.editing }).fill('What is in a.txt?')
  await page.getByRole('textbox', { name: branchWords.editing }).press('Enter')
  await dialog.getByText('a.txt').first().waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: branchWords.files.keep }).click()
  await recordedAnswer(page, /Answer \d+ to What is in a\.txt/).waitFor()
  await writesInComposer(page)
  expect(readFileSync(file, 'utf8')).toBe('two')
  await position(page).getByRole('button', { name: branchWords.previous }).click()
  await bubble(page, 'write a.txt two').waitFor()
  // The changes of both runs are undone, and nothing in the old branch.
  await act(page, 'write a.txt one', branchWords.retry)
  await dialog.getByText('a.txt').first().waitFor()
  await dialog.getByRole('button', { name: branchWords.files.restore }).click()
  await expect.poll(() => readFileSync(file, 'utf8'), wait).toBe('one')
  await position(page).getByText(branchWords.position(3, 3)).waitFor()
  await page.goBack()
  await recordedAnswer(page, 'Written.').first().waitFor()
  expect(await page.getByText('Undone').count()).toBe(0)
  // What a user changed since then is a conflict that needs a decision.
  await page.goForward()
  await waitForRunState(page, 'Done')
  writeFileSync(file, 'mine')
  await act(page, 'write a.txt one', branchWords.retry)
  await dialog.getByText(branchWords.files.chooseFirst).waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: branchWords.files.restore }).isDisabled(), wait).toBe(true)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(readFileSync(file, 'utf8')).toBe('mine')
})

test('two windows branch at once: both branches exist, each window can switch to the other', async () => {
  const desktop = await open(echo)
  const page = await desktop.page()
  await sendMessage(page, 'Go')
  await recordedAnswer(page, 'Answer 0 to Go').waitFor()
  const other = await desktop.page({ path: new URL(page.url()).pathname })
  await recordedAnswer(other, 'Answer 0 to Go').waitFor()
  await Promise.all([act(page, 'Go', branchWords.retry), act(other, 'Go', branchWords.retry)])
  for (const one of [page, other]) {
    await recordedAnswer(one, /Answer [12] to Go/).waitFor()
    await position(one).getByText(/of 3$/).waitFor()
  }
  expect(new URL(page.url()).pathname).not.toBe(new URL(other.url()).pathname)
})

test('killed with -9 between a branch and its first run: the branch, its history and the old conversation are there', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-branch-')))
  mkdirSync(join(folder, 'workspace'))
  const model = await startTestModel(echo)
  const browser = await launchChromium()
  let running = await startProcess(folder, model.base_url)
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    page.setDefaultTimeout(60_000)
    await page.goto(running.url)
    await sendMessage(page, 'Make tea')
    const answer = recordedAnswer(page, 'Answer 0 to Make tea')
    await answer.waitFor()
    const first = new URL(page.url()).pathname
    await answer.hover()
    await answer.getByRole('button', { name: branchWords.branch }).click()
    await page.getByText(branchWords.empty).waitFor()
    const branch = new URL(page.url()).pathname
    expect(branch).not.toBe(first)
    await page.getByRole('textbox', { name: 'Message' }).fill('With milk')
    await running.kill()
    await page.getByText(/Connection lost\. Reconnecting/).waitFor()
    await page.getByRole('textbox', { name: 'Message' }).press('Enter')
    await page.getByRole('alert').first().waitFor()
    running = await startProcess(folder, model.base_url)
    await page.goto(running.url.replace('/#', `${branch}#`))
    await page.getByText(/Connection lost\. Reconnecting|no longer authorized|Connecting to the runtime/).waitFor({ state: 'hidden' })
    await page.reload()
    await recordedAnswer(page, 'Answer 0 to Make tea').waitFor()
    const box = page.getByRole('textbox', { name: 'Message' })
    expect(await box.inputValue()).toBe('With milk')
    await box.press('Enter')
    await recordedAnswer(page, 'Answer 1 to With milk').waitFor()
    expect(
      model.requests
        .at(-1)
        ?.messages.filter(({ role }) => role === 'user')
        .map(({ content }) => content),
    ).toEqual(['Make tea', 'With milk'])
    await position(page).getByRole('button', { name: branchWords.previous }).click()
    await page.waitForURL(new RegExp(first))
    expect(await textsOf(page)).toEqual(['Make tea'])
  } finally {
    await browser.close()
    await running.kill()
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
