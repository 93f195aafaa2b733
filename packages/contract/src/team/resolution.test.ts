import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ConflictResolution, conflictChoices, type MergeConflict, openConflicts, resolutionsIn, withResolutions } from './index.ts'

const side = { author: null, text: 'a', truncated: false }
const conflict = (conflict_id: string, fields: Partial<MergeConflict> = {}): MergeConflict => ({
  ...{ conflict_id, kind: 'lines', line: 1, message: 'Both changed it.', base: side, current: side, member: side, resolved: null },
  choices: [...conflictChoices],
  ...fields,
})
const file = (conflicts: MergeConflict[]) => ({
  ...{ path: 'a.ts', change: 'edited' as const, from: null, authors: [], diff: '', diff_truncated: false },
  ...{ lines_added: null, lines_removed: null, conflicts },
})
const merge = (conflicts: MergeConflict[], open_conflicts: number): Parameters<typeof openConflicts>[0] => ({
  ...{ kind: 'merge', members: [], files: [file(conflicts)], more: 0, open_conflicts, notes: [] },
})
const chosen = (...all: ConflictResolution[]) => new Map(all.map((one) => [one.conflict_id, one]))

test('choices are added to the arguments and replace earlier ones for the same conflict', () => {
  const args = JSON.stringify({
    run_ids: ['r'],
    resolutions: [
      { conflict_id: 'k1', use: 'both' },
      { conflict_id: 'k2', use: 'member' },
    ],
  })
  const edited = withResolutions(args, chosen({ conflict_id: 'k1', use: 'text', text: 'x' }, { conflict_id: 'k3', use: 'current' }))
  expect(JSON.parse(edited)).toEqual({
    run_ids: ['r'],
    resolutions: [
      { conflict_id: 'k1', use: 'text', text: 'x' },
      { conflict_id: 'k2', use: 'member' },
      { conflict_id: 'k3', use: 'current' },
    ],
  })
})

test('without choices, and if they are not an object, arguments stay exactly as they are', () => {
  const one = chosen({ conflict_id: 'k1', use: 'member' })
  expect(withResolutions('{ "a": 1.0 }', new Map())).toBe('{ "a": 1.0 }')
  for (const args of ['[1]', 'null', '{"a":']) expect(withResolutions(args, one)).toBe(args)
})

test('a conflict is open until the preview or the arguments resolve it; conflicts of unlisted files stay open', () => {
  const preview = merge([conflict('k1'), conflict('k2', { resolved: 'member' }), conflict('k3')], 4)
  const ids = (args: string) => {
    const { listed, unlisted } = openConflicts(preview, args)
    return [listed.map(({ conflict_id }) => conflict_id), unlisted]
  }
  expect(ids('{}')).toEqual([['k1', 'k3'], 2])
  expect(ids(withResolutions('{}', chosen({ conflict_id: 'k1', use: 'current' })))).toEqual([['k3'], 2])
})

test('a resolution that is not complete resolves nothing', () => {
  const resolutions = [{ conflict_id: 'k1', use: 'text' }, { conflict_id: 'k2', use: 'mine' }, { use: 'member' }, null, 'k3']
  expect(resolutionsIn(JSON.stringify({ resolutions })).size).toBe(0)
})

test('any arguments can be read', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.json(), fc.string()),
      (args) => void resolutionsIn(withResolutions(args, chosen({ conflict_id: 'k', use: 'both' }))),
    ),
  )
})
