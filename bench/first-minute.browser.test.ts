// The parts of the first minute: what a new user does in the window and in a terminal, without a clone.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { launchChromium } from '../e2e/chromium.ts'
import { openDesktop } from '../e2e/test-desktop.ts'
import { rowsOf } from './first-minute.bench.ts'
import { machinePath } from './first-minute-clone.ts'
import { firstTask, startFirstModel } from './first-minute-model.ts'
import { startSteps } from './first-minute-steps.ts'
import { visitTerminal } from './first-minute-terminal.ts'
import { visitWindow } from './first-minute-window.ts'

const tandem = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))

test('in the window: the demo is named, a model is added, and a file is written after approval', async () => {
  const browser = await launchChromium()
  const model = await startFirstModel()
  const desktop = await openDesktop(browser, [], undefined, { TANDEM_MODEL_URL: '', TANDEM_MODEL: '' })
  try {
    desktop.runtime.offerModels({ base_url: desktop.model.base_url, default_model: 'demo/scripted', key: async () => null })
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const clock = startSteps()
    const file = join(desktop.workspace, firstTask.file)
    await visitWindow({ page, url: desktop.window.windowUrl(), address: model.base_url, file }, clock)
    expect(clock.steps.map(({ name }) => name)).toEqual([
      'page painted',
      'model set up',
      'message sent',
      'first words of the answer',
      'file changed after approval',
    ])
    expect(readFileSync(file, 'utf8')).toBe(firstTask.content)
    await page.goto(`${desktop.window.url}/`)
    await page.getByRole('heading', { name: 'What can I help with?' }).waitFor()
    expect(await page.getByRole('link', { name: 'Add a model' }).count()).toBe(0)
  } finally {
    await browser.close()
    await desktop.stop()
    await model.close()
  }
})

test('in a terminal: a model is set, and a file is written after approval', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-first-terminal-')))
  const workspace = join(folder, 'work')
  mkdirSync(workspace)
  const model = await startFirstModel()
  try {
    const { PATH } = process.env
    const environment = { PATH, HOME: folder, TMPDIR: tmpdir(), TANDEM_HOME: join(folder, 'home'), TANDEM_MEMORY_MODEL: 'off' }
    const clock = startSteps()
    const program = `'${process.execPath}' '${tandem}'`
    await visitTerminal({ program, cwd: folder, workspace, environment, address: model.base_url }, clock)
    expect(clock.steps).toHaveLength(6)
    expect(existsSync(join(workspace, firstTask.file))).toBe(true)
  } finally {
    await model.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})

test('looking at a step takes no time, and only the last step has a target', async () => {
  let at = 0
  const clock = startSteps(() => at)
  at = 2_000
  await clock.done('one', () => {
    at = 50_000
  })
  at = 51_000
  await clock.done('two')
  expect(clock.steps).toEqual([
    { name: 'one', seconds: 2 },
    { name: 'two', seconds: 3 },
  ])
  expect(rowsOf('here', clock.steps).map(({ metric, ours, target, met }) => [metric, ours, target, met])).toEqual([
    ['here: one', 2, null, null],
    ['here: two', 3, 'under 60 s', true],
  ])
  expect(rowsOf('here', [{ name: 'late', seconds: 60 }])[0]?.met).toBe(false)
})

test('a new user has only the programs of the machine', () => {
  expect(machinePath('/usr/bin:/somewhere/node_modules/.bin:/bin')).toBe('/usr/bin:/bin')
})
