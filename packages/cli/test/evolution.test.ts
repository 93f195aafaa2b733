// `tandem evolution` as users and scripts see it: a real runtime for each command, and a routine repeated in runs of a scripted model.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CommandResult } from '@tandem/contract/command'
import { expect, test } from 'vitest'
import { useScriptedTandem } from './support/test-scripted.ts'
import { parseJsonLines } from './support/test-tandem.ts'

const timeout = 600_000

const { model, here } = await useScriptedTandem()

const evolution = (...args: string[]) => here.command('evolution', ...args)
const unknown = '01a00000-0000-7000-8000-000000000000'

/** The result with `--json`; it succeeds and reports nothing else. */
async function result(...args: string[]) {
  const ended = await evolution(...args, '--json')
  expect([args, ended.status, ended.stderr]).toEqual([args, 0, ''])
  return JSON.parse(ended.stdout)
}

async function text(...args: string[]): Promise<string> {
  const ended = await evolution(...args)
  expect([args, ended.status, ended.stderr]).toEqual([args, 0, ''])
  return ended.stdout
}

const nouns = ['alpha beacon', 'copper dune', 'ember forest', 'garnet harbor']

/** One release: the same steps each time, in other words. */
async function release(n: number): Promise<void> {
  const wrote = (path: string, content: string) => ({ call: 'fs.write', arguments: { path, content } })
  model.script(
    { call: 'fs.mkdir', arguments: { path: `release/v${n}` } },
    wrote(`release/v${n}/notes.md`, `${nouns[n % 4]} for all`),
    wrote('CHANGELOG.md', `${nouns[(n + 1) % 4]} and more`),
    wrote('VERSION', `${n}.0.0`),
    { text: 'Done.' },
  )
  const ended = await here.command('run', '--agent', 'Releaser', '--json', `Make the release ${n}, please`)
  expect([ended.status, ended.stderr]).toEqual([0, ''])
  // Each command has a runtime of its own, which mines what is left.
  await expect.poll(async () => parseTraces(await evolution('traces', '--json'))).toBe(n)
  const database = new DatabaseSync(join(here.folder, 'home', 'tandem.db'))
  database.exec("UPDATE evolution_runs SET day = '2026-01-' || (10 + no % 20)")
  database.close()
}

/** Skips what would take many runs. */
function plant(id: string, state: string): void {
  const database = new DatabaseSync(join(here.folder, 'home', 'tandem.db'))
  database.prepare('UPDATE runtime_skill_recommendations SET state = ? WHERE id = ?').run(state, id)
  database.close()
}

function parseTraces({ stdout }: { readonly stdout: string }): number {
  return stdout.trim() === '' ? 0 : parseJsonLines(stdout).length
}

test('what is repeated is listed, a recommendation is shown, moved and retired, and its gap dismissed', { timeout }, async () => {
  expect(await text()).toMatch(/^There are no recommendations\./)
  expect(await text('gaps')).toMatch(/^There are no gaps\./)
  expect(await text('traces')).toMatch(/^There are no traces yet\./)
  expect((await here.command('agents', 'create', 'Releaser')).status).toBe(0)
  for (const tool of ['fs.mkdir', 'fs.write'])
    expect((await here.command('policy', 'set', tool, '--agent', 'Releaser', '--approval-mode', 'auto')).status).toBe(0)
  for (const n of [1, 2, 3]) await release(n)

  await expect.poll(async () => (await evolution('list', '--json')).stdout).toContain('"shadow_active"')
  const listed = await text('--state', 'shadow_active', '--kind', 'local_skill_draft')
  expect(listed).toMatch(/shadow active +- +skill \S+ +Releaser +Make the release/)
  const id = /^[0-9a-f-]{36}/m.exec(listed)?.[0] ?? ''
  expect(await text('list', '--state', 'live')).toMatch(/^There are no recommendations\./)
  expect(await text('traces')).toContain('fs.mkdir, fs.write, fs.write, fs.write (3 times)')
  expect(await text('gaps', '--kind', 'skill_gap')).toContain(id)

  const shown = await text('show', id)
  expect(shown).toContain(`id ${id}`)
  for (const part of ['evidence:', 'text:', 'runs on this device:', 'canary:', 'actions:', 'history:'])
    expect(shown).toContain(`\n${part}\n`)
  expect(shown).toContain('  possible now: rollback, retire\n')
  expect(shown).toMatch(/ {2}prepare-canary: It has matched \d of the 3 runs that are needed/)
  const { recommendation, skill_version } = (await result('show', id)) as CommandResult<'skill_get_recommendation'>
  expect(shown).toContain(`file: ${recommendation.skill_path}`)

  // A step that is not possible now is refused with its reason and a remedy.
  for (const args of [['promote'], ['canary'], ['validate'], ['prepare-canary']])
    expect(await evolution(...args, id)).toMatchObject({
      ...{ status: 1, stdout: '', stderr: expect.stringContaining('is shadow active: ') },
    })
  expect((await evolution('prepare-canary', id)).stderr).toContain('Wait for more runs that it matches, or retire it.')
  expect(await text('advance')).toBe('0 recommendations changed.\n')

  expect(await text('versions', id)).toContain(skill_version?.content_sha256.slice(0, 12) ?? 'no version')
  expect(await evolution('diff', id)).toMatchObject({ status: 1, stderr: expect.stringContaining('there are not two versions of') })
  // As if its shadow were over. A file next to it could be run, so it waits for the user.
  const path = recommendation.skill_path ?? ''
  writeFileSync(join(path, '..', 'run.sh'), 'true\n')
  plant(id, 'canary_ready')
  expect(await evolution('canary', id)).toMatchObject({ status: 3, stdout: '', stderr: expect.stringContaining('then add --yes') })
  expect(await text('canary', id, '--yes')).toMatch(/^It is canary applied now\. /)
  expect((await evolution('promote', id, '--yes')).stderr).toContain('5 of each are needed')

  plant(id, 'live')
  writeFileSync(path, `${readFileSync(path, 'utf8')}\nBe quick.\n`)
  expect(await evolution('diff', id, '1', '9')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`there is no version 9 of ${id}`),
  })
  const diff = await text('diff', id)
  expect(diff).toContain('--- version 1\n+++ version 2\n')
  expect(diff).toContain('\n+Be quick.')
  expect(await result('diff', id, '2', '1')).toMatchObject({ from: 2, to: 1, diff: expect.stringContaining('\n-Be quick.') })
  expect(await text('diff', id, '2', '2')).toBe('Both have the same text.\n')

  expect(await text('rollback', id, '--reason', 'Too quick.')).toBe('It is rolled back now. Too quick.\n')
  const [gap] = parseJsonLines((await evolution('gaps', '--json')).stdout) as { id: string }[]
  expect(await text('dismiss', gap?.id ?? '')).toMatch(/^It was dismissed\. Its recommendation is retired: Make the release/)
  expect(await text('gaps')).toMatch(/^There are no gaps\./)
  expect(await evolution('retire', id)).toMatchObject({ status: 1, stderr: expect.stringContaining('this state is final') })
})

test('gaps show what came of them, and dismissing one withdraws it', { timeout }, async () => {
  expect((await here.command('agents', 'create', 'Writer')).status).toBe(0)
  const said = ['Sort it. Please reply in German.', 'Count it. Antworte bitte auf Deutsch.', 'Fix it. Your answer should be in German.']
  for (const [at, words] of said.entries()) {
    model.script({ text: 'Done.' })
    expect((await here.command('run', '--agent', 'Writer', '--json', words)).status).toBe(0)
    await expect.poll(async () => parseTraces(await evolution('traces', '--json'))).toBe(at + 1)
    const database = new DatabaseSync(join(here.folder, 'home', 'tandem.db'))
    database.exec("UPDATE evolution_runs SET day = '2026-01-' || (10 + no % 20)")
    database.close()
  }
  const [gap] = parseJsonLines((await evolution('gaps', '--json')).stdout) as CommandResult<'skill_list_gap_analyses'>['items']
  const candidate_id = gap?.led_to?.kind === 'memory' ? gap.led_to.candidate_id : ''
  expect(await text('gaps')).toContain(`memory candidate ${candidate_id} (pending)`)
  expect((await here.command('learning', 'memories')).stdout).toContain(candidate_id)
  expect(await text('dismiss', gap?.id ?? '')).toBe('It was dismissed. What it proposed was withdrawn.\n')
  expect((await here.command('learning', 'memories', '--state', 'dismissed')).stdout).toContain(candidate_id)
})

test('an agent may promote automatically', { timeout }, async () => {
  expect((await here.command('agents', 'create', 'Releaser')).status).toBe(0)
  expect(await text('automatic', 'status', '--agent', 'Releaser')).toBe('Recommendations of Releaser go live only with your approval.\n')
  expect(await result('automatic', 'on', '--agent', 'Releaser')).toMatchObject({ automatic: true })
  expect(await text('automatic', 'status', '--agent', 'Releaser')).toBe(
    'Recommendations of Releaser go live without asking when they passed their canary.\n',
  )
  expect(await evolution('automatic', 'on', '--agent', 'Nobody')).toMatchObject({ status: 1 })
})

test.each([
  [['show', unknown], 'List the recommendations and their ids with tandem evolution list.'],
  [['canary', unknown, '--yes'], 'List the recommendations and their ids with tandem evolution list.'],
  [['promote', unknown], 'List the recommendations and their ids with tandem evolution list.'],
  [['diff', unknown], 'List the recommendations and their ids with tandem evolution list.'],
  [['dismiss', unknown], 'List the gaps and their ids with tandem evolution gaps.'],
])('%j: what does not exist is refused with the way to find it', { timeout }, async (args, step) => {
  expect(await evolution(...args)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(step) })
})

test.each([
  [['strange'], 'unknown action "strange"'],
  [['--state', 'fine'], '--state must be one of draft_pending'],
  [['list', '--kind', 'fine'], '--kind must be one of local_skill_draft'],
  [['gaps', '--kind', 'fine'], '--kind must be one of knowledge_gap'],
  [['show'], 'specify one recommendation'],
  [['show', 'no-id'], 'ID must be an id'],
  [['dismiss'], 'specify one gap'],
  [['validate', unknown, '--yes'], '--yes is only valid with canary and promote'],
  [['promote', unknown, '--reason', 'x'], '--reason is only valid with rollback and retire'],
  [['diff', unknown, '1'], 'specify one recommendation, and two versions or none'],
  [['diff', unknown, 'a', 'b'], 'FROM and TO must be numbers of versions'],
  [['automatic', 'maybe', '--agent', 'Releaser'], 'specify one of on, off, status'],
  [['automatic', 'on'], 'specify --agent'],
])('%j is refused with the usage', { timeout }, async (args, why) => {
  const ended = await evolution(...args)
  expect(ended).toMatchObject({ status: 2, stdout: '' })
  expect(ended.stderr).toContain(why)
  expect(ended.stderr).toContain('usage: tandem evolution')
})

test('help has every action and examples', { timeout }, async () => {
  const help = await text('--help')
  const verbs =
    'show traces gaps dismiss advance draft validate prepare-shadow shadow prepare-canary canary promote rollback retire versions diff'
  for (const verb of verbs.split(' ')) expect(help).toContain(`tandem evolution ${verb} `)
  expect(help).toContain('tandem evolution automatic on --agent Builder')
})
