import type { ToolPolicy } from '@tandem/contract/tool'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CallFields, denied, historyOf, repeated, runs, writes } from '../../../../test/support/learning/test-recorded-calls.ts'
import type { EarlierCandidate } from './recommend.ts'
import { type PolicyWish, recommendFor } from './wished.ts'

const wish: PolicyWish = { tools: ['fs.write'], run_ids: ['run-0', 'run-1', 'run-2'], stopped: false, paths: [], workspace: '/srv/space' }
const auto = { 'fs.write': { approval_mode: 'auto' } } as const
const undone: CallFields = { ...writes('a.md'), undone: true }

function proposed(given: Partial<PolicyWish>, calls: readonly CallFields[], set: Readonly<Record<string, Partial<ToolPolicy>>> = auto) {
  const found = recommendFor({ ...wish, ...given }, historyOf(calls, set), [])
  return found?.is === 'new' ? found.recommended : found
}

test('a denied path: the rule of learning applies', () => {
  expect(proposed({}, [...repeated(3, { ...writes('conf/keys.env'), ...denied }), writes('a.md')], {})).toMatchObject({
    ...{ rule: 'denied_path', widens: false, evidence_count: 3 },
    changes: [{ tool: 'fs.write', field: 'fs_scope', to: '{"globs":["**","!conf/keys.env"],"roots":["."]}' }],
  })
})

test.each<[string, Partial<PolicyWish>, readonly CallFields[], Readonly<Record<string, Partial<ToolPolicy>>>, string | null]>([
  ['undone in three runs', {}, repeated(3, undone), auto, 'Ask before each call of fs.write, because you undid it in 3 runs.'],
  ['undone in two runs', {}, repeated(2, undone), auto, null],
  [
    'stopped in three runs',
    { stopped: true },
    repeated(3, writes('a.md')),
    auto,
    'Ask before each call of fs.write, because you canceled the run after it in 3 runs.',
  ],
  ['not undone', {}, repeated(3, writes('a.md')), auto, null],
  ['it asks already', {}, repeated(3, undone), { 'fs.write': { approval_mode: 'required' } }, null],
  ['the user was asked', {}, repeated(3, { ...undone, answer: 'once' }), auto, null],
  ['in other runs', { run_ids: ['other'] }, repeated(3, undone), auto, null],
  ['another tool', { tools: ['fs.edit'] }, repeated(3, undone), auto, null],
])('asking first: %s', (_, given, calls, set, title) => {
  const found = proposed(given, calls, set)
  expect(found && 'title' in found ? found.title : found).toBe(title)
})

test('a path that the person asked not to change is excluded for every tool that changes files', () => {
  const found = proposed({ tools: [], paths: ['legacy'] }, [])
  expect(found).toMatchObject({ rule: 'forbidden_path', widens: false, evidence: [], evidence_count: 3 })
  expect(found && 'changes' in found ? found.changes.map(({ tool, to }) => [tool, to]) : found).toEqual(
    ['fs.write', 'fs.edit', 'fs.move', 'fs.delete', 'fs.mkdir'].map((tool) => [
      tool,
      '{"globs":["**","!legacy","!legacy/**"],"roots":["."]}',
    ]),
  )
  for (const path of ['..', '.', '/etc', 'a*b']) expect(proposed({ tools: [], paths: [path] }, [])).toBeNull()
})

test('no second candidate for a field that one is open for; a rejected one comes back with twice the evidence', () => {
  const first = proposed({}, repeated(3, undone))
  if (!first || !('changes' in first)) throw new Error('nothing was proposed')
  const earlier: EarlierCandidate = { id: 'one', state: 'shadow_pending', adopted_at: null, changes: [...first.changes], evidence_count: 3 }
  const again = (state: EarlierCandidate['state'], count: number) =>
    recommendFor(wish, historyOf(repeated(count, undone), auto), [{ ...earlier, state }])
  expect(again('canary_applied', 9)).toEqual({ is: 'open', candidate_id: 'one' })
  expect(again('rolled_back', 5)).toBeNull()
  expect(again('rolled_back', 6)?.is).toBe('new')
})

test('whatever was recorded, a gap never proposes to allow more', () => {
  const call = fc.record({
    fields: fc.constantFrom<CallFields>(writes('a.md'), writes('b/c.md'), runs('make')),
    state: fc.constantFrom<CallFields>({}, denied, { undone: true }, { answer: 'once' }, { outcome: 'failed' }),
  })
  fc.assert(
    fc.property(fc.array(call, { maxLength: 40 }), fc.subarray(['fs.write', 'shell.exec']), fc.boolean(), (calls, tools, stopped) => {
      const found = proposed(
        { tools, stopped },
        calls.map(({ fields, state }) => ({ ...fields, ...state })),
      )
      expect(found && 'widens' in found ? found.widens : false).toBe(false)
    }),
  )
})
