// The changes of a conversation in a real window, with real files: all files, one diff, undo per file, and comments for the agent.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { queueWords } from '../packages/desktop/src/strings/branching.ts'
import { changeWords } from '../packages/desktop/src/strings/changes.ts'
import type { Script } from '../packages/runtime/test/support/model/test-model.ts'
import { seriousFindings } from './accessibility.ts'
import { makeAllowedAgent } from './allowed-agent.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { type Desktop, recordedAnswer, sendMessage } from './test-desktop.ts'

const open = useTestDesktop()
const wait = { timeout: 60_000 }

/** A message that begins with [ is a list of calls; any other gets an answer. */
const script: Script = (_index, { messages }) => {
  const last = messages.at(-1)
  const text = String(last?.content)
  if (last?.role !== 'user') return { text: 'Written.' }
  return text.startsWith('[') ? { calls: JSON.parse(text) } : { text: 'Understood.' }
}

const write = (path: string, content: string) => ({ name: 'fs.write', arguments: { path, content } })
const panel = (page: Page) => page.getByRole('region', { name: changeWords.title, exact: true })
const file = (page: Page, name: string) => panel(page).locator(`li[data-path$="/${name}"]`)
const userTexts = (desktop: Desktop) =>
  desktop.model.requests
    .at(-1)
    ?.messages.filter(({ role }) => role === 'user')
    .map(({ content }) => String(content))

async function conversations(desktop: Desktop) {
  const listed = await desktop.runtime.commands.call('conversation_list', {})
  return listed.ok ? listed.value.items : []
}

test('all files and one diff; one file is undone and brought back; comments reach the agent as one message', async () => {
  const desktop = await open(script)
  await makeAllowedAgent(desktop, ['fs.write', 'fs.delete'])
  const at = (name: string) => join(desktop.workspace, name)
  writeFileSync(at('a.ts'), 'const one = 1\nconst two = 2\n')
  writeFileSync(at('old.txt'), 'old\n')
  const page = await desktop.page()
  await sendMessage(page, JSON.stringify([write('a.ts', 'const one = 1\nconst zwei = 2\nconst three = 3\n'), write('new.md', '# New\n')]))
  await recordedAnswer(page, 'Written.').waitFor(wait)
  await sendMessage(page, JSON.stringify([{ name: 'fs.delete', arguments: { path: 'old.txt' } }]))
  await recordedAnswer(page, 'Written.').nth(1).waitFor(wait)
  await page.getByRole('link', { name: changeWords.open }).click()
  await panel(page).getByText('3 files: 1 added, 1 changed, 1 removed').waitFor(wait)
  await file(page, 'a.ts').getByText('const zwei = 2').waitFor(wait)
  await file(page, 'new.md').getByText('# New').waitFor()
  expect(await file(page, 'a.ts').locator('[data-row]').allInnerTexts()).toHaveLength(4)
  expect(await seriousFindings(page)).toEqual([])

  // Undo, and undo of the undo.
  await file(page, 'old.txt')
    .getByRole('button', { name: changeWords.undoFile('old.txt') })
    .click()
  await panel(page).getByText(changeWords.undone('old.txt')).waitFor(wait)
  expect(readFileSync(at('old.txt'), 'utf8')).toBe('old\n')
  await expect.poll(() => file(page, 'old.txt').count(), wait).toBe(0)
  await panel(page).getByRole('button', { name: changeWords.bringBack }).click()
  await file(page, 'old.txt').waitFor(wait)
  expect(existsSync(at('old.txt'))).toBe(false)

  // What the user changed since is a conflict, which is said before anything happens.
  writeFileSync(at('new.md'), 'mine\n')
  await panel(page).getByRole('button', { name: changeWords.refresh }).click()
  await panel(page).getByText(changeWords.conflicts(1)).waitFor(wait)
  await file(page, 'new.md')
    .getByRole('button', { name: changeWords.undoFile('new.md') })
    .click()
  await file(page, 'new.md').getByRole('button', { name: changeWords.cancel }).click()
  expect(readFileSync(at('new.md'), 'utf8')).toBe('mine\n')

  // A comment on a line, one on a range: first the mouse, then the arrow keys.
  await file(page, 'a.ts').locator('[data-row]', { hasText: 'zwei' }).locator('[data-number]').nth(1).click()
  await panel(page)
    .getByRole('textbox', { name: changeWords.comment.on('line 2') })
    .fill('Keep the English name.')
  await panel(page).getByRole('button', { name: changeWords.comment.add }).click()
  await file(page, 'a.ts').getByText('Keep the English name.').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Enter')
  const range = panel(page).getByRole('textbox', { name: changeWords.comment.on('lines 2–3') })
  await range.fill('Sort these.')
  await range.press('Control+Enter')
  await panel(page).getByText(changeWords.comment.waiting(2)).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  // They survive a reload.
  await page.reload()
  await panel(page).getByText(changeWords.comment.waiting(2)).waitFor(wait)
  await panel(page).getByRole('button', { name: changeWords.comment.send }).click()
  await recordedAnswer(page, 'Understood.').waitFor(wait)
  expect(userTexts(desktop)?.at(-1)).toBe(
    'Comments on your changes:\n\n`a.ts`, line 2:\n> const zwei = 2\n\nKeep the English name.\n\n`a.ts`, lines 2–3:\n> const zwei = 2\n> const three = 3\n\nSort these.',
  )
  expect(await panel(page).getByText(changeWords.comment.waiting(2)).count()).toBe(0)
})

test('undoing a file that a running background command may have changed asks before it stops the command', async () => {
  const desktop = await open(script)
  await makeAllowedAgent(desktop, ['shell.exec'])
  const at = (name: string) => join(desktop.workspace, name)
  writeFileSync(at('serve.sh'), 'n=0; while true; do n=$((n+1)); echo $n > served.txt; sleep 0.05; done')
  const page = await desktop.page()
  const shell = { name: 'shell.exec', arguments: { command: 'bash serve.sh', background: true } }
  await sendMessage(page, JSON.stringify([shell, { name: 'ask_user', arguments: { question: 'Is the page fine?' } }]))
  await page.getByText('Is the page fine?').first().waitFor(wait)
  await expect.poll(() => existsSync(at('served.txt')), wait).toBe(true)
  await page.getByRole('link', { name: changeWords.open }).click()
  await file(page, 'served.txt').getByText(changeWords.backgroundRunning).waitFor(wait)
  const undo = file(page, 'served.txt').getByRole('button', { name: changeWords.undoFile('served.txt') })
  await undo.click()
  await file(page, 'served.txt').getByText(changeWords.running).waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await file(page, 'served.txt').getByRole('button', { name: changeWords.cancel }).click()
  const written = readFileSync(at('served.txt'), 'utf8')
  await expect.poll(() => readFileSync(at('served.txt'), 'utf8'), wait).not.toBe(written)
  await undo.click()
  await file(page, 'served.txt').getByRole('button', { name: changeWords.stopAndUndo }).click()
  await panel(page).getByText(changeWords.undone('served.txt')).waitFor(wait)
  expect(existsSync(at('served.txt'))).toBe(false)
})

test('the changes of one run are shown, commented and undone alone', async () => {
  const desktop = await open(script)
  await makeAllowedAgent(desktop, ['fs.write'])
  const at = (name: string) => join(desktop.workspace, name)
  const page = await desktop.page()
  await sendMessage(page, JSON.stringify([write('first.txt', 'one\n')]))
  await recordedAnswer(page, 'Written.').waitFor(wait)
  await sendMessage(page, JSON.stringify([write('second.txt', 'two\n')]))
  await recordedAnswer(page, 'Written.').nth(1).waitFor(wait)
  await page.getByRole('link', { name: changeWords.open }).click()
  await panel(page).getByText('2 files: 2 added').waitFor(wait)
  const runs = panel(page).getByRole('combobox', { name: changeWords.of })
  // The newest run is listed first. Chosen with the keyboard.
  await runs.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await panel(page).getByText('1 file: 1 added').waitFor(wait)
  expect([await file(page, 'first.txt').count(), await file(page, 'second.txt').count()]).toEqual([1, 0])
  await page.reload()
  await panel(page).getByText('1 file: 1 added').waitFor(wait)
  await file(page, 'first.txt').locator('[data-number]').nth(1).click()
  await panel(page)
    .getByRole('textbox', { name: changeWords.comment.on('line 1') })
    .fill('Two, please.')
  await panel(page).getByRole('button', { name: changeWords.comment.add }).click()
  await panel(page).getByRole('button', { name: changeWords.comment.send }).click()
  await recordedAnswer(page, 'Understood.').waitFor(wait)
  expect(userTexts(desktop)?.at(-1)).toBe('A comment on your changes:\n\n`first.txt`, line 1:\n> one\n\nTwo, please.')
  await file(page, 'first.txt')
    .getByRole('button', { name: changeWords.undoFile('first.txt') })
    .click()
  await panel(page).getByText(changeWords.undone('first.txt')).waitFor(wait)
  expect([existsSync(at('first.txt')), readFileSync(at('second.txt'), 'utf8')]).toEqual([false, 'two\n'])
})

test('a comment that is being typed stays where it is while runs change files, and after a reload', async () => {
  const desktop = await open(script)
  await makeAllowedAgent(desktop, ['fs.write'])
  const page = await desktop.page()
  await sendMessage(page, JSON.stringify([write('a.txt', 'one\ntwo\n')]))
  await recordedAnswer(page, 'Written.').waitFor(wait)
  await page.getByRole('link', { name: changeWords.open }).click()
  await file(page, 'a.txt').locator('[data-row] [data-number]').nth(3).click(wait)
  const box = panel(page).getByRole('textbox', { name: changeWords.comment.on('line 2') })
  await box.fill('Three, ')
  const [conversation] = await conversations(desktop)
  const { conversation_id = '' } = conversation ?? {}
  const text = JSON.stringify([write('a.txt', 'zero\none\ntwo\n'), write('b.txt', 'b\n')])
  expect(await desktop.runtime.commands.call('agent_run_start', { conversation_id, text })).toMatchObject({ ok: true })
  // The list shows the new file; the lines that are commented stay.
  await file(page, 'b.txt').waitFor(wait)
  await page.keyboard.type('please.')
  expect(await box.inputValue()).toBe('Three, please.')
  expect(await file(page, 'a.txt').getByText('zero').count()).toBe(0)
  await page.reload()
  await file(page, 'a.txt').getByText('zero').waitFor(wait)
  expect(await box.inputValue()).toBe('Three, please.')
  await panel(page).getByRole('button', { name: changeWords.comment.add }).click()
  // All comments can be edited and removed in one list, whatever is shown above.
  await panel(page).getByRole('button', { name: changeWords.foldAll }).or(panel(page).getByText(changeWords.foldAll)).first().click()
  await panel(page).getByRole('button', { name: changeWords.comment.showAll }).click()
  await panel(page).locator('[data-comment]').getByText('a.txt, line 2:').waitFor()
  await panel(page).locator('[data-comment]').getByRole('button', { name: changeWords.comment.remove }).click()
  await expect.poll(() => panel(page).locator('[data-comment]').count()).toBe(0)
})

test('comments are queued while a run works; nothing is undone meanwhile', async () => {
  let release: () => void = () => undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  const desktop = await open((index, request) =>
    String(request.messages.at(-1)?.content) === 'Take your time' ? { text: 'Slowly.', hold: held } : script(index, request),
  )
  await makeAllowedAgent(desktop, ['fs.write'])
  const page = await desktop.page()
  await sendMessage(page, JSON.stringify([write('a.txt', 'one\n')]))
  await recordedAnswer(page, 'Written.').waitFor(wait)
  await sendMessage(page, 'Take your time')
  await page.getByRole('link', { name: changeWords.open }).click()
  await file(page, 'a.txt').getByText('one').waitFor(wait)
  await expect
    .poll(
      () =>
        file(page, 'a.txt')
          .getByRole('button', { name: changeWords.undoFile('a.txt') })
          .isDisabled(),
      wait,
    )
    .toBe(true)
  await file(page, 'a.txt').locator('[data-number]').nth(1).click()
  await panel(page)
    .getByRole('textbox', { name: changeWords.comment.on('line 1') })
    .fill('Two, please.')
  await panel(page).getByRole('button', { name: changeWords.comment.add }).click()
  await panel(page).getByText(changeWords.comment.queued).waitFor(wait)
  await panel(page).getByRole('button', { name: changeWords.comment.send }).click()
  await page.getByText(queueWords.waits.turn).waitFor(wait)
  release()
  await recordedAnswer(page, 'Understood.').waitFor(wait)
  expect(userTexts(desktop)?.at(-1)).toBe('A comment on your changes:\n\n`a.txt`, line 1:\n> one\n\nTwo, please.')
  await panel(page).getByRole('link', { name: changeWords.back }).click()
  await expect.poll(() => panel(page).count()).toBe(0)
})

test('two thousand files: the panel shows the first ones at once, and the rest on request', async () => {
  const desktop = await open(script)
  await makeAllowedAgent(desktop, ['shell.exec'])
  const page = await desktop.page()
  await sendMessage(
    page,
    JSON.stringify([{ name: 'shell.exec', arguments: { command: 'seq 1 2000 | split -l 1 -a 4 - f && seq 1 50000 > long.txt' } }]),
  )
  await recordedAnswer(page, 'Written.').waitFor(wait)
  await page.getByRole('link', { name: changeWords.open }).click()
  await panel(page).getByText('2,001 files: 2,001 added').waitFor(wait)
  expect(await panel(page).locator('li[data-path]').count()).toBe(100)
  await panel(page).getByRole('button', { name: changeWords.more }).click()
  await expect.poll(() => panel(page).locator('li[data-path]').count(), wait).toBe(200)
  const { commands } = desktop.runtime
  const listed = await commands.call('conversation_list', {})
  const conversation_id = listed.ok ? (listed.value.items[0]?.conversation_id ?? '') : ''
  // The long diff: the first lines, then more.
  const lines = panel(page).locator('li[data-path$="/faaaa"] [data-row]')
  await panel(page).locator('li[data-path$="/faaaa"]').getByRole('button', { expanded: false }).click()
  await lines.first().waitFor(wait)
  const part = await commands.call('changes_diff', { conversation_id, path: join(desktop.workspace, 'long.txt'), from: 49_000 })
  expect(part).toMatchObject({ ok: true, value: { diff: { total: 50_000, next: null } } })
})

test('a diff of fifty thousand lines is rendered in parts, and the window stays usable', async () => {
  const desktop = await open(script, (_home, workspace) =>
    writeFileSync(join(workspace, 'long.txt'), Array.from({ length: 50_000 }, (_, line) => `old ${line}\n`).join('')),
  )
  await makeAllowedAgent(desktop, ['shell.exec'])
  const page = await desktop.page()
  await sendMessage(page, JSON.stringify([{ name: 'shell.exec', arguments: { command: "sed -i 's/old/new/' long.txt" } }]))
  await recordedAnswer(page, 'Written.').waitFor(wait)
  await page.getByRole('link', { name: changeWords.open }).click()
  const long = file(page, 'long.txt')
  await long.waitFor(wait)
  const rows = long.locator('[data-row]')
  await rows.first().waitFor(wait)
  const first = await rows.count()
  expect(first).toBeLessThanOrEqual(200)
  const more = long.getByRole('button').last()
  expect(await more.textContent()).toMatch(/[\d,]{5,} /)
  await more.click()
  await expect.poll(() => rows.count(), wait).toBeGreaterThan(first)
  expect(await rows.count()).toBeLessThanOrEqual(2_000)
  // The rest of the window responds.
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('Still here')
  expect(await box.inputValue()).toBe('Still here')
})
