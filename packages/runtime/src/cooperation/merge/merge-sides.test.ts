import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ConflictSide, type MemberSide, mergeSides, type Resolution, type SideContents } from './merge-sides.ts'
import type { Tree, TreeEntry } from './merge-trees.ts'
import type { TextContent } from './text-content.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** Contents by their hashes; a content that begins with a NUL is not text. */
function memory(texts: readonly string[]) {
  const known = new Map(texts.map((text) => [hash(text), text]))
  const contents: SideContents = {
    async text(sha256) {
      const text = known.get(sha256)
      return text === undefined || text.startsWith('\0') ? null : { text, encoding: 'utf-8', bom: false }
    },
    async add({ text }: TextContent) {
      known.set(hash(text), text)
      return hash(text)
    },
    authorOf: () => 'Lead',
  }
  return {
    contents,
    textOf: (entry: TreeEntry | null | undefined) =>
      entry?.kind === 'file' ? known.get(entry.sha256) : entry?.kind === 'link' ? `-> ${entry.target}` : null,
  }
}

const file = (text: string, mode = 0o644): TreeEntry => ({ kind: 'file', sha256: hash(text), mode })
const link = (target: string): TreeEntry => ({ kind: 'link', target })
const tree = (entries: Record<string, TreeEntry>): Tree => new Map(Object.entries(entries))
const side = (text: string | null, author: string | null): ConflictSide => ({ author, text })

async function merged(
  base: Record<string, TreeEntry>,
  now: Record<string, TreeEntry>,
  theirs: Record<string, TreeEntry>,
  texts: string[],
  resolutions: Resolution[] = [],
) {
  const { contents, textOf } = memory(texts)
  const result = await mergeSides(
    tree(now),
    [{ title: 'Ann', base: tree(base), theirs: tree(theirs), moved: Object.keys(now) }],
    contents,
    resolutions,
  )
  return { conflicts: result.conflicts, changes: Object.fromEntries([...result.changes].map(([path, { entry }]) => [path, textOf(entry)])) }
}

const three = ['1\n2\n3\n', '1\nL\n3\n', '1\nA\n3\n']
const all = ['current', 'member', 'both', 'text']

/** Every kind of conflict: the three sides of a folder, what is reported, and what each choice leads to. */
const kinds = [
  [
    'lines',
    { a: file(three[0] as string) },
    { a: file(three[1] as string) },
    { a: file(three[2] as string) },
    { line: 2, choices: all, current: 'L\n', member: 'A\n', member_is: { a: three[2] } },
  ],
  [
    'content',
    { a: file('\0') },
    { a: file('\0L') },
    { a: file('\0A') },
    { line: null, choices: ['current', 'member'], current: null, member: null, member_is: { a: '\0A' } },
  ],
  [
    'content',
    {},
    { a: file('L\n') },
    { a: file('A\n') },
    { line: null, choices: all, current: 'L\n', member: 'A\n', member_is: { a: 'A\n' } },
  ],
  [
    'content',
    { a: { kind: 'file', sha256: 'unknown:a', mode: 0o644 } as TreeEntry },
    { a: file('L\n') },
    { a: file('A\n') },
    { line: null, choices: all, current: 'L\n', member: 'A\n', member_is: { a: 'A\n' } },
  ],
  [
    'deleted',
    { a: file(three[0] as string) },
    {},
    { a: file('A\n') },
    { line: null, choices: ['current', 'member', 'text'], current: null, member: 'A\n', member_is: { a: 'A\n' } },
  ],
  [
    'deleted',
    { a: file(three[0] as string) },
    { a: file('L\n') },
    {},
    { line: null, choices: ['current', 'member', 'text'], current: 'L\n', member: null, member_is: { a: null } },
  ],
  [
    'renamed',
    { a: file('L\n') },
    { b: file('L\n') },
    { c: file('L\n') },
    { line: null, choices: ['current', 'member'], current: 'b', member: 'c', member_is: { b: null, c: 'L\n' } },
  ],
  [
    'mode',
    { a: file('L\n') },
    { a: file('L\n', 0o600) },
    { a: file('L\n', 0o755) },
    { line: null, choices: ['current', 'member'], current: '600', member: '755', member_is: { a: 'L\n' } },
  ],
  [
    'type',
    { a: file('L\n') },
    { a: file('A\n') },
    { a: link('b') },
    { line: null, choices: ['current', 'member'], current: null, member: 'b', member_is: { a: '-> b' } },
  ],
] as const

test.each(kinds)('a conflict of the kind %s', async (kind, base, now, theirs, expected) => {
  const texts = [...three, 'L\n', 'A\n', '\0', '\0L', '\0A']
  const open = await merged({ ...base }, { ...now }, { ...theirs }, texts)
  expect(open.changes).toEqual({})
  expect(open.conflicts).toEqual([
    expect.objectContaining({
      conflict_id: 'a#1',
      path: 'a',
      kind,
      line: expected.line,
      choices: expected.choices,
      resolved: null,
      current: side(expected.current, 'Lead'),
      member: side(expected.member, 'Ann'),
    }),
  ])
  const kept = await merged({ ...base }, { ...now }, { ...theirs }, texts, [{ conflict_id: 'a#1', use: 'current' }])
  expect([kept.changes, kept.conflicts[0]?.resolved]).toEqual([{}, 'current'])
  const taken = await merged({ ...base }, { ...now }, { ...theirs }, texts, [{ conflict_id: 'a#1', use: 'member' }])
  expect([taken.changes, taken.conflicts[0]?.resolved]).toEqual([expected.member_is, 'member'])
})

test('a file in place of a folder is never taken: the folder would be deleted', async () => {
  const open = await merged({}, { 'a/b': file('L\n') }, { a: file('A\n') }, ['L\n', 'A\n'])
  expect(open.conflicts).toMatchObject([{ conflict_id: 'a#1', kind: 'type', choices: ['current'] }])
  const resolutions: Resolution[] = [{ conflict_id: 'a#1', use: 'member' }]
  await expect(merged({}, { 'a/b': file('L\n') }, { a: file('A\n') }, ['L\n', 'A\n'], resolutions)).rejects.toMatchObject({
    reason_code: 'resolution_unusable',
    facts: { subject: 'a#1' },
  })
})

test('both sides and own text resolve lines', async () => {
  const lines = (use: Resolution) =>
    merged({ a: file(three[0] as string) }, { a: file(three[1] as string) }, { a: file(three[2] as string) }, three, [use])
  expect((await lines({ conflict_id: 'a#1', use: 'both' })).changes).toEqual({ a: '1\nL\nA\n3\n' })
  expect((await lines({ conflict_id: 'a#1', use: 'text', text: 'own\n' })).changes).toEqual({ a: '1\nown\n3\n' })
  expect((await lines({ conflict_id: 'a#1', use: 'text', text: '' })).changes).toEqual({ a: '1\n3\n' })
  expect((await merged({}, { a: file('L') }, { a: file('A\n') }, ['L', 'A\n'], [{ conflict_id: 'a#1', use: 'both' }])).changes).toEqual({
    a: 'L\nA\n',
  })
})

test('an own text is lines: it never continues the next one, and has the line ends of the file', async () => {
  const own = async (texts: readonly string[], use: 'text' | 'both', text?: string) => {
    const [base = {}, now = {}, theirs = {}] = texts.map((one) => ({ a: file(one) }))
    const resolution = { conflict_id: 'a#1', use, ...(text === undefined ? {} : { text }) }
    return (await merged(base, now, theirs, [...texts], [resolution])).changes.a
  }
  expect(await own(three, 'text', 'own')).toBe('1\nown\n3\n')
  expect(await own(['1\n2', '1\nL', '1\nA'], 'text', 'own')).toBe('1\nown')
  const windows = three.map((one) => one.replaceAll('\n', '\r\n'))
  expect(await own(windows, 'text', 'own\ntext')).toBe('1\r\nown\r\ntext\r\n3\r\n')
  expect(await own(['1\r\n2', '1\r\nL', '1\r\nA'], 'both')).toBe('1\r\nL\r\nA')
})

test('conflicts in files with long paths can be named', async () => {
  const paths = ['x', 'y'].map((name) => `${name}/${'deep/'.repeat(700)}file`)
  const all = (text: string) => Object.fromEntries(paths.map((path) => [path, file(text)]))
  const mergeAll = (resolutions: Resolution[]) => {
    const [base = {}, now = {}, theirs = {}] = three.map(all)
    return merged(base, now, theirs, three, resolutions)
  }
  const ids = (await mergeAll([])).conflicts.map(({ conflict_id }) => conflict_id)
  expect([new Set(ids).size, Math.max(...ids.map((id) => id.length)) <= 500]).toEqual([2, true])
  const resolved = await mergeAll(ids.map((conflict_id) => ({ conflict_id, use: 'member' })))
  expect(Object.values(resolved.changes)).toEqual([three[2], three[2]])
})

test('a resolution that does not fit is an error that names it', async () => {
  const lines = (...resolutions: Resolution[]) =>
    merged({ a: file(three[0] as string) }, { a: file(three[1] as string) }, { a: file(three[2] as string) }, three, resolutions)
  await expect(lines({ conflict_id: 'b#1', use: 'member' })).rejects.toMatchObject({
    reason_code: 'resolution_unknown',
    message: 'There is no conflict b#1.',
  })
  await expect(lines({ conflict_id: 'a#1', use: 'text' })).rejects.toMatchObject({ reason_code: 'resolution_unusable' })
  await expect(lines({ conflict_id: 'a#1', use: 'member', text: 'x' })).rejects.toMatchObject({ reason_code: 'resolution_unusable' })
})

const texts = ['1\n2\n3\n4\n5\n', 'X\n2\n3\n4\n5\n', '1\n2\n3\n4\nY\n', '1\n2\nZ\n4\n5\n', 'other\n', '\0binary']
const entry = fc.oneof(
  fc.record({ kind: fc.constant('file' as const), sha256: fc.constantFrom(...texts.map(hash)), mode: fc.constantFrom(0o644, 0o755) }),
  fc.record({ kind: fc.constant('link' as const), target: fc.constantFrom('x', 'y') }),
)
const anyTree = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd/e', 'd/f'), entry, { maxKeys: 4 }).map((entries) => tree(entries))
const shown = (changes: ReadonlyMap<string, { readonly entry: TreeEntry | null }>, now: Tree) => {
  const result = new Map<string, TreeEntry>(now)
  for (const [path, { entry: after }] of changes)
    if (after === null) result.delete(path)
    else result.set(path, after)
  return [...result].sort(([left], [right]) => (left < right ? -1 : 1))
}
const sorted = (one: Tree) => shown(new Map(), one)

test('what only the member changed is applied, and what it did not change stays', async () => {
  await fc.assert(
    fc.asyncProperty(anyTree, anyTree, async (base, other) => {
      const { contents } = memory(texts)
      const taken = await mergeSides(base, [{ title: 'Ann', base, theirs: other, moved: [] }], contents, [])
      expect([shown(taken.changes, base), taken.conflicts]).toEqual([sorted(other), []])
      const kept = await mergeSides(other, [{ title: 'Ann', base, theirs: base, moved: [] }], contents, [])
      expect([[...kept.changes], kept.conflicts]).toEqual([[], []])
    }),
  )
})

test('the result of each path comes from a side, or is a merge of their texts', async () => {
  await fc.assert(
    fc.asyncProperty(anyTree, anyTree, anyTree, async (base, now, theirs) => {
      const { contents, textOf } = memory(texts)
      const { changes, conflicts } = await mergeSides(now, [{ title: 'Ann', base, theirs, moved: [] }], contents, [])
      const known = [...now.values(), ...theirs.values()].map(textOf)
      const lines = new Set(texts.flatMap((text) => text.split('\n')))
      for (const [path, { entry: after, authors }] of changes) {
        const text = textOf(after) ?? null
        expect(authors).toEqual(['Ann'])
        expect(after === null || known.includes(text) || (text ?? '').split('\n').every((line) => lines.has(line))).toBe(true)
        expect(
          conflicts.some(
            (conflict) => conflict.path === path && conflict.kind !== 'mode' && conflict.kind !== 'lines' && conflict.resolved === null,
          ),
        ).toBe(false)
      }
    }),
  )
})

test('the order of members that changed different paths does not matter', async () => {
  const part = (names: string[]) => fc.dictionary(fc.constantFrom(...names), entry, { maxKeys: 3 }).map((entries) => tree(entries))
  await fc.assert(
    fc.asyncProperty(part(['a', 'b']), part(['a', 'b']), part(['c', 'd/e']), part(['c', 'd/e']), async (base1, theirs1, base2, theirs2) => {
      const now = new Map([...base1, ...base2])
      const first: MemberSide = { title: 'Ann', base: base1, theirs: theirs1, moved: [] }
      const second: MemberSide = { title: 'Bob', base: base2, theirs: theirs2, moved: [] }
      const [one, other] = [
        await mergeSides(now, [first, second], memory(texts).contents, []),
        await mergeSides(now, [second, first], memory(texts).contents, []),
      ]
      expect(shown(one.changes, now)).toEqual(shown(other.changes, now))
      expect([one.conflicts, other.conflicts]).toEqual([[], []])
    }),
  )
})

test('two members that changed one file: their changes are merged one after another, and the first is the author of what the second conflicts with', async () => {
  const [base, first, second, third] = texts as [string, string, string, string]
  const now = { a: file(base) }
  const member = (title: string, text: string): MemberSide => ({ title, base: tree(now), theirs: tree({ a: file(text) }), moved: [] })
  const { contents, textOf } = memory([...texts, 'Q\n2\n3\n4\n5\n'])
  const clean = await mergeSides(tree(now), [member('Ann', first), member('Bob', second), member('Cem', third)], contents, [])
  expect([textOf(clean.changes.get('a')?.entry), clean.changes.get('a')?.authors, clean.conflicts]).toEqual([
    'X\n2\nZ\n4\nY\n',
    ['Ann', 'Bob', 'Cem'],
    [],
  ])
  const open = await mergeSides(tree(now), [member('Ann', first), member('Bob', 'Q\n2\n3\n4\n5\n')], contents, [])
  expect(open.conflicts).toMatchObject([
    { conflict_id: 'a#1', kind: 'lines', current: { author: 'Ann', text: 'X\n' }, member: { author: 'Bob', text: 'Q\n' } },
  ])
})
