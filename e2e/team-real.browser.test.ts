// A team fixes the tests of a project: two members change the same function, a person resolves the conflict in the window, the runtime is
// killed in the middle of the merge, the tests pass in the end, and one restore undoes all of it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRuntime } from '../packages/runtime/src/runtime.ts'
import { manifestOf } from '../packages/runtime/test/support/checkpoint/test-checkpoints.ts'
import { startTestModel, type TestModel } from '../packages/runtime/test/support/model/test-model.ts'
import { call, type TeamScript, teamScript } from '../packages/runtime/test/support/team/test-team-script.ts'
import type { CrashPlan } from '../packages/runtime/test/support/test-crash-preload.ts'
import { launchChromium } from './chromium.ts'
import { approval, recordedAnswer, sendMessage } from './test-desktop.ts'

const bin = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))
const preload = new URL('../packages/runtime/test/support/test-crash-preload.ts', import.meta.url).href
const timeout = 300_000
const step_ms = 60_000

const totalBefore = `export function total(items) {
  let sum = items[0].price
  for (const item of items.slice(1)) sum += item.price
  return sum
}
`
const loopBefore = '  let sum = items[0].price\n  for (const item of items.slice(1)) sum += item.price\n'
const loopForEmpty = '  let sum = 0\n  for (const item of items) sum += item.price\n'
const loopWithQuantity =
  '  let sum = items[0].price * items[0].quantity\n  for (const item of items.slice(1)) sum += item.price * item.quantity\n'
const loopForBoth = '  let sum = 0\n  for (const item of items) sum += item.price * item.quantity\n'

const testOf = (from: string, name: string, actual: string, expected: string) => `import assert from 'node:assert/strict'
import test from 'node:test'
import { ${name} } from '../src/${from}.js'

test('${name}', () => assert.deepEqual(${actual}, ${expected}))
`

/** Some hundred files, most of which nothing changes. */
const project: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shop", "type": "module" }\n',
  '.gitignore': 'node_modules/\n',
  'src/total.js': totalBefore,
  'src/initials.js': 'export const initials = (name) => name[0]\n',
  'test/empty.test.js': testOf('total', 'total', 'total([])', '0'),
  'test/quantity.test.js': testOf('total', 'total', 'total([{ price: 2, quantity: 3 }])', '6'),
  'test/initials.test.js': testOf('initials', 'initials', "initials('Ada Lovelace')", "'AL'"),
  ...Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`src/part-${n % 10}/module-${n}.js`, `export const number = ${n}\n`])),
  ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`node_modules/package-${n % 5}/file-${n}.js`, `module.exports = ${n}\n`])),
}

const runTests = (files = '') => call('shell.exec', { command: `node --test --test-reporter=tap ${files}` })
const edit = (path: string, old_text: string, new_text: string) => call('fs.edit', { path, edits: [{ old_text, new_text }] })

const members = [
  { title: 'Empty list', task: 'Fix test/empty.test.js', fix: edit('src/total.js', loopBefore, loopForEmpty) },
  { title: 'Quantities', task: 'Fix test/quantity.test.js', fix: edit('src/total.js', loopBefore, loopWithQuantity) },
  {
    title: 'Initials',
    task: 'Fix test/initials.test.js',
    fix: edit('src/initials.js', 'name[0]', "name.split(' ').map(([first]) => first).join('')"),
  },
]

const script: TeamScript = {
  'Fix the tests'(done, heard, retries) {
    if (done.length === 0) return runTests()
    if (done.length === 1) return call('agent.spawn', { members: members.map(({ title, task }) => ({ title, task })) })
    if (heard.filter((text) => text.includes('has ended')).length < members.length) return { text: 'I wait for the members.' }
    const run_ids = members.map(({ title }) => new RegExp(`"run_id":"([^"]+)","title":"${title}"`).exec(done[1] ?? '')?.[1] ?? '')
    // The same call, again and again, would be refused.
    if (done.length === 2) return call('agent.merge_result', { run_ids: retries === 0 ? run_ids : [...run_ids, run_ids[0]] })
    return done.length === 3 ? runTests() : { text: /# fail 0/.test(done[3] ?? '') ? 'All tests pass.' : `Tests fail: ${done[3]}` }
  },
  ...Object.fromEntries(
    members.map(({ task, fix }) => {
      const steps = [runTests(task.slice('Fix '.length)), fix, runTests(task.slice('Fix '.length))]
      return [
        task,
        (done: readonly string[]) =>
          steps[done.length] ?? { text: /# fail 1/.test(done[0] ?? '') && /# fail 0/.test(done[2] ?? '') ? 'It passes.' : 'It fails.' },
      ]
    }),
  ),
}

let browser: Browser
let model: TestModel
let folder: string
let workspace: string
const processes: ChildProcess[] = []

beforeAll(async () => {
  browser = await launchChromium()
  model = await startTestModel(teamScript(script))
})
afterAll(async () => {
  await browser.close()
  await model.close()
})

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-team-real-')))
  workspace = join(folder, 'shop')
  for (const [path, content] of Object.entries(project)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true })
    writeFileSync(join(workspace, path), content)
  }
  const git = (...args: readonly string[]) => execFileSync('git', ['-C', workspace, ...args])
  git('init', '--quiet')
  git('add', '.')
  git('-c', 'user.name=Mara', '-c', 'user.email=mara@example.com', 'commit', '--quiet', '--message', 'Start')
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
  rmSync(folder, { recursive: true, force: true })
})

/** The only agent may do all of this without approval, except for the merge. */
async function allowAll(): Promise<void> {
  const runtime = openRuntime({ home: join(folder, 'home'), workspace, environment: environment(), log: () => undefined })
  const answered = async (answer: Promise<{ ok: boolean }>) => expect(await answer).toMatchObject({ ok: true })
  const made = await runtime.commands.call('agent_create', { name: 'Lead' })
  if (!made.ok) throw new Error(made.error.message)
  const { agent_id } = made.value.agent
  for (const tool of ['agent.spawn', 'fs.edit', 'shell.exec']) {
    const had = await runtime.commands.call('agent_tool_policy_get', { agent_id, tool })
    if (!had.ok) throw new Error(had.error.message)
    const policy = { ...had.value.policy.policy, approval_mode: 'auto' as const }
    await answered(runtime.commands.call('agent_tool_policy_set', { agent_id, tool, policy }))
  }
  await runtime.stop()
}

function environment() {
  const { PATH, USER } = process.env
  return {
    ...{ PATH, USER, HOME: folder, TMPDIR: tmpdir(), TANDEM_HOME: join(folder, 'home'), ENV: 'production' },
    ...{ TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: model.base_url, TANDEM_MODEL: 'scripted' },
  }
}

/** `tandem start` without a backend, which cannot start here. */
async function start(plan: CrashPlan | null) {
  const child = spawn(process.execPath, [...(plan ? ['--import', preload] : []), bin, 'start', '--no-window'], {
    cwd: workspace,
    env: { ...environment(), ...(plan ? { TANDEM_TEST_CRASH_PLAN: JSON.stringify(plan) } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  processes.push(child)
  const closed = once(child, 'close')
  let printed = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text
        const found = /open at\s+(http:\S+)/.exec(printed)?.[1]
        if (found !== undefined && printed.includes('Press Ctrl-C to stop Tandem.')) resolve(found)
      })
    }
    child.on('close', () => reject(new Error(printed)))
  })
  return { url, closed }
}

/** One hunk is left to decide: both members changed the loop. */
async function resolveAndAllow(page: Page): Promise<void> {
  await approval(page).getByText('1 conflict is open. Resolve it before you allow the merge.').waitFor()
  const conflict = approval(page).getByRole('group', { name: 'Conflict 1 of 1' })
  await conflict.getByText('Current, by Empty list').waitFor()
  await conflict.getByText('Change, by Quantities').waitFor()
  await conflict.getByText('Own text').click()
  await conflict.getByRole('textbox', { name: 'Own text for conflict 1' }).fill(loopForBoth)
  await approval(page).getByText('All conflicts are resolved.').waitFor()
  await approval(page).getByRole('button', { name: 'Allow once' }).click()
}

test('three members fix three tests, a conflict is resolved, the merge survives a kill, and all of it is undone', { timeout }, async () => {
  await allowAll()
  const before = manifestOf(workspace)
  const first = await start({ kill: 'at', n: 1, among: ['merge_applying'] })
  const page = await browser.newPage({ viewport: { width: 1200, height: 1_400 } })
  page.setDefaultTimeout(step_ms)
  await page.goto(first.url)
  await sendMessage(page, 'Fix the tests')
  await approval(page)
    .getByRole('heading', { name: /^Merge the work/ })
    .waitFor()
  await page.getByRole('link', { name: 'Team of 4' }).click()
  const rows = page.getByRole('list', { name: 'Members of the team' }).locator('[data-member]')
  await expect.poll(() => rows.getByText('Done', { exact: true }).count(), { timeout: step_ms }).toBe(members.length)
  await page.goBack()
  expect(manifestOf(workspace)).toEqual(before)
  await resolveAndAllow(page)
  expect(await first.closed).toEqual([null, 'SIGKILL'])
  expect(manifestOf(workspace)).not.toEqual(before)
  await page.getByText('Connection lost.').waitFor()

  const second = await start(null)
  await page.goto(second.url.replace('/#', `${new URL(page.url()).pathname}#`))
  await page.getByText(/Connection lost|no longer authorized|Connecting to the runtime/).waitFor({ state: 'hidden' })
  expect(manifestOf(workspace)).toEqual(before)
  await page.getByRole('button', { name: 'Continue' }).last().click()
  await resolveAndAllow(page)
  await recordedAnswer(page, 'All tests pass.').waitFor()
  await page.getByText('Merged the work on “Quantities”: 1 path changed, 1 conflict resolved.').waitFor()
  const status = page.locator('article[data-card=RunStatus]').last()
  await status.getByText('Done', { exact: true }).waitFor()
  expect(execFileSync('node', ['--test', '--test-reporter=tap'], { cwd: workspace, encoding: 'utf8' })).toContain('# fail 0')

  await status.getByRole('link', { name: 'Undo' }).click()
  await page.locator(`li[data-path="${join(workspace, 'src/total.js')}"]`).waitFor()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('heading', { name: 'Restored' }).waitFor()
  expect(manifestOf(workspace)).toEqual(before)
})
