// Six members work at the same time in copies of a large folder: a person merges what they did in the window, resolves one conflict by hand,
// and undoes all of it.
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { expect, test, vi } from 'vitest'
import type { ScriptedTurn } from '../packages/runtime/test/support/model/test-model.ts'
import { call, teamScript } from '../packages/runtime/test/support/team/test-team-script.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { approval, type Desktop, recordedAnswer, sendMessage } from './test-desktop.ts'

/** More: npm run test:team. */
const files = Number(process.env.TANDEM_TEAM_FILES ?? 600)
const perFolder = 50
const numbers = [1, 2, 3, 4, 5, 6] as const
const contested = 'contested.txt'
const patience_ms = 120_000 + files * 30

// Deleting the copies takes as long as making them.
vi.setConfig({ hookTimeout: patience_ms })
const openDesktop = useTestDesktop()
let desktop: Desktop

const pathOf = (at: number) => `part-${Math.floor(at / perFolder)}/file-${at}.txt`
const lines = (at: number) => Array.from({ length: 20 }, (_line, no) => `line ${no} of file ${at}, as it was before the team\n`)

/** The contested file with other lines. */
function contestedWith(changed: Readonly<Record<number, string>>): string {
  return lines(-1)
    .map((line, no) => changed[no] ?? line)
    .join('')
}

/** What each member does: it changes ten files, one of which it adds and one of which it deletes. The first two have one in common. */
function workOf(number: number) {
  const own = (nth: number) => pathOf(number * perFolder + nth)
  const isContesting = number <= 2
  const edited = Array.from({ length: isContesting ? 7 : 8 }, (_edit, nth) => own(nth))
  const written = new Map(edited.map((path) => [path, `rewritten by member ${number}\n`]))
  written.set(`new-${number}/added.txt`, `added by member ${number}\n`)
  if (isContesting) {
    const elsewhere = number === 1 ? 2 : 17
    written.set(contested, contestedWith({ [elsewhere]: `line of member ${number}\n`, 10: `the same line by member ${number}\n` }))
  }
  return { written, deleted: own(perFolder - 1) }
}

/** The merge begins when what the members did was checked. */
const checked = Promise.withResolvers<void>()

const script = teamScript({
  Lead(done, heard) {
    if (done.length === 0)
      return call('agent.spawn', { members: numbers.map((number) => ({ title: `Member ${number}`, task: `Part ${number}` })) })
    if (heard.filter((text) => text.includes('has ended')).length < numbers.length) return { text: 'I wait for the members.' }
    const run_ids = [...(done[0] ?? '').matchAll(/"run_id":"([^"]+)"/g)].map(([, run_id]) => run_id)
    return done.length === 1 ? { ...call('agent.merge_result', { run_ids }), hold: checked.promise } : { text: 'Everything is merged.' }
  },
  ...Object.fromEntries(numbers.map((number) => [`Part ${number}`, (done: readonly string[]) => turnOf(number, done)])),
})

function turnOf(number: number, done: readonly string[]): ScriptedTurn {
  if (done.length > 0) return { text: `Part ${number} is ready.` }
  const { written, deleted } = workOf(number)
  const writes = [...written].map(([path, content]) => ({ name: 'fs.write', arguments: { path, content, create_parents: true } }))
  return { calls: [...writes, { name: 'fs.delete', arguments: { path: deleted } }] }
}

test(`six members in copies of ${files} files, with one conflict: merged, and undone byte for byte`, { timeout: patience_ms }, async () => {
  desktop = await openDesktop(script, (_home, workspace) => fill(workspace))
  const { workspace, runtime } = desktop
  const before = contentsOf(workspace)
  const { agent } = await ask('agent_create', { name: 'Lead' })
  for (const tool of ['agent.spawn', 'fs.write']) {
    const { policy } = await ask('agent_tool_policy_get', { agent_id: agent.agent_id, tool })
    await ask('agent_tool_policy_set', { agent_id: agent.agent_id, tool, policy: { ...policy.policy, approval_mode: 'auto' } })
  }
  const page = await desktop.page({ width: 1200, height: 1_400 })
  page.setDefaultTimeout(patience_ms)
  const run_id = await timed('six members copy the folder and work', async () => {
    await sendMessage(page, 'Lead')
    // The newest is first.
    const started = (await ask('agent_run_list', {})).items.at(-1)?.run_id ?? ''
    await approvedUntil(() => runtime.journal.steps(started).filter(({ step }) => step.kind === 'child.ended').length === numbers.length)
    return started
  })
  const { copies } = await ask('team_get_copies', {})
  expect(copies.map(({ title, state }) => [title, state]).toSorted()).toEqual(numbers.map((number) => [`Member ${number}`, 'unmerged']))
  expect(contentsOf(workspace)).toEqual(before)

  const conflict = approval(page).getByRole('group', { name: 'Conflict 1 of 1' })
  await timed('the merge, up to its conflict in the window', async () => {
    checked.resolve()
    await conflict.waitFor()
  })
  await conflict.getByText('Current, by Member 1').waitFor()
  await conflict.getByText('Change, by Member 2').waitFor()
  await conflict.getByText('Own text').click()
  await conflict.getByRole('textbox', { name: 'Own text for conflict 1' }).fill('the same line, as a person decided\n')
  await timed('the merge itself', async () => {
    await approval(page).getByRole('button', { name: 'Allow once' }).click()
    await recordedAnswer(page, 'Everything is merged.').waitFor()
  })
  const results = runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.result' ? [step] : []))
  expect(results[1]?.output).toMatchObject({ conflicts_resolved: 1, more_changed: 0, notes: [] })
  expect(contentsOf(workspace)).toEqual(merged(before))

  await page.locator('article[data-card=RunStatus]').last().getByRole('link', { name: 'Undo' }).click()
  await page.locator(`li[data-path="${join(workspace, contested)}"]`).waitFor()
  await timed('undo', async () => {
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByRole('heading', { name: 'Restored' }).waitFor()
  })
  expect(contentsOf(workspace)).toEqual(before)
})

async function ask<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answer = await desktop.runtime.commands.call(name, params)
  if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
  return answer.value
}

function fill(workspace: string): void {
  for (let at = 0; at < files; at += 1) {
    if (at % perFolder === 0) mkdirSync(join(workspace, `part-${at / perFolder}`))
    writeFileSync(join(workspace, pathOf(at)), lines(at).join(''))
  }
  writeFileSync(join(workspace, contested), contestedWith({}))
}

/** By path: the type, the permissions and the content of everything in a folder. */
function contentsOf(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry): [string, string] => {
    const path = join(entry.parentPath, entry.name)
    return [path.slice(folder.length + 1), entry.isFile() ? sealOf(readFileSync(path), lstatSync(path).mode) : 'folder']
  })
  return new Map(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

function sealOf(content: string | Buffer, mode: number): string {
  return `${(mode & 0o777).toString(8)} ${createHash('sha256').update(content).digest('hex')}`
}

function merged(before: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const after = new Map(before)
  const usual = Number.parseInt(before.get(contested)?.split(' ')[0] ?? '', 8)
  for (const number of numbers) {
    const { written, deleted } = workOf(number)
    for (const [path, content] of written) after.set(path, sealOf(content, usual))
    after.set(`new-${number}`, 'folder').delete(deleted)
  }
  const decided = 'the same line, as a person decided\n'
  after.set(contested, sealOf(contestedWith({ 2: 'line of member 1\n', 10: decided, 17: 'line of member 2\n' }), usual))
  return new Map([...after].toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

/** Each deletion needs an approval. */
async function approvedUntil(isDone: () => boolean): Promise<void> {
  const answerAll = async () => {
    for (const { run_id, approval } of (await ask('approval_list', {})).items) {
      const { approval_id, fingerprint } = approval
      const answer = { kind: 'approval' as const, approval_id, fingerprint, answer: 'once' as const }
      await desktop.runtime.commands.call('agent_run_resume', { run_id, answer })
    }
    return isDone()
  }
  await expect.poll(answerAll, { timeout: patience_ms, interval: 50 }).toBe(true)
}

/** Prints what a part of a large run took. The process also contains the test and its model. */
async function timed<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  const started = performance.now()
  const value = await work()
  if (process.env.TANDEM_TEAM_FILES === undefined) return value
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`
  const memory = `process ${mebibytes(process.memoryUsage.rss())}, at most ${mebibytes(process.resourceUsage().maxRSS * 1_024)}`
  const disk = ['workspace', 'home/copies', 'home'].map((name) => `${name} ${mebibytes(diskUse(join(desktop.folder, name)))}`)
  console.info(`${files} files, ${what}: ${seconds} s; ${memory}; on disk: ${disk.join(', ')}`)
  return value
}

function diskUse(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (bytes, { parentPath, name }) => bytes + (lstatSync(join(parentPath, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512,
    0,
  )
}
