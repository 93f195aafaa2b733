import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, failure, testContext } from '../../../test/support/tools/fs/test-context.ts'
import { editFile } from './edit.ts'

function set(files: Record<string, string | Uint8Array> = {}) {
  const context = testContext({ tool: 'fs.edit' })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(context.workspace, name), content)
  const at = (name: string) => join(context.workspace, name)
  const change = (path: string, ...edits: object[]) => call(editFile, { path, edits }, context)
  return { context, at, text: (name: string) => readFileSync(at(name), 'utf8'), change }
}

test('changes several places, and keeps the byte order mark, line endings and mode', async () => {
  const { change, at, text } = set({ a: '\uFEFFone\r\ntwo\r\nthree\r\n' })
  chmodSync(at('a'), 0o755)
  const result = await change('a', { old_text: 'one\ntwo', new_text: '1\n2' }, { old_text: 'e', new_text: 'E', occurrence: 'all' })
  expect(text('a')).toBe('\uFEFF1\r\n2\r\nthrEE\r\n')
  expect([statSync(at('a')).mode & 0o777, readdirSync(at(''))]).toEqual([0o755, ['a']])
  expect(result).toEqual({
    path: 'a',
    replaced: [1, 2],
    bytes: 16,
    sha256: createHash('sha256')
      .update(readFileSync(at('a')))
      .digest('hex'),
    diff: '--- a\n+++ a\n@@ -1,3 +1,3 @@\n-one\n-two\n-three\n+1\n+2\n+thrEE\n',
    diff_truncated: false,
    lines_added: 3,
    lines_removed: 3,
  })
})

test('all or nothing', async () => {
  const { change, text } = set({ a: 'one two' })
  expect(await change('a', { old_text: 'one', new_text: '1' }, { old_text: 'three', new_text: '3' })).toBe('no_match')
  expect(text('a')).toBe('one two')
})

test.each([
  [1, 'text', 'once', 'Leave out `occurrence`.'],
  [2, 'text text', '2 times', 'Set `occurrence` to a number from 1 to 2.'],
])('an occurrence that does not exist, of %i', async (_count, content, times, remedy) => {
  const { context } = set({ a: content })
  const input = { path: 'a', edits: [{ old_text: 'text', new_text: 'x', occurrence: 3 }] }
  expect(await failure(editFile, input, context)).toMatchObject({
    message: `Edit 1 of "a": the text occurs only ${times}. Nothing was changed.`,
    facts: { remedy },
  })
})

test('not found: the most similar lines are shown', async () => {
  const { context } = set({ a: 'import x\n\tconst total = sum(a, b)\nreturn total\n' })
  const input = { path: 'a', edits: [{ old_text: '  const total = sum(a, b)', new_text: 'x' }] }
  expect(await failure(editFile, input, context)).toMatchObject({
    reason_code: 'no_match',
    message:
      'Edit 1 of "a": the text was not found. At line 2 it differs only in white space. Nothing was changed. Most similar lines:\n2\t\tconst total = sum(a, b)',
    facts: { subject: 'a', output: { lines: [{ line: 2, text: '\tconst total = sum(a, b)' }], differs_in_space_at: 2 } },
  })
})

test('ambiguous: the line numbers are listed', async () => {
  const { context } = set({ a: 'x\ny\nx\n' })
  expect(await failure(editFile, { path: 'a', edits: [{ old_text: 'x', new_text: 'z' }] }, context)).toMatchObject({
    reason_code: 'ambiguous_match',
    message: 'Edit 1 of "a": the text occurs 2 times, at lines 1, 3. Nothing was changed.',
    facts: { output: { lines: [1, 3], count: 2 } },
  })
})

test('UTF-16 and, if given, other encodings are kept', async () => {
  const { change, at, context } = set({
    le: Buffer.from('\uFEFFgrün\r\n', 'utf16le'),
    latin: Buffer.from('grün\n', 'latin1'),
    noise: Buffer.from([0, 1, 2, 3, 250, 0, 7]),
  })
  await change('le', { old_text: 'grün', new_text: 'blau' })
  expect(readFileSync(at('le'))).toEqual(Buffer.from('\uFEFFblau\r\n', 'utf16le'))
  const edits = [{ old_text: 'grün', new_text: 'schön' }]
  expect(await call(editFile, { path: 'latin', edits }, context)).toBe('unknown_encoding')
  await call(editFile, { path: 'latin', edits, encoding: 'latin1' }, context)
  expect(readFileSync(at('latin'))).toEqual(Buffer.from('schön\n', 'latin1'))
  expect(await call(editFile, { path: 'noise', edits }, context)).toBe('binary_file')
})

test('every other refusal has its code', async () => {
  const { change, at, context } = set({ a: 'text', big: 'x' })
  mkdirSync(at('folder'))
  truncateSync(at('big'), 17 * 1024 * 1024)
  symlinkSync('/etc/hostname', at('out'))
  const edit = { old_text: 'text', new_text: 'new' }
  expect(await change('missing', edit)).toBe('not_found')
  expect(await change('folder', edit)).toBe('is_a_directory')
  expect(await change('big', edit)).toBe('too_large')
  expect(await change('out', edit)).toBe('path_out_of_scope')
  expect(await change('a', { old_text: '', new_text: 'x' })).toBe('empty_old_text')
  expect(await change('a', { old_text: 'text', new_text: 'text' })).toBe('no_change')
  expect(await change('a', { ...edit, occurrence: 2 })).toBe('no_match')
  expect(await call(editFile, { path: 'a', edits: [edit], expect_sha256: '0'.repeat(64) }, context)).toBe('changed_since_read')
})
