import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runInChildProcess } from '../../../test/support/child-program.ts'
import { applyEdits, type Edit, linesAt } from './edit-rule.ts'

const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 30 })
const word = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 3 })

test('replaces like splitting and joining', () => {
  const occurrence = fc.constantFrom<NonNullable<Edit['occurrence']>>('only', 'all', 1, 2, 3)
  fc.assert(
    fc.property(
      letters,
      fc.array(fc.record({ old_text: word, new_text: letters, occurrence }), { minLength: 1, maxLength: 3 }),
      (text, edits) => {
        const expected = edits.reduce<string | null>((now, edit) => (now === null ? null : naive(now, edit)), text)
        const result = applyEdits(text, edits)
        expect(result.is === 'done' ? result.text : null).toBe(expected)
      },
    ),
    { numRuns: 5_000 },
  )
})

test('with other line endings the same lines are changed, and the others keep their endings', () => {
  fc.assert(
    fc.property(letters, word, letters, fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), (text, old_text, new_text, crlf) => {
      let at = 0
      const mixed = text.replace(/\n/g, () => (crlf[at++] ? '\r\n' : '\n'))
      const edits = [{ old_text, new_text, occurrence: 'all' as const }]
      const [plain, real] = [applyEdits(text, edits), applyEdits(mixed, edits)]
      expect(real.is).toBe(plain.is)
      if (plain.is !== 'done' || real.is !== 'done') return
      expect(real.text.replaceAll('\r\n', '\n')).toBe(plain.text)
      if (crlf.every(Boolean)) expect(real.text).toBe(plain.text.replaceAll('\n', '\r\n'))
    }),
    { numRuns: 5_000 },
  )
})

test('a file with mixed line endings keeps them outside the changed place', () => {
  const edited = applyEdits('a\r\nb\nc\r\nd\r\n', [{ old_text: 'b\nc', new_text: 'x\ny\nz' }])
  expect(edited).toEqual({ is: 'done', text: 'a\r\nx\ny\nz\r\nd\r\n', replaced: [1] })
  const crlf = applyEdits('a\r\nb\r\n', [{ old_text: 'a\r\nb', new_text: 'a\nnew\nb' }])
  expect(crlf).toEqual({ is: 'done', text: 'a\r\nnew\r\nb\r\n', replaced: [1] })
})

test('a failure includes the number of the failed edit', () => {
  expect(applyEdits('aaa', [{ old_text: 'aa', new_text: 'b' }])).toEqual({ is: 'ambiguous_match', edit: 1, lines: [1, 1], count: 2 })
  expect(
    applyEdits('x\ny\nx\n', [
      { old_text: 'y', new_text: 'z' },
      { old_text: 'x', new_text: 'q' },
    ]),
  ).toEqual({
    is: 'ambiguous_match',
    edit: 2,
    lines: [1, 3],
    count: 2,
  })
  expect(applyEdits('a', [{ old_text: 'b', new_text: '' }])).toEqual({ is: 'no_match', edit: 1, text: 'a' })
  expect(applyEdits('a', [{ old_text: '', new_text: 'x' }])).toEqual({ is: 'empty_old_text', edit: 1, text: 'a' })
  expect(applyEdits('a', [{ old_text: 'a', new_text: 'a' }])).toEqual({ is: 'no_change', edit: 1, text: 'a' })
  expect(applyEdits('a a', [{ old_text: 'a', new_text: 'b', occurrence: 3 }])).toEqual({ is: 'no_such_occurrence', edit: 1, count: 2 })
})

test('a dollar sign is literal', () => {
  expect(applyEdits('price', [{ old_text: 'price', new_text: "$& $1 $$ $'" }])).toMatchObject({ text: "$& $1 $$ $'" })
})

test('positions are converted to line numbers', () => {
  expect(linesAt('a\nb\n\nc', [0, 1, 2, 4, 5])).toEqual([1, 1, 2, 3, 4])
})

function naive(text: string, { old_text, new_text, occurrence = 'only' }: Edit): string | null {
  const parts = text.split(old_text)
  if (parts.length === 1 || old_text === new_text) return null
  if (occurrence === 'all') return parts.join(new_text)
  if (occurrence === 'only') {
    const starts = [...text].filter((_, index) => text.startsWith(old_text, index)).length
    return starts === 1 ? parts.join(new_text) : null
  }
  if (occurrence >= parts.length) return null
  return parts.slice(0, occurrence).join(old_text) + new_text + parts.slice(occurrence).join(old_text)
}

test('a text with too many matches is refused, and the search ends', async () => {
  const program = `
    import { applyEdits } from {{rule}}
    const text = 'a'.repeat(4_000_000)
    const tried = ['a'.repeat(1_000_000), 'b' + 'a'.repeat(1_000)].map((old_text) => applyEdits(text, [{ old_text, new_text: 'b' }]))
    console.log(JSON.stringify(tried.map(({ is, count }) => [is, count ?? 0])))
  `
  expect(await runInChildProcess(program, { rule: new URL('./edit-rule.ts', import.meta.url) })).toEqual([
    ['ambiguous_match', 100],
    ['no_match', 0],
  ])
})
