// The previews of calls that change files, with real files; and that the calls then do what the preview shows.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CallPreview } from '@tandem/contract/run/schema'
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { call, testContext } from '../../../test/support/tools/fs/test-context.ts'
import type { Tool } from '../../call/tool.ts'
import { deletePath } from './delete.ts'
import { editFile } from './edit.ts'
import { makeFolder } from './mkdir.ts'
import { movePath } from './move.ts'
import { writeFile } from './write.ts'

function set(tool: Tool, files: Record<string, string | Uint8Array> = {}) {
  const context = testContext({ tool: tool.name })
  const at = (name: string) => join(context.workspace, name)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), content)
  }
  /** The preview, or the code of the expected failure. */
  const preview = async (input: object): Promise<unknown> => {
    const before = readdirSync(context.workspace, { recursive: true }).sort()
    const shown = await tool.preview?.(input as never, context).catch((error: unknown) => {
      if (error instanceof Error && 'reason_code' in error) return String(error.reason_code)
      throw error
    })
    expect(readdirSync(context.workspace, { recursive: true }).sort()).toEqual(before)
    if (typeof shown === 'object') expect(Check(CallPreview, shown)).toBe(true)
    return shown
  }
  return { context, at, preview, run: (input: object) => call<{ diff: string }>(tool, input, context) }
}

const change = { kind: 'change', creates: false, diff_truncated: false, notes: [] }

test('a new file, and one in missing folders', async () => {
  const { preview } = set(writeFile)
  const added = { diff: '--- a.txt\n+++ a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n', lines_added: 2, lines_removed: 0 }
  expect(await preview({ path: 'a.txt', content: 'one\ntwo\n' })).toEqual({ ...change, path: 'a.txt', creates: true, ...added })
  expect(await preview({ path: './x/../b/c/a.txt', content: '', create_parents: true })).toEqual({
    ...change,
    path: 'b/c/a.txt',
    creates: true,
    diff: '',
    lines_added: 0,
    lines_removed: 0,
    notes: ['Creates the folder b.', 'Creates the folder b/c.'],
  })
  expect(await preview({ path: 'b/c/a.txt', content: '' })).toBe('not_found')
})

test('replacing a file shows the diff that the call then makes', async () => {
  const { preview, run } = set(writeFile, { 'a.txt': 'one\ntwo\n' })
  const input = { path: 'a.txt', content: 'one\n2\n' }
  const diff = '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n'
  expect(await preview(input)).toEqual({ ...change, path: 'a.txt', diff, lines_added: 1, lines_removed: 1 })
  expect(await run(input)).toMatchObject({ diff })
  expect(await preview(input)).toMatchObject({ diff: '', notes: ['The file already has exactly this content.'] })
  expect(await preview({ ...input, expect_sha256: '0'.repeat(64) })).toBe('changed_since_read')
})

test('changes that a diff does not show are described', async () => {
  const { preview } = set(writeFile, {
    crlf: 'a\r\nb\r\n',
    utf16: Buffer.from('\uFEFFa\n', 'utf16le'),
    binary: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1]),
  })
  expect(await preview({ path: 'crlf', content: 'a\nb\n' })).toMatchObject({
    diff: '',
    notes: ['Changes the line endings from CRLF to LF.'],
  })
  expect(await preview({ path: 'crlf', content: 'a\nb\nc\n', keep_encoding: true })).toMatchObject({ lines_added: 1, notes: [] })
  expect(await preview({ path: 'utf16', content: 'a\n' })).toMatchObject({
    notes: ['Changes the encoding from utf-16le to utf-8.', 'Removes the byte order mark.'],
  })
  expect(await preview({ path: 'binary', content: 'a\n' })).toEqual({
    ...change,
    path: 'binary',
    diff: '',
    diff_truncated: true,
    lines_added: null,
    lines_removed: null,
    notes: ['Replaces a file that is not text.'],
  })
})

test('a large change is cut at 64 KiB, and a huge one has no diff', async () => {
  const { preview } = set(writeFile, { 'ten.txt': 'x'.repeat(99).concat('\n').repeat(100_000), huge: new Uint8Array(17 * 1024 * 1024) })
  const long = (await preview({ path: 'new.txt', content: 'line\n'.repeat(50_000) })) as { diff: string }
  expect(long).toMatchObject({ diff_truncated: true, lines_added: 50_000 })
  expect(long.diff.length).toBeGreaterThan(60_000)
  expect(long.diff.length).toBeLessThanOrEqual(64 * 1024)
  expect(await preview({ path: 'ten.txt', content: 'short' })).toMatchObject({ diff: '', diff_truncated: true, lines_added: null })
  expect(await preview({ path: 'huge', content: 'short' })).toMatchObject({
    notes: ['Replaces a file of 17,825,792 bytes, which is too large to compare.'],
  })
})

test('a link is shown by its target, and a link that leads outside is refused', async () => {
  const { context, at, preview } = set(writeFile, { 'real/a.txt': 'old\n' })
  symlinkSync('real', at('link'))
  symlinkSync(context.outside, at('out'))
  expect(await preview({ path: 'link/a.txt', content: 'new\n' })).toMatchObject({ path: 'real/a.txt', creates: false, lines_added: 1 })
  expect(await preview({ path: 'link/x/b.txt', content: '', create_parents: true })).toMatchObject({ path: 'real/x/b.txt' })
  expect(await preview({ path: 'out/a.txt', content: 'new\n' })).toBe('path_out_of_scope')
})

test('hostile names are returned unchanged; the user interface makes them visible', async () => {
  const name = 'a\n\u202egnp.txt'
  const { preview } = set(writeFile, { [name]: 'x\n' })
  expect(await preview({ path: name, content: 'y\n' })).toMatchObject({ path: name, lines_added: 1 })
  expect(await preview({ path: 'n'.repeat(4_000), content: '' })).toBe('name_too_long')
})

test('an edit is applied in memory by the same rule, or reports why it would fail', async () => {
  const { preview, run, at } = set(editFile, { 'a.js': 'let a = 1\nlet b = 1\n', image: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]) })
  const edits = [
    { old_text: 'let a = 1', new_text: 'let a = 2' },
    { old_text: 'a = 2', new_text: 'a = 3' },
  ]
  const diff = '--- a.js\n+++ a.js\n@@ -1,2 +1,2 @@\n-let a = 1\n+let a = 3\n let b = 1\n'
  expect(await preview({ path: 'a.js', edits })).toEqual({ ...change, path: 'a.js', diff, lines_added: 1, lines_removed: 1 })
  expect(await preview({ path: 'a.js', edits: [{ old_text: 'let c', new_text: '' }] })).toBe('no_match')
  expect(await preview({ path: 'a.js', edits: [{ old_text: ' = 1', new_text: '' }] })).toBe('ambiguous_match')
  expect(await preview({ path: 'image', edits })).toBe('binary_file')
  expect(await preview({ path: 'missing', edits })).toBe('not_found')
  expect(readFileSync(at('a.js'), 'utf8')).toBe('let a = 1\nlet b = 1\n')
  expect(await run({ path: 'a.js', edits })).toMatchObject({ diff })
})

const removal = { kind: 'delete', paths: [], more: 0, at_least: false }

test('a deletion shows the number of entries and the first hundred names', async () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`dist/${n % 10}/${String(n).padStart(5, '0')}.js`, 'xy']))
  const { preview, at, context } = set(deletePath, { ...many, 'a.txt': 'abc' })
  symlinkSync(context.outside, at('link'))
  mkdirSync(at('empty'))
  expect(await preview({ path: 'a.txt' })).toEqual({ ...removal, path: 'a.txt', folders: 0, files: 1, bytes: 3 })
  expect(await preview({ path: 'link' })).toMatchObject({ path: 'link', folders: 0, files: 1 })
  expect(await preview({ path: 'empty', recursive: true })).toEqual({ ...removal, path: 'empty', folders: 1, files: 0, bytes: 0 })
  expect(await preview({ path: 'missing' })).toBe('not_found')
  expect(await preview({ path: 'empty' })).toBe('needs_recursive')
  expect(await preview({ path: '.', recursive: true })).toBe('workspace_root')
  const all = (await preview({ path: 'dist/', recursive: true })) as { paths: string[]; at_least: boolean }
  // A slow machine may not count all of them in time, and reports that.
  if (!all.at_least) expect(all).toMatchObject({ path: 'dist', folders: 11, files: 10_000, bytes: 20_000, more: 9_900 })
  expect(all.paths).toHaveLength(100)
  expect(all.paths[0]).toMatch(/^dist\/\d\/\d{5}\.js$/)
})

test('a move, a rename and a new folder', async () => {
  const { preview, at } = set(movePath, { 'a.txt': 'a', 'b.txt': 'b' })
  symlinkSync('b.txt', at('link'))
  const move = (from: string, to: string, more = {}) => preview({ from, to, ...more })
  expect(await move('a.txt', 'c.txt')).toEqual({ kind: 'move', from: 'a.txt', to: 'c.txt', replaces: false })
  expect(await move('link', 'x/y', { create_parents: true })).toEqual({ kind: 'move', from: 'link', to: 'x/y', replaces: false })
  expect(await move('a.txt', 'link', { overwrite: true })).toEqual({ kind: 'move', from: 'a.txt', to: 'link', replaces: true })
  expect(await move('a.txt', 'b.txt')).toBe('exists')
  expect(await move('a.txt', 'x/y')).toBe('not_found')
  expect(await move('missing', 'x')).toBe('not_found')
  const folder = set(makeFolder)
  expect(await folder.preview({ path: 'a/b/' })).toEqual({ kind: 'folder', path: 'a/b' })
})
