// `tandem learning` as users and scripts see it: a real runtime for each command, and runs of a scripted model with real commands.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CommandResult } from '@tandem/contract/command'
import { expect, test } from 'vitest'
import { useScriptedTandem } from './support/test-scripted.ts'
import { parseJsonLines } from './support/test-tandem.ts'

const timeout = 300_000

const { model, here } = await useScriptedTandem()

const learning = (...args: string[]) => here.command('learning', ...args)

/** The result with `--json`; it succeeds and reports nothing else. */
async function result(...args: string[]) {
  const ended = await learning(...args, '--json')
  expect([args, ended.status, ended.stderr]).toEqual([args, 0, ''])
  return JSON.parse(ended.stdout)
}

async function text(...args: string[]): Promise<string> {
  const ended = await learning(...args)
  expect([args, ended.status, ended.stderr]).toEqual([args, 0, ''])
  return ended.stdout
}

/** Runs these commands, one per turn, in one run. */
async function ran(...commands: readonly string[]): Promise<string> {
  model.script(...commands.map((command) => ({ call: 'shell.exec', arguments: { command } })), { text: 'Done.' })
  const ended = await here.command('run', '--agent', 'Builder', '--json', 'Run them')
  expect([ended.status, ended.stderr]).toEqual([0, ''])
  const [run] = parseJsonLines((await here.command('runs', '--json')).stdout) as { run_id: string }[]
  const run_id = run?.run_id ?? ''
  await expect.poll(async () => (await result('run', run_id)).reflection).not.toBeNull()
  return run_id
}

const unknown = '01a00000-0000-7000-8000-000000000000'

test('outcomes, patterns, reflections and lessons of real runs are listed, and a lesson is decided about', { timeout }, async () => {
  expect(await text()).toBe('No runs were evaluated yet. A run is evaluated when it ends or is restored.\n')
  expect(await text('patterns')).toBe('No failures have been found in runs yet.\n')
  expect(await text('memories')).toBe('There are no memory candidates.\n')
  expect(await text('candidates')).toBe('There are no policy candidates.\n')
  expect((await here.command('agents', 'create', 'Builder')).status).toBe(0)
  expect((await here.command('policy', 'set', 'shell.exec', '--agent', 'Builder', '--approval-mode', 'auto')).status).toBe(0)

  const run_id = await ran('cat notes.txt', 'touch notes.txt', 'cat notes.txt')
  expect(await text('outcomes', '--verdict', 'success')).toContain(run_id)
  expect(await text('--verdict', 'failure')).toBe('No runs were evaluated yet. A run is evaluated when it ends or is restored.\n')
  const shown = await text('run', run_id)
  expect(shown).toMatch(/^success, \d+% \(completed\)\n/)
  expect(shown).toContain('root cause: ')
  expect(await text('patterns')).toContain(`example: run ${run_id}`)
  expect(await text('reflections')).toContain(run_id)

  const [lesson] = parseJsonLines((await learning('memories', '--state', 'pending', '--json')).stdout) as { id: string }[]
  expect(shown).toContain(`memory candidate ${lesson?.id} (pending)`)
  expect(await text('memories', 'commit', lesson?.id ?? '')).toMatch(/^It is memory [0-9a-f-]{36} now: /)
  expect(await learning('memories', 'dismiss', lesson?.id ?? '')).toMatchObject({ status: 1 })
  expect(await text('memories')).toContain('committed')
})

test('learning is turned off and on for an agent', { timeout }, async () => {
  expect((await here.command('agents', 'create', 'Builder')).status).toBe(0)
  expect(await text('status', '--agent', 'Builder')).toBe('Runs of Builder are learned from.\n')
  expect(await text('off', '--agent', 'Builder')).toBe('Runs of Builder are not learned from.\n')
  expect(await result('status', '--agent', 'Builder')).toMatchObject({ kind: 'agent', enabled: false })
  expect(await text('on', '--agent', 'Builder')).toBe('Runs of Builder are learned from.\n')
  expect(await learning('off')).toMatchObject({ status: 2, stderr: expect.stringContaining('specify --agent or --conversation') })
  expect(await learning('off', '--conversation', unknown)).toMatchObject({ status: 1 })
})

test('a run says that a change of the policy of its agent takes effect while it works', { timeout }, async () => {
  const { agent_id } = JSON.parse((await here.command('agents', 'create', 'Builder', '--json')).stdout)
  expect((await here.command('policy', 'set', 'shell.exec', '--agent', 'Builder', '--time-limit', '60')).status).toBe(0)
  const id = planted(agent_id)
  model.script({ text: 'Done.', after: () => here.start(['learning', 'candidates', 'apply', id, '--yes']).ended })
  const { status, stderr } = await here.start(['run', '--agent', 'Builder', 'Work']).ended
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining(
      `A change of this agent's policy is on trial (time_limit of shell.exec). Undo it: tandem learning candidates rollback ${id}`,
    ),
  ])
})

test('a policy candidate is shown, applied only after a confirmation if it allows more, kept and rolled back', { timeout }, async () => {
  const { agent_id } = JSON.parse((await here.command('agents', 'create', 'Builder', '--json')).stdout)
  expect((await here.command('policy', 'set', 'shell.exec', '--agent', 'Builder', '--time-limit', '60')).status).toBe(0)
  const id = planted(agent_id)
  expect(await text('candidates')).toMatch(new RegExp(`${id} +canary ready +allows more +Builder +Give shell.exec 90 s`))
  expect(await text('candidates', 'show', id)).toContain('shell.exec time limit: 60 s -> 90 s')
  const refused = await learning('candidates', 'apply', id)
  expect(refused).toMatchObject({ status: 3, stdout: '', stderr: expect.stringContaining('then add --yes') })
  expect((await result('candidates', 'apply', id, '--yes')).candidate.state).toBe('canary_applied')
  expect(await text('candidates', 'keep', id)).toBe('It is kept now.\n')
  expect(await learning('candidates', 'prepare', id)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Keep it, or roll it back.'),
  })
  expect(await text('candidates', 'rollback', id, '--reason', 'Not needed.')).toBe('It is rolled back now. Not needed.\n')
  const { validations } = (await result('candidates', 'show', id)) as CommandResult<'agent_run_get_policy_candidate'>
  expect(validations.map(({ stage, to_state }) => `${stage} ${to_state}`)).toEqual([
    'canary canary_applied',
    'canary canary_applied',
    // Refused.
    'canary canary_applied',
    'rollback rolled_back',
  ])
  plantDivergences(validations[0]?.id ?? '', 450)
  expect(await text('candidates', 'show', id)).toContain('and 440 more calls; --json shows all of them')
  const [tested] = ((await result('candidates', 'show', id)) as CommandResult<'agent_run_get_policy_candidate'>).validations
  expect(tested?.divergences.map(({ call_id }) => call_id)).toEqual(Array.from({ length: 450 }, (_, at) => `call-${at + 1}`))
  expect(await text('candidates', 'round')).toBe('0 policy candidates changed.\n')
  expect(await learning('candidates', 'show', unknown)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('List the policy candidates and their ids with tandem learning candidates.'),
  })
})

test.each([
  [['strange'], 'unknown action "strange"'],
  [['run'], 'specify one run'],
  [['run', 'no-id'], 'RUN must be an id'],
  [['outcomes', '--verdict', 'fine'], '--verdict must be one of success, partial, failure'],
  [['candidates', '--state', 'fine'], '--state must be one of shadow_pending'],
  [['candidates', 'strange', unknown], 'unknown action "strange"'],
  [['candidates', 'show'], 'specify one policy candidate'],
  [['candidates', 'keep', unknown, '--yes'], '--yes is only valid with apply'],
  [['memories', 'commit'], 'specify one memory candidate'],
])('%j is refused with the usage', { timeout }, async (args, why) => {
  const ended = await learning(...args)
  expect(ended).toMatchObject({ status: 2, stdout: '' })
  expect(ended.stderr).toContain(why)
  expect(ended.stderr).toContain('usage: tandem learning')
})

test('help has examples', { timeout }, async () => {
  const help = await text('--help')
  expect(help).toContain('tandem learning candidates apply ID')
  expect(help).toContain('tandem learning off --agent Builder')
})

/** One that is ready: to earn it, a run would have to wait for a time limit several times. */
function plantDivergences(validation_id: string, count: number): void {
  const database = new DatabaseSync(join(here.folder, 'home', 'tandem.db'))
  database.prepare('UPDATE runtime_policy_candidate_validations SET divergence_count = ? WHERE id = ?').run(count, validation_id)
  const one = database.prepare(
    "INSERT INTO runtime_policy_candidate_divergences VALUES (?, ?, ?, ?, 'shell.exec', 'stopped by its time limit', 'allowed')",
  )
  for (let no = 1; no <= count; no += 1) one.run(validation_id, no, unknown, `call-${no}`)
  database.close()
}

function planted(agent_id: string): string {
  const id = '01a1e4b0-6b9f-7021-8646-1a860de57084'
  const now = new Date().toISOString()
  const changes = [{ tool: 'shell.exec', field: 'time_limit', from: '{"seconds":60}', to: '{"seconds":90}' }]
  const database = new DatabaseSync(join(here.folder, 'home', 'tandem.db'))
  database
    .prepare(
      `INSERT INTO runtime_policy_candidates (id, agent_id, conversation_id, run_id, reflection_id, title, rationale, changes, rule, evidence,
        evidence_count, widens, state, created_at, updated_at, version) VALUES (?, ?, NULL, ?, ?, ?, ?, ?, ?, '[]', 4, 1, 'canary_ready', ?, ?, 1)`,
    )
    .run(
      id,
      agent_id,
      unknown,
      unknown,
      'Give shell.exec 90 s instead of 60 s.',
      'It was stopped.',
      JSON.stringify(changes),
      'short_time_limit',
      now,
      now,
    )
  database.close()
  return id
}
