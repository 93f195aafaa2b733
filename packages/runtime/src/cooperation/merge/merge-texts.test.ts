import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linesOf } from './line-changes.ts'
import { type MergedPart, mergeTexts } from './merge-texts.ts'

const text = (letters: string) => [...letters].map((letter) => `${letter}\n`).join('')

test.each([
  ['nothing', 'abc', 'abc', 'abc', 'abc'],
  ['only ours', 'abc', 'aXc', 'abc', 'aXc'],
  ['only theirs', 'abc', 'abc', 'ab', 'ab'],
  ['both, apart', 'abcde', 'Xbcde', 'abcdY', 'XbcdY'],
  ['both the same', 'abc', 'aXc', 'aXc', 'aXc'],
  ['both insert the same', 'ab', 'aXb', 'aXb', 'aXb'],
  ['the same, and another one apart', 'abcdef', 'Xbcdef', 'XbcdeY', 'XbcdeY'],
  ['both create the same', '', 'ab', 'ab', 'ab'],
  ['both delete all', 'ab', '', '', ''],
])('clean: %s', (_name, base, ours, theirs, merged) => {
  expect(mergeTexts(text(base), text(ours), text(theirs))).toMatchObject({ conflicts: 0, text: text(merged) })
})

test.each([
  ['the same line', 'abc', 'aXc', 'aYc', { base: 'b', ours: 'X', theirs: 'Y' }],
  ['lines next to each other', 'abcd', 'aXcd', 'abYd', { base: 'bc', ours: 'Xc', theirs: 'bY' }],
  ['two insertions in one place', 'ab', 'aXb', 'aYb', { base: '', ours: 'X', theirs: 'Y' }],
  ['a change and a deletion', 'abc', 'aXc', 'ac', { base: 'b', ours: 'X', theirs: '' }],
  ['an insertion next to a change', 'abc', 'abXc', 'aYc', { base: 'b', ours: 'bX', theirs: 'Y' }],
  ['overlapping ranges', 'abcdef', 'aXYdef', 'abcZef', { base: 'bcd', ours: 'XYd', theirs: 'bcZ' }],
  ['all of an empty file', '', 'a', 'b', { base: '', ours: 'a', theirs: 'b' }],
])('a conflict: %s', (_name, base, ours, theirs, conflict) => {
  const merged = mergeTexts(text(base), text(ours), text(theirs))
  expect(merged).toMatchObject({ conflicts: 1, text: null })
  const found = merged.parts.find((part) => part.from === 'conflict') as Extract<MergedPart, { from: 'conflict' }>
  expect(found).toEqual({
    from: 'conflict',
    base: [...linesOf(text(conflict.base))],
    ours: [...linesOf(text(conflict.ours))],
    theirs: [...linesOf(text(conflict.theirs))],
  })
})

test('a last line without an end is another line, and ends stay as they are', () => {
  expect(mergeTexts('a\nb', 'a\nb', 'a\nb\n').text).toBe('a\nb\n')
  expect(mergeTexts('a\r\nb\r\nc\r\n', 'X\r\nb\r\nc\r\n', 'a\r\nb\r\nc').text).toBe('X\r\nb\r\nc')
  expect(mergeTexts('a\nb', 'a\nX', 'a\nb\n').conflicts).toBe(1)
})

test('texts that differ in very many lines are a conflict as a whole, not a long wait', () => {
  const lines = (prefix: string) => Array.from({ length: 5_000 }, (_, index) => `${prefix}${index}\n`).join('')
  expect(mergeTexts(lines('a'), lines('b'), lines('c'))).toMatchObject({ conflicts: 1 })
  expect(mergeTexts(lines('a'), lines('b'), lines('a')).text).toBe(lines('b'))
})

const line = fc.oneof(
  fc.constantFrom('a\n', 'b\n', '}\n', '\n', '  return x\n'),
  fc.nat(999).map((number) => `line ${number}\n`),
)
const base = fc.array(line, { maxLength: 30 })
const edits = fc.array(fc.tuple(fc.nat(30), fc.nat(3), fc.array(line, { maxLength: 3 })), { maxLength: 4 })

function edited(lines: readonly string[], changes: readonly (readonly [number, number, readonly string[]])[]): readonly string[] {
  const copy = [...lines]
  for (const [at, removed, added] of changes) copy.splice(Math.min(at, copy.length), removed, ...added)
  return copy
}

const three = fc.tuple(base, edits, edits).map(([lines, left, right]) => ({
  base: lines.join(''),
  ours: edited(lines, left).join(''),
  theirs: edited(lines, right).join(''),
}))

test('what only one side changed is the result', () => {
  fc.assert(
    fc.property(three, ({ base: before, ours }) => {
      expect(mergeTexts(before, ours, before).text).toBe(ours)
      expect(mergeTexts(before, before, ours).text).toBe(ours)
      expect(mergeTexts(before, ours, ours).text).toBe(ours)
    }),
  )
})

test('the order of the sides does not matter', () => {
  const swapped = (part: MergedPart): MergedPart => {
    if (part.from === 'conflict') return { ...part, ours: part.theirs, theirs: part.ours }
    return { ...part, from: part.from === 'ours' ? 'theirs' : part.from === 'theirs' ? 'ours' : part.from }
  }
  fc.assert(
    fc.property(three, ({ base: before, ours, theirs }) => {
      expect(mergeTexts(before, theirs, ours).parts).toEqual(mergeTexts(before, ours, theirs).parts.map(swapped))
    }),
  )
})

test('every line comes from a side, and choosing one side in every conflict loses nothing of it', () => {
  fc.assert(
    fc.property(three, ({ base: before, ours, theirs }) => {
      const { parts } = mergeTexts(before, ours, theirs)
      const known = new Set([...linesOf(before), ...linesOf(ours), ...linesOf(theirs)])
      for (const part of parts)
        for (const one of 'lines' in part ? part.lines : [...part.ours, ...part.theirs]) expect(known.has(one)).toBe(true)
      // Without what the other side changed, it is that side.
      const only = (side: 'ours' | 'theirs') => {
        const other = side === 'ours' ? 'theirs' : 'ours'
        return parts.some((part) => part.from === other)
          ? null
          : parts.flatMap((part) => ('lines' in part ? part.lines : part[side])).join('')
      }
      expect([ours, null]).toContain(only('ours'))
      expect([theirs, null]).toContain(only('theirs'))
    }),
  )
})

test('agrees with git, and never merges what git leaves to a person', () => {
  const folder = mkdtempSync(join(tmpdir(), 'merge-'))
  const histories = fc.sample(three, 1_000)
  try {
    for (const [number, history] of histories.entries())
      for (const [side, content] of Object.entries(history)) writeFileSync(join(folder, `${number}.${side}`), content)
    // One shell for all: starting a process from here takes much longer.
    const script = `i=0; while [ $i -lt ${histories.length} ]; do git merge-file $i.ours $i.base $i.theirs 2>&1; echo $? > $i.status; i=$((i+1)); done`
    expect(spawnSync('sh', ['-c', script], { cwd: folder }).status).toBe(0)
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    const compared = histories.map((history, number) => {
      const git = read(`${number}.status`).trim() === '0' ? read(`${number}.ours`) : null
      return { history, git, here: mergeTexts(history.base, history.ours, history.theirs).text }
    })
    expect(compared.filter(({ git, here }) => git === null && here !== null)).toEqual([])
    expect(compared.filter(({ git, here }) => git === here).length).toBeGreaterThanOrEqual(990)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
