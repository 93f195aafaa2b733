// `tandem team`, and a team in `tandem run`, as users see them, with a real runtime and a scripted model.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useScriptedTandem } from './support/test-scripted.ts'

const { model, here } = await useScriptedTandem({ ENV: 'production' })
const id = '01a1e4b0-6b9f-7021-8646-1a860de57084'
const anId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

const delegation = { call: 'agent.delegate', arguments: { title: 'Fix the notes', task: 'Write oat milk.' } }
const writing = { call: 'fs.write', arguments: { path: 'notes.md', content: 'oat milk\n' } }

test('tandem run follows a member, and tandem team shows the tree and its copy, which is discarded on request', async () => {
  writeFileSync(join(here.workspace, 'notes.md'), 'milk\n')
  model.script(delegation, writing, { text: 'It says oat milk.' }, { text: 'The member is done.' })
  const run = await here.tandem('run', '--yes', 'Change the notes')
  expect([run.status, run.stdout]).toEqual([0, 'The member is done.\n'])
  expect(run.stderr).toContain('A run was started for part of the work: Fix the notes\n')
  expect(run.stderr).toContain('  Fix the notes: Write notes.md\n')
  expect(run.stderr).toContain('“Fix the notes” is done.\n')
  expect(readFileSync(join(here.workspace, 'notes.md'), 'utf8')).toBe('milk\n')

  const [{ run_id } = { run_id: '' }] = (await here.command('runs', '--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const shown = await here.command('team', run_id)
  expect(
    shown.stdout
      .replaceAll(anId, 'ID')
      .split('\n')
      .filter((line) => line.includes(':')),
  ).toEqual([
    expect.stringMatching(/^Change the notes \(.+\): completed, 30 tokens, 2 turns$/),
    expect.stringMatching(/^ {2}Fix the notes \(.+\): completed, 30 tokens, 2 turns$/),
    expect.stringMatching(/^Budget: 60 of 2,000,000 tokens, 4 of 300 turns, \d+ of 240 minutes$/),
  ])
  const copies = await here.command('team', 'copies', '--json')
  const copy = JSON.parse(copies.stdout)
  expect(copy).toMatchObject({ title: 'Fix the notes', state: 'unmerged', copied_from: here.workspace })
  expect((await here.command('team', 'discard', copy.run_id)).stderr).toBe(
    'tandem: without a terminal, discard needs --yes. Nothing was deleted.\n',
  )
  expect((await here.command('team', 'discard', copy.run_id, '--yes')).stdout).toMatch(/^Deleted\. .+ freed\.\n$/)
  expect((await here.command('team', 'copies')).stdout).toBe('There are no copies.\n')
})

test('a member that needs an answer is named when the run stops, and its answer continues the team', async () => {
  writeFileSync(join(here.workspace, 'notes.md'), 'milk\n')
  model.script(delegation, writing, { text: 'It says oat milk.' }, { text: 'The member is done.' })
  const started = await here.tandem('run', 'Change the notes')
  const [run_id = ''] = started.stderr.match(anId) ?? []
  expect([started.status, run_id === '']).toEqual([3, false])
  const delegated = await here.tandem('resume', run_id, '--answer', 'once')
  expect(delegated.status).toBe(3)
  const [member = ''] = /tandem resume (\S+) --answer once {3}# Fix the notes/.exec(delegated.stderr)?.slice(1) ?? []
  expect(delegated.stderr).toContain(`  tandem resume ${run_id}\n`)
  // The last run is the one that the user started; it is followed, and what its member needs is named again.
  const last = await here.tandem('resume', 'last')
  expect([last.status, last.stderr.includes(`tandem resume ${member} --answer once   # Fix the notes`)]).toEqual([3, true])
  expect(last.stderr).toContain(`  tandem resume ${run_id}\n`)
  const answered = await here.tandem('resume', member, '--answer', 'once')
  expect([answered.status, answered.stdout]).toEqual([0, 'It says oat milk.\n'])
  const ended = await here.tandem('resume', run_id)
  expect([ended.status, ended.stdout]).toEqual([0, 'The member is done.\n'])
})

test.each([
  [[], 'specify one run by its id. List the runs and their ids with tandem runs.'],
  [['parser'], 'unknown subcommand "parser", and it is not the id of a run'],
  [[id, id], 'specify one run by its id. List the runs and their ids with tandem runs.'],
  [['pause'], 'specify one run by its id. List the runs and their ids with tandem runs.'],
  [['cancel', id, '--reason', ' '], '--reason must not be empty'],
  [['raise', id], 'specify how much more with --tokens, --turns or --minutes'],
  [['raise', id, '--tokens', '1.5'], '--tokens must be a whole number above 0'],
  [['discard', 'x'], 'specify the run whose copy is deleted, by its id. List the copies with tandem team copies.'],
  [['messages', id, '--limit', '0'], '--limit must be a number from 1 to 10000'],
  [['copies', 'x'], 'unexpected argument "x"'],
])('tandem team %j says what is wrong', async (args, problem) => {
  const { status, stdout, stderr } = await here.command('team', ...args)
  expect([status, stdout, stderr.split('\n')[0]]).toEqual([2, '', `tandem: ${problem}`])
})

test('tandem team --help shows every subcommand', async () => {
  const { status, stdout } = await here.command('team', '--help')
  expect(status).toBe(0)
  for (const name of ['RUN', 'pause', 'resume', 'cancel', 'raise', 'messages', 'copies', 'discard', 'graph'])
    expect(stdout).toContain(`tandem team ${name}`)
})
