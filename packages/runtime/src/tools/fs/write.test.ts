import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, failure, testContext } from '../../../test/support/tools/fs/test-context.ts'
import { editFile } from './edit.ts'
import { makeFolder } from './mkdir.ts'
import { writeFile } from './write.ts'

const hash = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function set(files: Record<string, string | Uint8Array> = {}) {
  const context = testContext({ tool: 'fs.write' })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(context.workspace, name), content)
  const at = (name: string) => join(context.workspace, name)
  return { context, at, bytes: (name: string) => readFileSync(at(name)), write: (input: object) => call(writeFile, input, context) }
}

test('creates a new file', async () => {
  const { write, bytes } = set()
  expect(await write({ path: 'a.txt', content: 'one\ntwo\n' })).toEqual({
    path: 'a.txt',
    outcome: 'created',
    bytes: 8,
    sha256: hash('one\ntwo\n'),
    encoding: 'utf-8',
    diff: '--- a.txt\n+++ a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n',
    diff_truncated: false,
    lines_added: 2,
    lines_removed: 0,
  })
  expect(bytes('a.txt').toString()).toBe('one\ntwo\n')
})

test('replacing keeps the mode and returns a diff; writing the same content again changes nothing', async () => {
  const { write, at } = set({ a: 'one\ntwo\n' })
  chmodSync(at('a'), 0o751)
  expect(await write({ path: 'a', content: 'one\n2\n' })).toMatchObject({
    outcome: 'replaced',
    diff: '--- a\n+++ a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
    lines_added: 1,
    lines_removed: 1,
  })
  const before = statSync(at('a'))
  expect([before.mode & 0o777, readdirSync(at(''))]).toEqual([0o751, ['a']])
  expect(await write({ path: 'a', content: 'one\n2\n' })).toMatchObject({ outcome: 'unchanged', diff: '' })
  expect(statSync(at('a')).ino).toBe(before.ino)
})

test('encoding, byte order mark and line endings are kept on request', async () => {
  const old = {
    'le.txt': Buffer.from('\uFEFFalt\r\n', 'utf16le'),
    'bom.txt': '\uFEFFalt\n',
    'latin.txt': Buffer.from('grün\r\n', 'latin1'),
  }
  const { write, bytes } = set(old)
  await write({ path: 'le.txt', content: 'grün\nneu\n', keep_encoding: true })
  expect(bytes('le.txt')).toEqual(Buffer.from('\uFEFFgrün\r\nneu\r\n', 'utf16le'))
  await write({ path: 'bom.txt', content: 'neu\n', keep_encoding: true })
  expect(bytes('bom.txt').toString()).toBe('\uFEFFneu\n')
  expect(await write({ path: 'latin.txt', content: 'schön\n', keep_encoding: true })).toBe('unknown_encoding')
  await write({ path: 'latin.txt', content: 'schön\n', keep_encoding: true, encoding: 'windows-1252' })
  expect(bytes('latin.txt')).toEqual(Buffer.from('schön\r\n', 'latin1'))
  await write({ path: 'bom.txt', content: 'plain\n' })
  expect(bytes('bom.txt').toString()).toBe('plain\n')
  expect(await write({ path: 'latin.txt', content: '漢', encoding: 'latin1' })).toBe('not_representable')
  expect(await write({ path: 'new', content: '\ud800' })).toBe('not_representable')
})

test('with a hash, only the version that was read is replaced', async () => {
  const { write, bytes } = set({ a: 'old' })
  expect(await write({ path: 'a', content: 'new', expect_sha256: hash('other') })).toBe('changed_since_read')
  expect(await write({ path: 'missing', content: 'new', expect_sha256: hash('old') })).toBe('changed_since_read')
  expect(await write({ path: 'a', content: 'new', expect_sha256: hash('old').toUpperCase() })).toMatchObject({ outcome: 'replaced' })
  expect(bytes('a').toString()).toBe('new')
})

test('parent folders are created on request', async () => {
  const { write } = set()
  expect(await write({ path: 'x/y/a', content: '' })).toBe('not_found')
  expect(await write({ path: 'x/y/a', content: '', create_parents: true })).toMatchObject({ path: 'x/y/a', outcome: 'created', bytes: 0 })
})

test('a large old file can be replaced, without a diff', async () => {
  const { write, at } = set({ a: '' })
  truncateSync(at('a'), 40 * 1024 * 1024)
  const zeros = hash(Buffer.alloc(40 * 1024 * 1024))
  expect(await write({ path: 'a', content: 'x', keep_encoding: true })).toBe('too_large')
  expect(await write({ path: 'a', content: 'x', expect_sha256: zeros })).toMatchObject({
    outcome: 'replaced',
    diff: '',
    diff_truncated: true,
  })
  expect(await write({ path: 'b', content: 'x'.repeat(17 * 1024 * 1024) })).toBe('too_large')
})

test('a large change has a limited diff', async () => {
  const { write } = set({ a: Array.from({ length: 3_000 }, (_, index) => `old ${index}`).join('\n') })
  const result = await write({ path: 'a', content: Array.from({ length: 3_000 }, (_, index) => `new ${index}`).join('\n') })
  expect(result).toMatchObject({ diff_truncated: true })
  expect(JSON.stringify(result).length).toBeLessThan(20_000)
})

test('text that cannot be written is refused with a code', async () => {
  const { write, at, context } = set({ file: 'x', readonly: 'x' })
  mkdirSync(at('folder'))
  execFileSync('mkfifo', [at('pipe')])
  symlinkSync('nowhere', at('broken'))
  symlinkSync(join(context.outside, 'new'), at('out'))
  chmodSync(at('readonly'), 0o444)
  expect(await write({ path: 'folder', content: '' })).toBe('is_a_directory')
  expect(await write({ path: 'file/x', content: '' })).toBe('not_a_directory')
  expect(await write({ path: 'pipe', content: '' })).toBe('not_a_regular_file')
  expect(await write({ path: 'broken', content: '' })).toBe('broken_link')
  expect(await write({ path: 'out', content: '' })).toBe('path_out_of_scope')
  expect(await write({ path: 'readonly', content: '' })).toBe('permission_denied')
  expect(await write({ path: 'n'.repeat(256), content: '' })).toBe('name_too_long')
  expect(await write({ path: 'n'.repeat(255), content: '' })).toMatchObject({ outcome: 'created' })
  expect(await write({ path: '../home/settings.json', content: '' })).toBe('path_forbidden')
  expect(readdirSync(context.outside)).toEqual([])
})

test('a full disk leaves the old file as it was', async () => {
  const { context, at, write } = set()
  mkdirSync(at('small'))
  mount(['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at('small')], at('small'))
  writeFileSync(at('small/a'), 'old\n')
  expect(await write({ path: 'small/a', content: 'x'.repeat(200_000) })).toBe('disk_full')
  expect(await failure(writeFile, { path: 'small/b', content: 'x'.repeat(200_000) }, context)).toMatchObject({
    message: 'There is no space left for "small/b". Nothing was changed.',
    facts: { subject: 'small/b', remedy: 'Free some space and try again.', recoverability: 'user_action' },
  })
  const grow = { path: 'small/a', edits: [{ old_text: 'old', new_text: 'y'.repeat(200_000) }] }
  expect(await call(editFile, grow, context)).toBe('disk_full')
  expect([readFileSync(at('small/a'), 'utf8'), readdirSync(at('small'))]).toEqual(['old\n', ['a']])
})

test('a read-only file system is reported', async () => {
  const { context, at, write } = set()
  mkdirSync(at('ro'))
  mount(['-t', 'tmpfs', '-o', 'ro', 'tmpfs', at('ro')], at('ro'))
  expect(await write({ path: 'ro/a', content: 'x' })).toBe('read_only_file_system')
  expect(await call(makeFolder, { path: 'ro/x' }, context)).toBe('read_only_file_system')
})

function mount(args: readonly string[], folder: string): void {
  if (process.getuid?.() !== 0) throw new Error('this test mounts a small file system and must run as root')
  execFileSync('mount', args)
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
}
