// A runtime struck down in the middle of a run: the window shows all there was, once, and the run is gone on with.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestModel, type TestModel } from '../packages/runtime/src/model/test-model.ts'
import { launchChromium } from './chromium.ts'
import { say } from './desktop-window.ts'

const bin = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))
const timeout = 120_000

let browser: Browser
let model: TestModel
let folder: string
const processes: ChildProcess[] = []

beforeAll(async () => {
  browser = await launchChromium()
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-kill-')))
  mkdirSync(join(folder, 'workspace'))
  writeFileSync(join(folder, 'workspace', 'count.txt'), 'x')
})

afterAll(async () => {
  await browser.close()
  for (const child of processes) child.kill('SIGKILL')
  await model?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** `tandem start`, whose backend can't start and is left alone; the answer is the address of its window. */
async function start(): Promise<{ readonly url: string; kill(): Promise<void> }> {
  const { PATH, USER } = process.env
  const environment = { PATH, USER, HOME: folder, TANDEM_HOME: join(folder, 'home'), ENV: 'production', TANDEM_MODEL_URL: model.base_url }
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
        if (found !== undefined && said.includes('Ctrl-C ends it.')) resolve(found)
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

const said = (page: Page) => page.locator('[data-role]').evaluateAll((all) => all.map((one) => one.textContent?.replace(/\d\d:\d\d/, '')))
const file = () => readFileSync(join(folder, 'workspace', 'count.txt'), 'utf8')

test('killed while it speaks: nothing is lost, nothing stands there twice, no change is made again', { timeout }, async () => {
  const edit = { name: 'fs.edit', arguments: { path: 'count.txt', edits: [{ old_text: 'x', new_text: 'xx' }] } }
  model = await startTestModel((index) => {
    if (index === 0) return { text: 'I change it.', calls: [edit] }
    return index === 1 ? { text: 'It is done, and more I', hold: new Promise<void>(() => undefined) } : { text: 'It is done.' }
  })
  const first = await start()
  const page = await browser.newPage({ viewport: { width: 1200, height: 1_400 } })
  await page.goto(first.url)
  await say(page, 'Change it.')
  await page.getByRole('button', { name: 'Yes, once' }).click()
  await page.locator('[data-standing=coming]').filter({ hasText: 'and more' }).waitFor()
  expect(file()).toBe('xx')
  await first.kill()
  await page.getByText('The runtime does not answer.').waitFor({ timeout: 30_000 })
  expect((await said(page)).slice(0, 2)).toEqual(['You: Change it.', 'Agent: I change it.'])

  const second = await start()
  // The same address as before, so that the window comes back to what it was by itself.
  expect(new URL(second.url).origin).toBe(new URL(first.url).origin)
  await page.goto(second.url.replace('/#', `${new URL(page.url()).pathname}#`))
  await page.reload()
  await page.locator('article[data-card=RunStatus]').getByText('paused', { exact: true }).waitFor()
  expect((await said(page)).slice(0, 2)).toEqual(['You: Change it.', 'Agent: I change it.'])
  await page.getByRole('button', { name: 'Go on' }).last().click()
  await page.locator('[data-role=assistant]').filter({ hasText: 'It is done.' }).waitFor()
  await page.locator('article[data-card=RunStatus]').getByText('done', { exact: true }).waitFor()
  const whole = await said(page)
  expect(whole.filter((text) => text === 'You: Change it.' || text === 'Agent: I change it.' || text === 'Agent: It is done.')).toEqual([
    'You: Change it.',
    'Agent: I change it.',
    'Agent: It is done.',
  ])
  expect(await page.locator('article[data-card=ToolCall]').count()).toBe(1)
  expect(await page.locator('article[data-card=ToolResult]').count()).toBe(1)
  expect(file()).toBe('xx')
})
