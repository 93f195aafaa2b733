// Candidates from the first call to the rollback, with the real store, journal and policies.
import type { CommandParams } from '@tandem/contract/command'
import { defaultToolPolicy } from '@tandem/contract/tool'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  approvedCommand,
  deniedWrite,
  madeWrite,
  openTestCandidates,
  type TestCandidates,
} from '../../../test/support/learning/test-candidates.ts'
import { wipe } from '../../account/wipe.ts'

let here: TestCandidates
beforeEach(() => {
  here = openTestCandidates()
})
afterEach(() => here.remove())

const usual = defaultToolPolicy('fs.write')
const excluded = { roots: ['.'], globs: ['**', '!keys.env'] }
const exclusion = { ...usual, fs_scope: excluded }

/** Denied on one path in three runs, with other calls that succeed. */
function suggestExclusion(agent_id = 'agent') {
  const runs = ['a.md', 'b.md', 'c.md'].map((path) => here.learn([deniedWrite('keys.env'), madeWrite(path)], agent_id))
  const candidate = runs.at(-1)
  if (!candidate) throw new Error('nothing was suggested')
  return candidate
}

function suggestRule() {
  const runs = Array.from({ length: 5 }, () => here.learn([approvedCommand('ls src'), approvedCommand('ls src')]))
  const candidate = runs.at(-1)
  if (!candidate) throw new Error('nothing was suggested')
  return candidate
}

async function appliedExclusion() {
  const { id } = suggestExclusion()
  await here.candidates.advance(null, 'scheduler')
  expect(here.get(id).candidate.state).toBe('canary_applied')
  return id
}

const statesOf = (id: string) =>
  here.get(id).validations.map(({ stage, outcome, from_state, to_state, trigger }) => [stage, outcome, from_state, to_state, trigger])
const eventNames = () => here.events.list({ limit: 1_000 }).flatMap(({ event }) => (event.startsWith('policy_') ? [event] : []))
const inForce = (run_id: string | null = null, tool = 'fs.write') => here.callPolicies.of(here.owner(run_id), tool)

test('calls of an erased run suggest nothing', () => {
  const before = suggestExclusion()
  here.store.sql.run`DELETE FROM runtime_policy_candidates`
  expect(here.candidates.recommend('agent')?.rule).toBe('denied_path')
  here.store.sql.run`DELETE FROM learning_calls WHERE run_id = ${before.run_id}`
  expect(here.candidates.recommend('agent')).toBeNull()
})

test('after everything was deleted, no canary is in force, also for an agent with the same id', async () => {
  await appliedExclusion()
  expect(inForce().policy.fs_scope).toEqual(excluded)
  wipe(here.store)
  expect(inForce().policy.fs_scope).toEqual(usual.fs_scope)
})

test('a change that only restricts is applied by itself, and every transition is recorded', async () => {
  const id = await appliedExclusion()
  const { candidate } = here.get(id)
  expect(statesOf(id)).toEqual([
    ['shadow', 'passed', 'shadow_pending', 'shadow_passed', 'scheduler'],
    ['canary', 'passed', 'shadow_passed', 'canary_ready', 'scheduler'],
    ['canary', 'passed', 'canary_ready', 'canary_applied', 'scheduler'],
  ])
  expect(eventNames()).toEqual([
    'policy_candidate_generated',
    'policy_shadow_validated',
    'policy_shadow_validated',
    'policy_canary_applied',
  ])
  expect([candidate.widens, candidate.approved_at, candidate.canary_applied_at !== null]).toEqual([false, null, true])
  expect(inForce().layers.in_force).toEqual([
    { name: 'configured policy', kind: 'configured', changes: [] },
    { name: 'canary', kind: 'overlay', changes: ['fs_scope'] },
  ])
  // The policy that is synchronized is unchanged.
  expect([here.policies.of('agent', 'fs.write').policy, inForce().policy.fs_scope]).toEqual([usual, excluded])
  expect(here.callPolicies.of(here.owner(null, 'other'), 'fs.write').policy.fs_scope).toEqual(usual.fs_scope)
})

test('it takes effect at the next turn of a run, is recorded with it, and ends with the rollback', async () => {
  const before = here.start()
  here.turn(before)
  const id = await appliedExclusion()
  expect(inForce(before).policy.fs_scope).toEqual(usual.fs_scope)
  expect(here.turn(before)).toEqual([id])
  expect(inForce(before).policy.fs_scope).toEqual(excluded)
  await here.call('agent_run_rollback_policy_candidate', { candidate_id: id, reason: 'Not this one.' })
  expect(inForce(before).policy.fs_scope).toEqual(usual.fs_scope)
  expect(here.turn(before)).toEqual([])
})

test('a change that allows more stops and asks; applying it is the approval', async () => {
  const { id, widens } = suggestRule()
  expect(widens).toBe(true)
  for (let round = 0; round < 3; round += 1) await here.candidates.advance(null, 'scheduler')
  expect([here.get(id).candidate.state, inForce(null, 'shell.exec').remembered]).toEqual(['canary_ready', []])
  await here.call('learning_advance_candidates', {})
  expect(here.get(id).candidate.state).toBe('canary_ready')
  expect(await here.call('agent_run_apply_policy_candidate_canary', { candidate_id: id })).toMatchObject({ ok: true })
  const { candidate } = here.get(id)
  expect([candidate.state, candidate.approved_at]).toEqual(['canary_applied', candidate.canary_applied_at])
  const found = inForce(null, 'shell.exec')
  expect([found.remembered, found.layers]).toEqual([
    [{ kind: 'command', words: ['ls'] }],
    {
      in_force: [
        { name: 'configured policy', kind: 'configured', changes: [] },
        { name: 'canary', kind: 'overlay', changes: [] },
      ],
      ignored: [],
    },
  ])
  expect(here.policies.of('agent', 'shell.exec').remembered).toEqual([])
})

test('too few calls: the attempt is recorded once, and repeated when there are more', async () => {
  const calls = Array.from({ length: 3 }, () => deniedWrite('keys.env'))
  const candidate = here.learn(calls)
  if (!candidate) throw new Error('nothing was suggested')
  for (let round = 0; round < 3; round += 1) await here.candidates.advance(null, 'scheduler')
  expect(statesOf(candidate.id)).toEqual([['shadow', 'failed', 'shadow_pending', 'shadow_pending', 'scheduler']])
  expect(here.get(candidate.id).validations[0]?.summary).toBe(
    '3 recorded calls from 1 run were checked. At least 5 calls from 3 runs are needed.',
  )
  await here.call('agent_run_validate_policy_candidate_shadow', { candidate_id: candidate.id })
  expect(statesOf(candidate.id)).toHaveLength(2)
  here.learn([madeWrite('a.md')])
  here.learn([madeWrite('b.md')])
  await here.candidates.advance(null, 'scheduler')
  expect(here.get(candidate.id).candidate.state).toBe('canary_applied')
})

test('a harmful one fails its shadow, and does not come again', async () => {
  const { id } = suggestExclusion()
  here.learn([madeWrite('keys.env')])
  await here.candidates.advance('agent', 'scheduler')
  const { candidate, validations } = here.get(id)
  expect([candidate.state, validations[0]?.divergences[0]]).toMatchObject([
    'shadow_failed',
    { tool: 'fs.write', decided: 'allowed', would_decide: 'refused' },
  ])
  expect(here.candidates.recommend('agent')).toBeNull()
})

test('a run with it that fails rolls it back, and the reason says so', async () => {
  const id = await appliedExclusion()
  const run_id = here.start()
  here.turn(run_id)
  const facts = here.end(run_id, 'failed')
  expect(here.candidates.after(facts).map((one) => one.id)).toEqual([id])
  // Delivered again after a crash.
  expect(here.candidates.after(facts)).toEqual([])
  const { candidate, validations } = here.get(id)
  expect([candidate.state, candidate.rollback_reason]).toEqual(['rolled_back', 'A run in which it applied failed (too_many_turns).'])
  expect(validations.at(-1)).toMatchObject({ stage: 'rollback', trigger: 'later_failure', cause_run_id: run_id })
  expect(inForce().policy.fs_scope).toEqual(usual.fs_scope)
  expect(eventNames().at(-1)).toBe('policy_rollback_completed')
})

test('a run with it that is restored rolls it back, also after its end', async () => {
  const id = await appliedExclusion()
  const run_id = here.start()
  here.turn(run_id)
  here.candidates.after(here.end(run_id, 'completed'))
  expect(here.get(id).candidate.state).toBe('canary_applied')
  here.candidates.after(here.restore(run_id, 1))
  expect(here.get(id).candidate.state).toBe('rolled_back')
  expect(here.get(id).validations.at(-1)).toMatchObject({ trigger: 'later_restore', cause_run_id: run_id })
})

test.each<[string, () => void]>([
  ['a run without a turn since', () => here.candidates.after(here.end(runBefore(), 'failed'))],
  ['a run of another agent', () => here.candidates.after(here.end(turned(here.start('other')), 'failed'))],
  ['a canceled run', () => here.candidates.after(here.end(turned(here.start()), 'canceled'))],
  ['a completed run', () => here.candidates.after(here.end(turned(here.start()), 'completed'))],
  [
    'a run in which no model answered',
    () => {
      const run_id = here.start()
      here.turn(run_id, { answers: false })
      here.candidates.after(here.end(run_id, 'failed'))
    },
  ],
])('it is not rolled back by %s', async (_, happens) => {
  early = here.start()
  here.turn(early)
  const id = await appliedExclusion()
  happens()
  expect(here.get(id).candidate.state).toBe('canary_applied')
})

let early = ''
const runBefore = () => early
function turned(run_id: string): string {
  here.turn(run_id)
  return run_id
}

test("the user's own change of the same field is kept, and the candidate says so", async () => {
  const id = await appliedExclusion()
  const own = { ...usual, fs_scope: { roots: ['docs'], globs: ['**'] } }
  here.policies.set('agent', 'fs.write', own)
  expect(inForce().policy.fs_scope).toEqual(own.fs_scope)
  await here.candidates.advance(null, 'scheduler')
  const { candidate } = here.get(id)
  expect([candidate.state, candidate.rollback_reason]).toEqual([
    'rolled_back',
    'You have changed fs_scope of fs.write since. Your value is kept.',
  ])
  expect(here.policies.of('agent', 'fs.write').policy).toEqual(own)
})

test('the own change of another field is combined with it', async () => {
  await appliedExclusion()
  here.policies.set('agent', 'fs.write', { ...usual, time_limit: { seconds: 7 } })
  expect(inForce().policy).toMatchObject({ fs_scope: excluded, time_limit: { seconds: 7 } })
})

test('"Keep" writes the policy, and the next failure does not roll it back', async () => {
  const id = await appliedExclusion()
  expect(await here.call('learning_keep_policy_candidate', { candidate_id: id })).toMatchObject({ ok: true })
  expect(await here.call('learning_keep_policy_candidate', { candidate_id: id })).toMatchObject({ ok: true })
  expect(here.policies.of('agent', 'fs.write').policy).toEqual(exclusion)
  expect(inForce().layers.in_force.map(({ name }) => name)).toEqual(['configured policy'])
  const run_id = here.start()
  expect(here.turn(run_id)).toEqual([])
  here.candidates.after(here.end(run_id, 'failed'))
  const { candidate, validations } = here.get(id)
  expect([candidate.state, candidate.adopted_at !== null, validations.length]).toEqual(['canary_applied', true, 4])
})

test('a kept one that is rolled back restores the old value', async () => {
  const id = await appliedExclusion()
  await here.call('learning_keep_policy_candidate', { candidate_id: id })
  await here.call('agent_run_rollback_policy_candidate', { candidate_id: id, reason: 'No longer needed.' })
  expect(here.policies.of('agent', 'fs.write').policy).toEqual(usual)
  expect(here.get(id).candidate.rollback_reason).toBe('No longer needed.')
})

test('a kept one that is rolled back leaves the value that the user has set since', async () => {
  const id = await appliedExclusion()
  await here.call('learning_keep_policy_candidate', { candidate_id: id })
  const own = { ...usual, fs_scope: { roots: ['docs'], globs: ['**'] } }
  here.policies.set('agent', 'fs.write', own)
  await here.call('agent_run_rollback_policy_candidate', { candidate_id: id, reason: 'Undo.' })
  expect(here.policies.of('agent', 'fs.write').policy).toEqual(own)
  expect(here.get(id).candidate.rollback_reason).toBe(
    'Undo. You have changed fs_scope of fs.write since: your value was kept, and not replaced by the old one.',
  )
})

test('a kept rule is remembered, and forgotten with the rollback', async () => {
  const { id } = suggestRule()
  await here.candidates.advance(null, 'scheduler')
  await here.call('agent_run_apply_policy_candidate_canary', { candidate_id: id })
  await here.call('learning_keep_policy_candidate', { candidate_id: id })
  expect(here.policies.of('agent', 'shell.exec').remembered).toEqual([{ kind: 'command', words: ['ls'] }])
  await here.call('agent_run_rollback_policy_candidate', { candidate_id: id, reason: 'Undo.' })
  expect(here.policies.of('agent', 'shell.exec').remembered).toEqual([])
})

test('a rule that the user saved before "Keep" stays with the rollback, and the reason says so', async () => {
  const { id } = suggestRule()
  await here.candidates.advance(null, 'scheduler')
  await here.call('agent_run_apply_policy_candidate_canary', { candidate_id: id })
  const own = { kind: 'command' as const, words: ['ls'] }
  here.policies.remember('agent', 'shell.exec', [own])
  await here.call('learning_keep_policy_candidate', { candidate_id: id })
  await here.call('agent_run_rollback_policy_candidate', { candidate_id: id, reason: 'Undo.' })
  expect(here.policies.of('agent', 'shell.exec').remembered).toEqual([own])
  expect(here.get(id).candidate).toMatchObject({
    state: 'rolled_back',
    rollback_reason: 'Undo. You had saved the approval of shell.exec yourself: it was kept.',
  })
})

test('commands name the candidate, its state and what can be done', async () => {
  const { id, title } = suggestExclusion()
  const refused = await Promise.all(
    (
      ['agent_run_prepare_policy_candidate_canary', 'agent_run_apply_policy_candidate_canary', 'learning_keep_policy_candidate'] as const
    ).map((name) => here.call(name, { candidate_id: id })),
  )
  const subject = `policy candidate ${id} (${title}) is shadow pending`
  const only = 'it can only pass shadow, fail shadow'
  const remedy = 'Test it on recorded calls first.'
  expect(refused).toEqual([
    {
      ...{ ok: false, code: 'transition_refused', remedy },
      message: `${subject}: a policy candidate that is shadow pending cannot prepare canary: ${only}`,
    },
    {
      ...{ ok: false, code: 'transition_refused', remedy },
      message: `${subject}: a policy candidate that is shadow pending cannot apply canary: ${only}`,
    },
    { ok: false, code: 'transition_refused', message: `${subject}: only an applied candidate can be kept`, remedy },
  ])
  // What was refused is recorded, with an event for each.
  expect(statesOf(id)).toEqual(Array(3).fill(['canary', 'failed', 'shadow_pending', 'shadow_pending', 'command']))
  expect(here.get(id).validations.map(({ summary }) => summary)).toEqual([
    'Its trial was not prepared: it is shadow pending. Test it on recorded calls first.',
    'It was not applied: it is shadow pending. Test it on recorded calls first.',
    'It was not kept: it is shadow pending. Test it on recorded calls first.',
  ])
  expect(eventNames()).toEqual(['policy_candidate_generated', ...Array(3).fill('policy_shadow_validated')])
  expect(await here.call('agent_run_get_policy_candidate', { candidate_id: 'x' })).toMatchObject({ ok: false, code: 'not_found' })
  expect(await here.call('learning_advance_candidates', { agent_id: 'gone' })).toMatchObject({ ok: false, code: 'not_found' })
})

test('attempts after the end are recorded, and do not hide what happened', async () => {
  const id = await appliedExclusion()
  await here.call('learning_keep_policy_candidate', { candidate_id: id })
  await here.call('agent_run_prepare_policy_candidate_canary', { candidate_id: id })
  const again = await here.call('learning_keep_policy_candidate', { candidate_id: id })
  expect(again).toMatchObject({ ok: true, value: { candidate: { state: 'canary_applied' } } })
  await here.call('agent_run_rollback_policy_candidate', { candidate_id: id, reason: 'Undo.' })
  await here.call('agent_run_rollback_policy_candidate', { candidate_id: id, reason: 'Undo.' })
  await here.call('agent_run_validate_policy_candidate_shadow', { candidate_id: id })
  expect(statesOf(id).slice(3)).toEqual([
    ['canary', 'passed', 'canary_applied', 'canary_applied', 'command'],
    ['canary', 'failed', 'canary_applied', 'canary_applied', 'command'],
    ['rollback', 'passed', 'canary_applied', 'rolled_back', 'command'],
    ['rollback', 'failed', 'rolled_back', 'rolled_back', 'command'],
    ['shadow', 'failed', 'rolled_back', 'rolled_back', 'command'],
  ])
  // One event for each row, so that every window shows it at once.
  expect(eventNames()).toEqual([
    ...['policy_candidate_generated', 'policy_shadow_validated', 'policy_shadow_validated', 'policy_canary_applied'],
    ...['policy_shadow_validated', 'policy_shadow_validated', 'policy_rollback_completed'],
    ...['policy_shadow_validated', 'policy_shadow_validated'],
  ])
})

test('a refused attempt does not repeat a test that waits for calls', async () => {
  const { id } = here.learn(Array.from({ length: 3 }, () => deniedWrite('keys.env'))) ?? { id: '' }
  await here.candidates.advance(null, 'scheduler')
  await here.call('agent_run_apply_policy_candidate_canary', { candidate_id: id })
  await here.candidates.advance(null, 'scheduler')
  expect(statesOf(id).map(([stage, , , , trigger]) => [stage, trigger])).toEqual([
    ['shadow', 'scheduler'],
    ['canary', 'command'],
  ])
})

test('every call that it would have changed is stored, and listed page by page', async () => {
  const deniedOften = Array.from({ length: 100 }, () => deniedWrite('keys.env'))
  const { id } = here.learn([...deniedOften, madeWrite('a.md')]) ?? { id: '' }
  for (const path of ['b.md', 'c.md']) here.learn([...deniedOften, madeWrite(path)])
  await here.call('agent_run_validate_policy_candidate_shadow', { candidate_id: id })
  const [tested] = here.get(id).validations
  expect([tested?.calls_checked, tested?.divergence_count, tested?.divergences.length]).toEqual([303, 300, 200])
  const page = async (cursor?: string) => {
    const params = { validation_id: tested?.id ?? '', limit: 150, ...(cursor === undefined ? {} : { cursor }) }
    const found = await here.call('learning_list_policy_divergences', params)
    if (!found.ok) throw new Error(found.message)
    return found.value
  }
  const pages = [await page()]
  for (let next = pages[0]?.next_cursor ?? null; next !== null; next = pages.at(-1)?.next_cursor ?? null) pages.push(await page(next))
  const all = pages.flatMap(({ items }) => items)
  expect([all.length, all.slice(0, 200), new Set(all.map(({ run_id, call_id }) => `${run_id} ${call_id}`)).size]).toEqual([
    ...[300, tested?.divergences],
    300,
  ])
  expect(await here.call('learning_list_policy_divergences', { validation_id: id })).toMatchObject({ ok: false, code: 'not_found' })
})

test('candidates are listed newest first, a page at a time', async () => {
  const first = suggestExclusion()
  const second = suggestExclusion('other')
  const list = async (params: CommandParams<'agent_run_list_policy_candidates'>) => {
    const found = await here.call('agent_run_list_policy_candidates', params)
    if (!found.ok) throw new Error(found.message)
    return { ids: found.value.items.map(({ id }) => id), next_cursor: found.value.next_cursor }
  }
  const page = await list({ limit: 1 })
  expect([page.ids, await list({ cursor: page.next_cursor ?? '' })]).toEqual([[second.id], { ids: [first.id], next_cursor: null }])
  expect((await list({ agent_id: 'other', states: ['shadow_pending'] })).ids).toEqual([second.id])
  expect((await list({ run_id: first.run_id })).ids).toEqual([first.id])
  expect((await list({ states: ['rolled_back'] })).ids).toEqual([])
})
