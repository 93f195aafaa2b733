import { expect, test } from 'vitest'
import { isMarked, noticesBetween } from './notices.ts'
import { emptyState, type WindowState } from './window-state.ts'

const runs = (...list: readonly object[]) =>
  new Map(list.map((run) => [(run as { run_id: string }).run_id, run])) as unknown as WindowState['runs']
const run = (state: string, more: object = {}) => ({ run_id: 'r', conversation_id: 'c', state, updated_at: 't', ...more })
const approvals = [{ run_id: 'r', approval: { approval_id: 'a' } }] as unknown as WindowState['approvals']
const at = (list: WindowState['runs'], more: Partial<WindowState> = {}): WindowState => ({ ...emptyState, runs: list, ...more })

test.each([
  ['a run completes', at(runs(run('running'))), at(runs(run('completed'))), ['completed']],
  ['a paused run fails', at(runs(run('paused'))), at(runs(run('failed'))), ['failed']],
  ['the user stops it', at(runs(run('running'))), at(runs(run('canceled'))), []],
  ['it was not known before', at(runs()), at(runs(run('completed'))), []],
  ['it had ended before', at(runs(run('completed'))), at(runs(run('completed', { updated_at: 'later' }))), []],
  ['it needs an approval', at(runs(run('running'))), at(runs(run('paused')), { approvals }), ['waits']],
  ['the approval was known', at(runs(run('paused')), { approvals }), at(runs(run('paused')), { approvals }), []],
  ['its budget is spent', at(runs(run('running'))), at(runs(run('paused', { pause_reason: 'budget' }))), ['stopped']],
  ['the model does not answer', at(runs(run('running'))), at(runs(run('paused', { pause_reason: 'model', retry_at: null }))), ['stopped']],
  ['it is tried again by itself', at(runs(run('running'))), at(runs(run('paused', { pause_reason: 'model', retry_at: 'later' }))), []],
  [
    'the last attempt failed',
    at(runs(run('paused', { pause_reason: 'model', retry_at: 'later' }))),
    at(runs(run('paused', { pause_reason: 'model', retry_at: null }))),
    ['stopped'],
  ],
  ['it was paused by the user', at(runs(run('running'))), at(runs(run('paused', { pause_reason: 'user' }))), []],
  [
    'it was known',
    at(runs(run('paused', { pause_reason: 'budget' }))),
    at(runs(run('paused', { pause_reason: 'budget', updated_at: 'later' }))),
    [],
  ],
  ['a member of a team', at(runs(run('running'))), at(runs(run('completed', { team: { root_run_id: 'other' } }))), []],
  ['the first of a team', at(runs(run('running'))), at(runs(run('completed', { team: { root_run_id: 'r' } }))), ['completed']],
])('%s', (_name, before, after, kinds) => {
  const found = noticesBetween(before, after)
  expect(found.map(({ kind }) => kind)).toEqual(kinds)
  for (const { conversation_id } of found) expect(conversation_id).toBe('c')
})

test('what has ended or stopped is marked until it is seen; requests have their own place', () => {
  const kinds = ['waits', 'completed', 'failed', 'stopped'] as const
  expect(kinds.filter((kind) => isMarked({ key: 'k', kind, conversation_id: 'c' }))).toEqual(['completed', 'failed', 'stopped'])
})
