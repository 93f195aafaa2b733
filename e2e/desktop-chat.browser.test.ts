import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { writeLongThread } from './long-thread.ts'
import { type Desktop, recordedAnswer, sendMessage, settled, streamingAnswer, wheelUp } from './test-desktop.ts'

const openDesktop = useTestDesktop()
let desktop: Desktop

const open = async (...given: Parameters<typeof openDesktop>) => {
  desktop = await openDesktop(...given)
  return desktop
}
/** Allows for a busy machine. */
const poll = <Value>(look: () => Value | Promise<Value>) => expect.poll(look)
const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
/** Uploaded, not in progress: a file in progress has no remove button. */
const isAttached = (page: Page, name: string) => page.getByRole('button', { name: `Remove ${name}`, exact: true }).waitFor()
const attached = (page: Page) => page.getByRole('list', { name: 'Attached files' })
const picture = (bytes: readonly number[]) => `Uint8Array.from([${bytes.join()}])`
const png = [...Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')]

/** As the browser would pass it, from the clipboard or from another window. */
const hand = async (page: Page, event: 'paste' | 'drop', name: string, type: string, content: string) => {
  await box(page).waitFor()
  await page.evaluate(`{
    const data = new DataTransfer()
    data.items.add(new File([${content}], ${JSON.stringify(name)}, { type: ${JSON.stringify(type)} }))
    const init = { bubbles: true, cancelable: true }
    const event = ${event === 'paste'} ? new ClipboardEvent('paste', { ...init, clipboardData: data }) : new DragEvent('drop', { ...init, dataTransfer: data })
    document.getElementById('composer').dispatchEvent(event)
  }`)
}

test('files are attached by button, paste and drop, reach the model, and stay in the bubble after a restart', async () => {
  await open([{ text: 'I have seen them.' }])
  const page = await desktop.page()
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await choosing).setFiles([{ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('eggs, flour') }])
  await isAttached(page, 'list.txt')
  await hand(page, 'paste', 'shot.png', 'image/png', picture(png))
  await isAttached(page, 'shot.png')
  await hand(page, 'drop', '<img src=x onerror=alert(1)>\u202egnp.svg', 'image/svg+xml', '"<svg onload=alert(1)>"')
  await isAttached(page, '<img src=x onerror=alert(1)>⟨U+202E⟩gnp.svg')
  await hand(page, 'drop', 'extra.txt', 'text/plain', '"extra"')
  await page.getByRole('button', { name: 'Remove extra.txt' }).click()
  await page.getByRole('button', { name: 'Remove extra.txt' }).waitFor({ state: 'detached' })
  // A draft and its attachments survive a reload.
  await page.reload()
  await attached(page).getByText('shot.png').waitFor()
  await sendMessage(page, 'What is this?')
  await recordedAnswer(page, 'I have seen them.').waitFor()
  const told = JSON.stringify(desktop.model.requests[0]?.messages)
  expect(told).toContain('eggs, flour')
  expect(told).toContain('data:image/png;base64,iVBOR')
  expect(told).not.toContain('extra.txt')
  expect(await page.getByRole('button', { name: /^Remove / }).count()).toBe(0)
  const image = page.getByRole('img', { name: 'Picture: shot.png' })
  await poll(() => image.evaluate((one) => 'naturalWidth' in one && one.naturalWidth)).toBe(1)
  expect(await page.locator('main [data-role=user] img').count()).toBe(1)
  await desktop.restart()
  const again = await desktop.page({ path: new URL(page.url()).pathname })
  await again.getByRole('img', { name: 'Picture: shot.png' }).waitFor()
  expect(await attached(again).getByRole('listitem').count()).toBe(3)
})

test('a file that is too large is refused with a message, and nothing is sent', async () => {
  await open([])
  const page = await desktop.page()
  await hand(page, 'drop', 'huge.bin', '', 'new Uint8Array(11 * 1024 * 1024)')
  await page.getByText('huge.bin is larger than 10 MiB and was not attached.').waitFor()
  expect(await attached(page).count()).toBe(0)
})

test('a picture that the model is not shown is attached, and a line says so until it is removed', async () => {
  await open([])
  const page = await desktop.page()
  await hand(page, 'paste', 'photo.png', 'image/png', `${picture(png)}, new Uint8Array(5 * 1024 * 1024)`)
  await isAttached(page, 'photo.png')
  const line = page.getByRole('alert').getByText('photo.png is larger than 5 MiB: it is attached, but the model cannot see it.')
  await line.waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove photo.png', exact: true }).click()
  await line.waitFor({ state: 'detached' })
})

test('an @ finds files of the workspace, by keyboard, and hostile names are shown as text', async () => {
  await open([{ text: 'Read.' }], (_, workspace) => {
    mkdirSync(join(workspace, 'src'))
    mkdirSync(join(workspace, 'build'))
    writeFileSync(join(workspace, 'src', 'composer.ts'), '')
    writeFileSync(join(workspace, 'build', 'composer.js'), '')
    writeFileSync(join(workspace, '.gitignore'), 'build/\n')
    writeFileSync(join(workspace, '<b>compose\u202e.md'), '')
  })
  const page = await desktop.page()
  const list = page.getByRole('listbox', { name: 'Files' })
  await box(page).pressSequentially('Read @compo')
  // Slow typing shows the matches of the first letters before.
  const options = async () => (await list.getByRole('option').allInnerTexts()).sort()
  await poll(options).toEqual(['<b>compose⟨U+202E⟩.md', 'src/composer.ts'])
  await box(page).press('Escape')
  await list.waitFor({ state: 'detached' })
  await box(page).pressSequentially('ser')
  await poll(options).toEqual(['src/composer.ts'])
  await box(page).press('Enter')
  expect(await box(page).inputValue()).toBe('Read @src/composer.ts ')
  await box(page).pressSequentially('now')
  await box(page).press('Enter')
  await recordedAnswer(page, 'Read.').waitFor()
  expect(JSON.stringify(desktop.model.requests[0]?.messages)).toContain('Read @src/composer.ts now')
})

test('text typed after choosing a file comes after it, in the middle of a text too', async () => {
  await open([])
  const page = await desktop.page()
  await page.clock.install()
  await box(page).fill('Read @no, then answer')
  for (const _ of ', then answer') await box(page).press('ArrowLeft')
  await page.getByRole('option', { name: 'notes.md' }).waitFor()
  // Stops timers: no delayed action may run before the next keys.
  await page.clock.pauseAt(Date.now() + 60_000)
  await box(page).press('Enter')
  await box(page).pressSequentially('now')
  expect(await box(page).inputValue()).toBe('Read @notes.md now, then answer')
})

test('the arrow keys recall earlier messages, and drafts stay with their conversation', async () => {
  await open([{ text: 'One.' }, { text: 'Two.' }])
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'First words.')
  await recordedAnswer(page, 'One.').waitFor()
  await poll(() => page.getByRole('button', { name: 'Send' }).count()).toBe(1)
  await sendMessage(page, 'Second words.')
  await recordedAnswer(page, 'Two.').waitFor()
  await box(page).press('ArrowUp')
  expect(await box(page).inputValue()).toBe('Second words.')
  await box(page).press('ArrowUp')
  expect(await box(page).inputValue()).toBe('First words.')
  await box(page).press('ArrowDown')
  await box(page).press('ArrowDown')
  expect(await box(page).inputValue()).toBe('')
  await box(page).fill('half a thought')
  await page.getByRole('link', { name: 'New conversation' }).click()
  await page.getByRole('heading', { name: 'What can I help with?' }).waitFor()
  expect(await box(page).inputValue()).toBe('')
  await page.goBack()
  await poll(() => box(page).inputValue()).toBe('half a thought')
})

test('the first Esc asks, the second stops the run', async () => {
  await open([{ text: 'I begin', hold: new Promise<void>(() => undefined) }])
  const page = await desktop.page()
  await page.clock.install()
  await sendMessage(page, 'Go.')
  await streamingAnswer(page, 'I begin').waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).last().waitFor()
  // With a running clock, the question could time out between the two keys here.
  await page.clock.pauseAt(Date.now() + 60_000)
  await box(page).press('Escape')
  await page.getByText('Press Esc again to stop the run').waitFor()
  await box(page).press('Escape')
  await page.clock.resume()
  await page.locator('article[data-card=RunStatus]').getByText('Stopped', { exact: true }).waitFor()
})

test('code is highlighted by a worker: the text stays the same, and the layout does not shift', async () => {
  const code = "const greeting = '<b>hello</b>' // said\nexport function wave(): number {\n  return 42\n}"
  await open([{ text: `Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nand\n\n\`\`\`nolanguage\nplain\n\`\`\`` }])
  const page = await desktop.page()
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  await sendMessage(page, 'Show code.')
  await recordedAnswer(page, 'Look:').waitFor()
  const block = page.locator('.code-block code').first()
  await page.locator('[data-tint=keyword]').first().waitFor()
  expect(await block.innerText()).toBe(code)
  expect(await page.locator('[data-tint=string]').first().innerText()).toBe("'<b>hello</b>'")
  expect(await page.locator('.code-block').last().locator('[data-tint]').count()).toBe(0)
  await poll(() => workers.map((url) => new URL(url).pathname)).toEqual([expect.stringContaining('/assets/highlight-worker-')])
  const height = await block.evaluate((one) => one.getBoundingClientRect().height)
  await page.evaluate("for (const one of document.querySelectorAll('[data-tint]')) one.replaceWith(one.textContent)")
  expect(await block.evaluate((one) => one.getBoundingClientRect().height)).toBe(height)
})

test('formulas, tasks, footnotes, tables and long code are shown as they are meant', async () => {
  const long = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join('\n')
  const table =
    '| Name | Amount | A very long heading of a column |\n|:--|--:|:-:|\n| Rent | 1,200 | y |\n| Verylongwordwithoutanyspace | 7 | n |'
  const text = [
    'The roots are $x = \\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}$, it costs $5 or $10.[^1]',
    '$$\n\\int_0^1 x^2\\,dx = \\tfrac13\n$$',
    'Broken: $\\nosuchcommand{<img src=x onerror=alert(1)>}$',
    '- [x] read\n- [ ] write',
    table,
    'שלום עולם',
    `\`\`\`\n${long}\n\`\`\``,
    '[^1]: From the *book*.',
  ].join('\n\n')
  await open([{ text }])
  const page = await desktop.page({ width: 420 })
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).hostname))
  await sendMessage(page, 'Show.')
  await recordedAnswer(page, 'The roots are').waitFor()
  const answer = page.locator('[data-role=assistant] .prose').last()
  await answer.locator('math').first().waitFor()
  expect(await answer.locator('math[display=block]').count()).toBe(1)
  expect(await answer.locator('img').count()).toBe(0)
  expect(await answer.getByText('it costs $5 or $10.').count()).toBe(1)
  expect(await answer.getByRole('checkbox', { name: 'Done' }).isChecked()).toBe(true)
  expect(await answer.getByRole('checkbox', { name: 'To do' }).isChecked()).toBe(false)
  const styles = `[...document.querySelectorAll('.prose td, .prose > p')].map((one) => {
    const { textAlign, direction } = getComputedStyle(one)
    return [one.textContent.slice(0, 5), textAlign, direction]
  })`
  expect(await page.evaluate(styles)).toEqual(
    expect.arrayContaining([
      ['1,200', 'right', 'ltr'],
      ['The r', 'start', 'ltr'],
      ['שלום ', 'start', 'rtl'],
    ]),
  )
  await answer.getByRole('button', { name: 'Footnote 1' }).click()
  await poll(() => page.evaluate('document.activeElement?.textContent')).toContain('From the book.')
  const block = answer.locator('.code-block')
  const heightOf = () => block.evaluate((one) => one.getBoundingClientRect().height)
  const folded = await heightOf()
  await block.getByRole('button', { name: 'Show all 60 lines' }).click()
  await poll(heightOf).toBeGreaterThan(folded * 2)
  expect(await block.locator('code').innerText()).toBe(long)
  // The numbers are no text of the page, so that they are not copied.
  const numbers = () => page.evaluate("getComputedStyle(document.querySelector('.code-block pre'), '::before').content")
  expect(String(await numbers()).match(/\d+/g)).toHaveLength(60)
  await block.getByRole('button', { name: 'Wrap lines' }).click()
  await poll(numbers).toBe('none')
  expect(await page.evaluate("getComputedStyle(document.querySelector('.code-block code')).whiteSpace")).toBe('pre-wrap')
  await block.getByRole('button', { name: 'Show less' }).click()
  await poll(heightOf).toBeLessThan(folded + 40)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(420)
  expect(await seriousFindings(page)).toEqual([])
  expect(new Set(requests)).toEqual(new Set(['127.0.0.1']))
})

test('a conversation is saved as a file, complete and with its authors', async () => {
  await open([{ text: '# Result\n\nIt is *done*.' }])
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Do it.')
  await recordedAnswer(page, 'It is').waitFor()
  await page.getByRole('heading', { name: 'Today', level: 3 }).waitFor()
  for (const format of ['Markdown', 'JSON']) {
    await page.getByRole('button', { name: 'More actions for Do it.' }).click()
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: `Save as ${format}` }).click()
    const download = await coming
    expect(download.suggestedFilename()).toBe(format === 'JSON' ? 'Do it.json' : 'Do it.md')
    const text = readFileSync(await download.path(), 'utf8')
    if (format === 'JSON') expect(JSON.parse(text)).toMatchObject({ messages: [{ text: 'Do it.' }, { text: '# Result\n\nIt is *done*.' }] })
    else expect(text).toMatch(/^# Do it\.\n[\s\S]*## You, [\s\S]*Do it\.\n\n## Agent, [\s\S]*### Result\n\nIt is \*done\*\.\n$/)
  }
})

test('a screenshot of a tool is shown in its card, and a missing one is not requested twice', async () => {
  await open([{ text: 'Wait', hold: new Promise<void>(() => undefined) }])
  const page = await desktop.page()
  await sendMessage(page, 'Take a picture.')
  await streamingAnswer(page, 'Wait').waitFor()
  const [run] = desktop.runtime.journal.runs({ limit: 1 })
  if (!run) throw new Error('no run was started')
  const added = await desktop.runtime.commands.call('attachment_add', {
    name: 'screenshot.png',
    media_type: 'image/png',
    data: Buffer.from(png).toString('base64'),
  })
  if (!added.ok) throw new Error(added.error.message)
  const { file_id } = added.value.attachment
  const show = (call_id: string, output: unknown) => {
    desktop.runtime.journal.append(run.run_id, { kind: 'tool.call', call_id, tool: 'browser.screenshot', arguments: '{}' })
    const result = { kind: 'tool.result', call_id, outcome: 'succeeded', truncated: false, failure_contract: null } as const
    desktop.runtime.journal.append(run.run_id, { ...result, output: output as never })
  }
  const picture = { media_type: 'image/png', width: 1, height: 1, bytes: png.length, file: 'shot.png', sha256: 'a'.repeat(64) }
  const shot = { tab: 't1', url: 'https://example.org/', ...picture }
  show('c1', { ...shot, file_id })
  const image = page.locator('[data-card=ToolResult]').getByRole('img', { name: 'Picture: shot.png' })
  await poll(() => image.evaluate((one) => 'naturalWidth' in one && one.naturalWidth)).toBe(1)
  show('c2', { ...shot, file_id: '../../status.json' })
  await page.getByText('The picture is no longer on this device.').waitFor()
  // The browser's own message about the missing image.
  await poll(() => desktop.consoleErrors).toEqual([expect.stringContaining('404')])
  desktop.consoleErrors.splice(0)
})

test('search finds words in the whole conversation, rendered or not, and in all conversations', async () => {
  let conversation_id = ''
  await open([{ text: 'The lighthouse stands.' }], (home, workspace) => {
    conversation_id = writeLongThread(home, workspace, 1_000)
  })
  const page = await desktop.page({ width: 1200 })
  await sendMessage(page, 'Tell me of the coast.')
  await recordedAnswer(page, 'The lighthouse stands.').waitFor()
  const sought = page.getByRole('searchbox', { name: 'Search conversations' })
  await sought.fill('lighthouse')
  const list = page.getByRole('navigation', { name: 'Conversations' })
  await list.getByText('The lighthouse stands.').waitFor()
  expect(await list.getByRole('link').count()).toBe(1)
  await sought.fill('no such words')
  await list.getByText('No results for “no such words”').waitFor()
  await sought.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('lighthouse')
  await page.getByRole('option', { name: /Tell me of the coast/ }).waitFor()
  await page.keyboard.press('Escape')
  await list.getByRole('link', { name: 'A long thread' }).click()
  await page.locator('article[data-card=RunStatus]').waitFor()
  await page.keyboard.press('Control+f')
  await page.getByRole('textbox', { name: 'Find in this conversation' }).fill('file-123.md')
  await page.getByText('1 of 1').waitFor()
  const row = page.locator('[data-found]')
  await row.filter({ hasText: 'file-123.md' }).waitFor()
  await poll(() => row.evaluate((one) => one.getBoundingClientRect().top > 0 && one.getBoundingClientRect().bottom < 800)).toBe(true)
  expect(new URL(page.url()).pathname).toBe(`/c/${conversation_id}`)
  await page.keyboard.press('Escape')
  await row.waitFor({ state: 'detached' })
})

test('j and k move from card to card through a long thread, Enter opens, Esc returns to the composer', async () => {
  let conversation_id = ''
  await open([], (home, workspace) => {
    conversation_id = writeLongThread(home, workspace, 300)
  })
  const page = await desktop.page({ path: `/c/${conversation_id}` })
  await page.locator('article[data-card=RunStatus]').waitFor()
  await page.getByRole('log').focus()
  const focused = () => page.evaluate("document.activeElement.closest('[data-part]')?.dataset.part ?? document.activeElement.id")
  await page.keyboard.press('k')
  await poll(focused).toMatch(/^run:/)
  for (let times = 0; times < 30; times += 1) {
    const before = await focused()
    await page.keyboard.press('k')
    // Between two cards the focus may be on none.
    await poll(async () => /^(?:call|result):/.test(String(await focused())) && (await focused()) !== before).toBe(true)
  }
  expect(await focused()).toBe('call:c270')
  await page.keyboard.press('Enter')
  await page.locator('[data-part="call:c270"]').getByText('text 270', { exact: true }).waitFor()
  await page.keyboard.press('j')
  await poll(focused).toBe('call:c271')
  await page.keyboard.press('Escape')
  await poll(focused).toBe('composer')
})

test('a reader who returns to a long thread finds the position and the cards unchanged', async () => {
  let conversation_id = ''
  await open([{ text: 'Other.' }], (home, workspace) => {
    conversation_id = writeLongThread(home, workspace, 2_000)
  })
  const page = await desktop.page({ path: `/c/${conversation_id}`, width: 1200 })
  await page.locator('article[data-card=RunStatus]').waitFor()
  await wheelUp(page, 5_000)
  const first = () =>
    page.evaluate(`(() => {
      const log = document.querySelector('[role=log]').getBoundingClientRect()
      const row = [...document.querySelectorAll('[data-part]')].find((one) => one.getBoundingClientRect().top >= log.top)
      return row.dataset.part + '@' + Math.round(row.getBoundingClientRect().top)
    })()`) as Promise<string>
  const before = await settled(page, first)
  const name = before.slice(0, before.indexOf('@'))
  await page.locator(`[data-part="${name}"] .card-line`).click()
  await page.locator(`[data-part="${name}"] [aria-expanded=true]`).waitFor()
  const place = await settled(page, first)
  await page.getByRole('link', { name: 'New conversation' }).click()
  await page.getByRole('heading', { name: 'What can I help with?' }).waitFor()
  await page.goBack()
  await page.locator(`[data-part="${name}"] [aria-expanded=true]`).waitFor()
  await poll(first).toBe(place)
})
