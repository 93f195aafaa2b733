// A runtime killed during a run, while it streams, waits and works: the window shows everything, once, and the run can be resumed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { chatWords } from '../packages/desktop/src/strings/chat.ts'
import { startTestModel, type TestModel } from '../packages/runtime/test/support/model/test-model.ts'
import { launchChromium } from './chromium.ts'
import { recordedAnswer, sendMessage, streamingAnswer } from './test-desktop.ts'

const bin = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))

let browser: Browser
let model: TestModel
let folder: string
const processes: ChildProcess[] = []

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-kill-')))
  mkdirSync(join(folder, 'workspace'))
  writeFileSync(join(folder, 'workspace', 'count.txt'), 'x')
})

afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
  // A running one would write to the folder while it is deleted.
  await Promise.all(
    processes.splice(0).map(async (child) => {
      const isOver = child.exitCode !== null || child.signalCode !== null
      if (!isOver && child.kill('SIGKILL')) await once(child, 'exit')
    }),
  )
  await model?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** `tandem start` without a backend, which cannot start here; returns the address of its window. */
async function start(): Promise<{ readonly url: string; kill(): Promise<void> }> {
  const { PATH, USER } = process.env
  const environment = {
    PATH,
    USER,
    HOME: folder,
    TANDEM_HOME: join(folder, 'home'),
    ENV: 'production',
    TANDEM_MEMORY_MODEL: 'off',
    TANDEM_MODEL_URL: model.base_url,
  }
  const child = spawn(process.execPath, [bin, 'start', '--no-window'], {
    cwd: join(folder, 'workspace'),
    env: { ...environment, TANDEM_MODEL: 'scripted' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  processes.push(child)
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const found = /open at\s+(http:\S+)/.exec(said)?.[1]
        if (found !== undefined && said.includes('Press Ctrl-C to stop Tandem.')) resolve(found)
      })
    }
    child.on('close', () => reject(new Error(said)))
  })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return {
    url,
    kill() {
      child.kill('SIGKILL')
      return gone
    },
  }
}

const texts = (page: Page) => page.locator('[data-role]').evaluateAll((all) => all.map((one) => one.textContent?.replace(/\d\d:\d\d/, '')))
const file = (name = 'count.txt') => readFileSync(join(folder, 'workspace', name), 'utf8')
const runIs = (page: Page, word: string) => page.locator('article[data-card=RunStatus]').getByText(word, { exact: true }).waitFor()

/** The same address as before, so that the window reconnects on its own. */
async function startAgain(page: Page, before: string): Promise<Awaited<ReturnType<typeof start>>> {
  const again = await start()
  expect(new URL(again.url).origin).toBe(new URL(before).origin)
  await page.goto(again.url.replace('/#', `${new URL(page.url()).pathname}#`))
  // The code in the address can be used once: a reload before the response would lose it.
  const notConnected = page.getByText(/Connection lost|no longer authorized|Connecting to the runtime/)
  await notConnected.waitFor({ state: 'hidden' })
  await page.reload()
  return again
}

test('killed while it streams: nothing is lost, nothing is duplicated, no change is made again', async () => {
  const edit = { name: 'fs.edit', arguments: { path: 'count.txt', edits: [{ old_text: 'x', new_text: 'xx' }] } }
  model = await startTestModel((index) => {
    if (index === 0) return { text: 'I change it.', calls: [edit] }
    return index === 1 ? { text: 'It is done, and more I', hold: new Promise<void>(() => undefined) } : { text: 'It is done.' }
  })
  const first = await start()
  const page = await browser.newPage({ viewport: { width: 1200, height: 1_400 } })
  page.setDefaultTimeout(60_000)
  await page.goto(first.url)
  await sendMessage(page, 'Change it.')
  await page.getByRole('button', { name: 'Allow once' }).click()
  const half = streamingAnswer(page, 'It is done, and more I')
  await half.waitFor()
  // What a reloaded window shows is on disk.
  await expect
    .poll(
      async () =>
        (await page.reload()) &&
        (await half.waitFor({ timeout: 15_000 }).then(
          () => 'kept',
          () => 'not yet',
        )),
    )
    .toBe('kept')
  expect(file()).toBe('xx')
  const before = ['You: Change it.', 'Agent: I change it.']
  // Streaming text appears before the earlier messages are loaded.
  await expect.poll(() => texts(page)).toEqual([...before, 'It is done, and more I'])
  await first.kill()
  await page.getByText('Connection lost.').waitFor()
  expect(await texts(page)).toEqual([...before, 'It is done, and more I'])

  await startAgain(page, first.url)
  await runIs(page, 'Paused')
  const cut = `It is done, and more I${chatWords.thread.cut}`
  await expect.poll(() => texts(page)).toEqual([...before, cut])
  await page.getByRole('button', { name: 'Continue' }).last().click()
  await recordedAnswer(page, 'It is done.').waitFor()
  await runIs(page, 'Done')
  await expect.poll(() => texts(page)).toEqual([...before, cut, 'Agent: It is done.'])
  // Also in a window that did not see it stream.
  await page.reload()
  await runIs(page, 'Done')
  await expect.poll(() => texts(page)).toEqual([...before, cut, 'Agent: It is done.'])
  expect(await page.locator('article[data-card=ToolCall]').count()).toBe(1)
  expect(await page.locator('article[data-card=ToolCall][data-outcome]').count()).toBe(1)
  expect(file()).toBe('xx')
})

test('killed while an approval is pending, and again while its command runs: it is asked again, and runs once', async () => {
  const command = 'echo ran >> ran.txt; sleep 100'
  model = await startTestModel([
    { text: 'I run it.', calls: [{ name: 'shell.exec', arguments: { command } }] },
    { text: 'I saw it was cut.' },
  ])
  const first = await start()
  const page = await browser.newPage({ viewport: { width: 1200, height: 1_400 } })
  page.setDefaultTimeout(60_000)
  await page.goto(first.url)
  await sendMessage(page, 'Run it.')
  const approval = page.getByRole('alertdialog')
  await approval.waitFor()
  await first.kill()
  await page.getByText('Connection lost.').waitFor()

  const second = await startAgain(page, first.url)
  await approval.getByText('Run echo ran >> ran.txt; sleep 100?').waitFor()
  const before = ['You: Run it.', 'Agent: I run it.']
  await expect.poll(() => texts(page)).toEqual(before)
  expect([await approval.count(), existsSync(join(folder, 'workspace', 'ran.txt'))]).toEqual([1, false])
  await approval.getByRole('button', { name: 'Allow once' }).click()
  await expect.poll(() => existsSync(join(folder, 'workspace', 'ran.txt')) && file('ran.txt')).toBe('ran\n')
  await second.kill()
  await page.getByText('Connection lost.').waitFor()

  await startAgain(page, first.url)
  await runIs(page, 'Paused')
  await expect.poll(() => texts(page)).toEqual(before)
  expect(await approval.count()).toBe(0)
  await page.getByRole('button', { name: 'Continue' }).last().click()
  await runIs(page, 'Done')
  await expect.poll(() => texts(page)).toEqual([...before, 'Agent: I saw it was cut.'])
  const cards = (kind: string) => page.locator(`article[data-card=${kind}]`)
  expect([await cards('ToolCall').count(), await cards('ToolCall').and(page.locator('[data-outcome]')).count()]).toEqual([1, 1])
  await cards('ToolCall').and(page.locator('[data-outcome=interrupted]')).waitFor()
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('interrupted')
  expect([model.requests.length, file('ran.txt')]).toEqual([2, 'ran\n'])
})
