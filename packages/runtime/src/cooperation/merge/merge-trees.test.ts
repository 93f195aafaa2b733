import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeTrees, type PathMerge, type Tree, type TreeEntry } from './merge-trees.ts'

const file = (sha256: string, executable = false): TreeEntry => ({ kind: 'file', sha256, mode: executable ? 0o755 : 0o644 })
const mode = (permissions: number): TreeEntry => ({ kind: 'file', sha256: 'a', mode: permissions })
const link = (target: string): TreeEntry => ({ kind: 'link', target })
const tree = (entries: Record<string, TreeEntry>): Tree => new Map(Object.entries(entries))

/** The three folders with one path, and what becomes of it. */
const onePath = [
  ['nothing changed', file('a'), file('a'), file('a'), null],
  ['changed by us', file('a'), file('b'), file('a'), null],
  ['changed by them', file('a'), file('a'), file('b'), { do: 'take', entry: file('b') }],
  ['changed by both, equally', file('a'), file('b'), file('b'), null],
  ['changed by both', file('a'), file('b'), file('c'), { do: 'merge', base: 'a', ours: 'b', theirs: 'c', mode: 0o644 }],
  ['created by us', null, file('a'), null, null],
  ['created by them', null, null, file('a'), { do: 'take', entry: file('a') }],
  ['created by both, equally', null, file('a'), file('a'), null],
  ['created by both', null, file('a'), file('b'), { do: 'merge', base: null, ours: 'a', theirs: 'b', mode: 0o644 }],
  ['deleted by us', file('a'), null, file('a'), null],
  ['deleted by them', file('a'), file('a'), null, { do: 'take', entry: null }],
  ['deleted by both', file('a'), null, null, null],
  ['deleted by us, changed by them', file('a'), null, file('b'), { do: 'ask', why: 'deleted_ours' }],
  ['changed by us, deleted by them', file('a'), file('b'), null, { do: 'ask', why: 'deleted_theirs' }],
  ['made executable by them', file('a'), file('a'), file('a', true), { do: 'take', entry: file('a', true) }],
  ['changed by us, made executable by them', file('a'), file('b'), file('a', true), { do: 'take', entry: file('b', true) }],
  ['made executable by us, changed by them', file('a'), file('a', true), file('b'), { do: 'take', entry: file('b', true) }],
  ['changed by both, executable no longer', file('a', true), file('b', true), file('c'), { do: 'merge', mode: 0o644 }],
  [
    'permissions changed by both',
    mode(0o644),
    mode(0o600),
    mode(0o755),
    { do: 'take', entry: mode(0o600), modes: { ours: 0o600, theirs: 0o755 } },
  ],
  ['permissions changed by both, equally', mode(0o644), mode(0o600), mode(0o600), null],
  ['a link changed by them', link('a'), link('a'), link('b'), { do: 'take', entry: link('b') }],
  ['a link changed by both', link('a'), link('b'), link('c'), { do: 'ask', why: 'kinds_differ' }],
  ['a file here, a link there', file('a'), file('b'), link('c'), { do: 'ask', why: 'kinds_differ' }],
] as const

test.each(onePath)('%s', (_name, base, ours, theirs, expected) => {
  const [before, mine, other] = [base, ours, theirs].map((entry) => (entry === null ? tree({}) : tree({ x: entry }))) as [Tree, Tree, Tree]
  const merges = mergeTrees(before, mine, other)
  expect(merges).toEqual(expected === null ? [] : [expect.objectContaining({ path: 'x', ...expected })])
})

test('a file that they moved takes our changes along', () => {
  const merges = mergeTrees(tree({ a: file('1') }), tree({ a: file('2') }), tree({ b: file('1') }))
  expect(merges).toEqual([
    { do: 'take', path: 'a', entry: null },
    { do: 'take', path: 'b', entry: file('2') },
  ])
})

test('an empty file is not another one that was moved', () => {
  const empty = file(createHash('sha256').digest('hex'))
  expect(mergeTrees(tree({ a: empty }), tree({ a: file('2') }), tree({ b: empty }))).toEqual([
    { do: 'ask', path: 'a', why: 'deleted_theirs', base: empty, ours: file('2'), theirs: null },
    { do: 'take', path: 'b', entry: empty },
  ])
})

test('a file that we moved gets their changes where it is now', () => {
  expect(mergeTrees(tree({ a: file('1') }), tree({ b: file('1') }), tree({ a: file('2') }))).toEqual([
    { do: 'take', path: 'b', entry: file('2') },
  ])
})

test('a file that both moved: to the same place, or apart', () => {
  expect(mergeTrees(tree({ a: file('1') }), tree({ b: file('1') }), tree({ b: file('1') }))).toEqual([])
  expect(mergeTrees(tree({ a: file('1') }), tree({ b: file('1') }), tree({ c: file('1') }))).toEqual([
    { do: 'ask', path: 'a', why: 'moved_apart', base: file('1'), ours: file('1'), theirs: file('1'), moved: { ours: 'b', theirs: 'c' } },
  ])
})

test('two files with one content, and a place that is taken: no move, but what happened to each path', () => {
  const merges = mergeTrees(tree({ a: file('1'), b: file('1') }), tree({ a: file('1'), b: file('1') }), tree({ c: file('1') }))
  expect(merges.map(({ path, ...merge }) => [path, 'entry' in merge ? merge.entry : null])).toEqual([
    ['a', null],
    ['b', null],
    ['c', file('1')],
  ])
  expect(mergeTrees(tree({ a: file('1') }), tree({ a: file('1'), b: file('9') }), tree({ b: file('1') }))).toEqual([
    { do: 'take', path: 'a', entry: null },
    { do: 'merge', path: 'b', base: null, ours: '9', theirs: '1', mode: 0o644 },
  ])
})

test('a file cannot be a folder at the same time', () => {
  expect(mergeTrees(tree({}), tree({ a: file('1') }), tree({ 'a/b': file('2') }))).toMatchObject([
    { do: 'ask', path: 'a/b', why: 'file_and_folder' },
  ])
  expect(mergeTrees(tree({}), tree({ 'a/b': file('1') }), tree({ a: file('2') }))).toMatchObject([
    { do: 'ask', path: 'a', why: 'file_and_folder' },
  ])
  // It was a file, and they made a folder of it.
  expect(mergeTrees(tree({ a: file('1') }), tree({ a: file('1') }), tree({ 'a/b': file('2') }))).toEqual([
    { do: 'take', path: 'a', entry: null },
    { do: 'take', path: 'a/b', entry: file('2') },
  ])
})

const entry = fc.oneof(
  fc.record({
    kind: fc.constant('file' as const),
    sha256: fc.constantFrom('1', '2', '3', '4'),
    mode: fc.constantFrom(0o644, 0o755, 0o600),
  }),
  fc.record({ kind: fc.constant('link' as const), target: fc.constantFrom('x', 'y') }),
)
const anyTree = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd/e', 'd/f', 'g'), entry, { maxKeys: 5 }).map((entries) => tree(entries))

/** The folder after the merge, if nothing has to be asked or merged as text. */
function applied(ours: Tree, merges: readonly PathMerge[]): Tree | null {
  const result = new Map(ours)
  for (const merge of merges) {
    if (merge.do !== 'take' || merge.modes) return null
    if (merge.entry === null) result.delete(merge.path)
    else result.set(merge.path, merge.entry)
  }
  return result
}

const sorted = (all: Tree | null) => all && [...all].sort(([left], [right]) => (left < right ? -1 : 1))

test('what only one side changed is the result, and equal changes need no merge', () => {
  fc.assert(
    fc.property(anyTree, anyTree, (base, side) => {
      expect(sorted(applied(base, mergeTrees(base, base, side)))).toEqual(sorted(side))
      expect(mergeTrees(base, side, base)).toEqual([])
      expect(mergeTrees(base, side, side)).toEqual([])
    }),
  )
})

test('the order of the sides does not matter', () => {
  fc.assert(
    fc.property(anyTree, anyTree, anyTree, (base, ours, theirs) => {
      const [one, other] = [mergeTrees(base, ours, theirs), mergeTrees(base, theirs, ours)]
      expect(sorted(applied(ours, one))).toEqual(sorted(applied(theirs, other)))
    }),
  )
})

test('nothing is written twice, and nothing that neither side has', () => {
  fc.assert(
    fc.property(anyTree, anyTree, anyTree, (base, ours, theirs) => {
      const merges = mergeTrees(base, ours, theirs)
      expect(new Set(merges.map(({ path }) => path)).size).toBe(merges.length)
      const known = [...ours.values(), ...theirs.values()].map((one) => (one.kind === 'file' ? one.sha256 : one.target))
      for (const merge of merges)
        if (merge.do === 'take' && merge.entry)
          expect(known).toContain(merge.entry.kind === 'file' ? merge.entry.sha256 : merge.entry.target)
    }),
  )
})
