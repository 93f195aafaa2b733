import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FileImage, ScannedPath } from '../content/image.ts'
import { type ChangeSource, involvement, type OtherRunsInvolvement, type Owner, ownerOf, owners, type PathChange } from './ownership.ts'

function file(letter: string): FileImage {
  const times = { mtime: 1, ctime: 1, ino: 1, links: 1, born: 1 }
  return { type: 'file', mode: 0o644, size: 1, ...times, sha256: letter.repeat(64), content: null, racy: false }
}
const states: Readonly<Record<string, ScannedPath>> = { '-': 'absent', a: file('a'), b: file('b'), c: file('c') }

/** `command -a`: a command; the path was absent in the scan before it and `a` in the scan after it. */
function change(text: string): PathChange {
  const [by, [before = '', after = ''] = ''] = text.split(' ')
  return { by: by as ChangeSource, before: states[before] ?? 'unseen', after: states[after] ?? 'unseen' }
}

const rows: readonly (readonly [ours: string, others: readonly string[], beside: 'alone' | 'beside background', Owner])[] = [
  // A call names what it changes: only another call, or a change that it does not account for, makes that doubtful.
  ['call -a', [], 'alone', 'ours'],
  ['call -a', [], 'beside background', 'ours'],
  ['call -a', ['command -a'], 'alone', 'ours'],
  ['call -a', ['background -a'], 'alone', 'ours'],
  ['call -a', ['command -a', 'background -a'], 'alone', 'ours'],
  ['call -a', ['command -b'], 'alone', 'conflict'],
  ['call ab', ['command -b'], 'alone', 'conflict'],
  ['call -a', ['background ab'], 'alone', 'conflict'],
  ['call -a', ['call -a'], 'alone', 'conflict'],
  ['call ab', ['call -a'], 'alone', 'conflict'],
  // A command may have made any change that no call of another run accounts for.
  ['command -a', [], 'alone', 'ours'],
  ['command -a', ['call -a'], 'alone', 'theirs'],
  ['command ab', ['call ab'], 'alone', 'theirs'],
  ['command ac', ['call ab', 'call bc'], 'alone', 'theirs'],
  ['command a-', ['call ab', 'call b-'], 'alone', 'theirs'],
  ['command ac', ['call ab'], 'alone', 'conflict'],
  ['command ac', ['call bc'], 'alone', 'conflict'],
  ['command ac', ['call bc', 'call ab'], 'alone', 'conflict'],
  ['command -a', ['command -a'], 'alone', 'conflict'],
  ['command -a', ['background -a'], 'alone', 'conflict'],
  ['command -a', ['call -a', 'command -a'], 'alone', 'theirs'],
  ['command -b', ['call -a', 'command -b'], 'alone', 'conflict'],
  // While a background command of the same run was running, either of the two may have made it.
  ['command -a', [], 'beside background', 'conflict'],
  ['command -a', ['call -a'], 'beside background', 'theirs'],
  ['command -a', ['command -a'], 'beside background', 'conflict'],
  // What a background command may have changed is a separate group.
  ['background -a', [], 'alone', 'background'],
  ['background -a', [], 'beside background', 'background'],
  ['background -a', ['call -a'], 'alone', 'theirs'],
  ['background -b', ['call -a'], 'alone', 'conflict'],
  ['background -a', ['command -a'], 'alone', 'conflict'],
  ['background -a', ['background -a'], 'alone', 'conflict'],
]

test.each(rows)('%s beside %j, %s: %s', (ours, others, beside, owner) => {
  expect(ownerOf(change(ours), others.map(change), beside === 'beside background')).toBe(owner)
})

test('covers every row of the table', () => {
  const part = ([ours, , beside]: (typeof rows)[number]) => {
    const { by } = change(ours)
    return by === 'command' && beside === 'beside background' ? 'command_beside_background' : by
  }
  const reached = rows.map((row) => `${part(row)} ${involvement(change(row[0]), row[1].map(change))}`)
  const all = Object.entries(owners).flatMap(([ours, ends]) => Object.keys(ends).map((how) => `${ours} ${how as OtherRunsInvolvement}`))
  expect(new Set(reached)).toEqual(new Set(all))
})

const seen = fc.constantFrom(...Object.values(states))
const pathChange = (by: readonly ChangeSource[]) =>
  fc.record({ by: fc.constantFrom(...by), before: seen, after: seen }).filter(({ before, after }) => before !== after)

test('without another run nothing is theirs, and with one nothing that a command changed is simply ours', () => {
  const changers: readonly ChangeSource[] = ['call', 'command', 'background']
  fc.assert(
    fc.property(pathChange(changers), fc.array(pathChange(changers), { maxLength: 4 }), fc.boolean(), (ours, others, beside) => {
      const owner = ownerOf(ours, others, beside)
      if (others.length === 0) expect(owner).not.toBe('theirs')
      else if (ours.by !== 'call') expect(['theirs', 'conflict']).toContain(owner)
      if (ours.by === 'call') expect(['ours', 'conflict']).toContain(owner)
    }),
  )
})

test('consecutive calls of another run account for everything that a command saw; one step more or less makes it a conflict', () => {
  fc.assert(
    fc.property(fc.array(seen, { minLength: 3, maxLength: 6 }), (drawn) => {
      const path = drawn.filter((state, index) => state !== drawn[index - 1])
      fc.pre(path.length >= 3 && path[0] !== path.at(-1))
      const calls = path.slice(1).map((after, index): PathChange => ({ by: 'call', before: path[index] ?? 'absent', after }))
      const ours: PathChange = { by: 'command', before: path[0] ?? 'absent', after: path.at(-1) ?? 'absent' }
      expect(ownerOf(ours, calls, false)).toBe('theirs')
      expect(ownerOf(ours, calls.slice(1), false)).toBe('conflict')
      expect(ownerOf(ours, calls.slice(0, -1), false)).toBe('conflict')
    }),
  )
})
