// Six members work at the same time in copies of a large folder: what they did is merged, one conflict is resolved, and all of it is undone.
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTerminalRunState } from '@tandem/contract/run'
import { afterEach, expect, test } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { call, teamScript } from './support/team/test-team-script.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

/** More: npm run test:team. */
const files = Number(process.env.TANDEM_TEAM_FILES ?? 600)
const perFolder = 50
const numbers = [1, 2, 3, 4, 5, 6] as const
const contested = 'contested.txt'
const patience_ms = 120_000 + files * 30

let agent: TestAgent
// Deleting the copies takes as long as making them.
afterEach(() => agent.stop(), patience_ms)

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
    if (done.length === 1) return { ...call('agent.merge_result', { run_ids }), hold: checked.promise }
    const conflict_ids = [...(done[1] ?? '').matchAll(/"conflict_id":"([^"]+)"/g)].map(([, conflict_id]) => conflict_id)
    if (done.length === 2)
      return call('agent.merge_result', { run_ids, resolutions: conflict_ids.map((conflict_id) => ({ conflict_id, use: 'both' })) })
    return { text: 'Everything is merged.' }
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
  agent = await startTestAgent(script)
  fill(agent.workspace)
  const before = contentsOf(agent.workspace)
  const agent_id = await agent.agent()
  for (const tool of ['agent.spawn', 'fs.write']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
  const ended = (run_id: string) => agent.runtime.journal.steps(run_id).filter(({ step }) => step.kind === 'child.ended').length

  const run_id = await timed('six members copy the folder and work', async () => {
    const run = await agent.ask(agent_id, 'Lead')
    await approvedUntil(() => ended(run.run_id) === numbers.length)
    return run.run_id
  })
  const { copies } = await agent.call('team_get_copies', {})
  expect(copies.map(({ title, state }) => [title, state]).toSorted()).toEqual(numbers.map((number) => [`Member ${number}`, 'unmerged']))
  expect(contentsOf(agent.workspace)).toEqual(before)

  await timed('a merge that finds the conflict, and one that resolves it', () => {
    checked.resolve()
    return approvedUntil(() => isTerminalRunState(agent.runtime.journal.run(run_id)?.state ?? 'failed'))
  })
  const results = agent.runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.result' ? [step] : []))
  expect(results.map(({ failure_contract }) => failure_contract?.reason_code ?? 'ok')).toEqual(['ok', 'merge_conflicts', 'ok'])
  expect(results[2]?.output).toMatchObject({ conflicts_resolved: 1, more_changed: 0, notes: [] })
  expect(contentsOf(agent.workspace)).toEqual(merged(before))

  const { items } = await agent.call('agent_run_list_checkpoints', { run_id })
  // The newest is first; the other one is of the call that found the conflict.
  expect(items.map(({ tool }) => tool)).toEqual(['agent.merge_result', 'agent.merge_result'])
  const checkpoint_id = items[0]?.checkpoint_id ?? ''
  await timed('undo', () => agent.call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'stop' }))
  expect(contentsOf(agent.workspace)).toEqual(before)
})

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
  const both = 'the same line by member 1\nthe same line by member 2\n'
  after.set(contested, sealOf(contestedWith({ 2: 'line of member 1\n', 10: both, 17: 'line of member 2\n' }), usual))
  return new Map([...after].toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

/** Deleting and merging need an approval each time. */
async function approvedUntil(isDone: () => boolean): Promise<void> {
  const answerAll = async () => {
    for (const { run_id, approval } of (await agent.call('approval_list', {})).items) {
      const { approval_id, fingerprint } = approval
      const answer = { kind: 'approval' as const, approval_id, fingerprint, answer: 'once' as const }
      await agent.runtime.commands.call('agent_run_resume', { run_id, answer })
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
  const disk = ['workspace', 'home/copies', 'home'].map((name) => `${name} ${mebibytes(diskUse(join(agent.folder, name)))}`)
  console.info(`${files} files, ${what}: ${seconds} s; ${memory}; on disk: ${disk.join(', ')}`)
  return value
}

function diskUse(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (bytes, { parentPath, name }) => bytes + (lstatSync(join(parentPath, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512,
    0,
  )
}
