import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, costOf, testContext } from '../../../test/support/tools/fs/test-context.ts'
import { readFile } from './read.ts'

const hash = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

function set(files: Record<string, string | Uint8Array> = {}) {
  const context = testContext()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(context.workspace, name), content)
  return {
    context,
    at: (name: string) => join(context.workspace, name),
    read: (input: object) => call<Record<string, unknown>>(readFile, input, context),
  }
}

test('reads a whole file', async () => {
  const { read } = set({ 'a.txt': 'one\r\ntwo\r\n' })
  expect(await read({ path: 'a.txt', line_numbers: true })).toEqual({
    kind: 'text',
    path: 'a.txt',
    encoding: 'utf-8',
    bom: false,
    line_ending: 'crlf',
    size: 10,
    sha256: hash('one\r\ntwo\r\n'),
    total_lines: 2,
    start_line: 1,
    end_line: 2,
    content: '1\tone\n2\ttwo',
    next_offset: null,
    notes: [],
  })
})

test('reads lines from the middle, from the end, and past the end', async () => {
  const { read } = set({ a: Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join('\n') })
  expect(await read({ path: 'a', offset: 4, limit: 2 })).toMatchObject({
    content: 'line 4\nline 5',
    start_line: 4,
    end_line: 5,
    next_offset: 6,
    notes: ['There is more: the file has 10 lines.'],
  })
  expect(await read({ path: 'a', offset: -2 })).toMatchObject({ content: 'line 9\nline 10', start_line: 9, next_offset: null, notes: [] })
  expect(await read({ path: 'a', offset: 11 })).toMatchObject({
    content: '',
    start_line: null,
    notes: ['The file has 10 lines; line 11 is past the end.'],
  })
  expect(await read({ path: 'a', offset: 0, limit: 1 })).toMatchObject({ content: 'line 1' })
})

test('an empty file is reported as empty', async () => {
  const { read } = set({ a: '' })
  expect(await read({ path: 'a' })).toMatchObject({ content: '', total_lines: 0, notes: ['The file is empty.'], sha256: hash('') })
})

test('supports encodings', async () => {
  const { read } = set({
    'bom.txt': '\uFEFFgrün',
    'le.txt': Buffer.from('\uFEFFgrün\r\n', 'utf16le'),
    'be.txt': Buffer.from('\uFEFFgrün', 'utf16le').swap16(),
    'latin.txt': Buffer.from('grün', 'latin1'),
    'sjis.txt': Buffer.from([0x8a, 0xbf, 0x8e, 0x9a]),
    'broken.txt': Buffer.concat([Buffer.alloc(70_000, 'a'), Buffer.from([0xff])]),
  })
  expect(await read({ path: 'bom.txt' })).toMatchObject({ content: 'grün', encoding: 'utf-8', bom: true })
  expect(await read({ path: 'le.txt' })).toMatchObject({ content: 'grün', encoding: 'utf-16le', bom: true, line_ending: 'crlf' })
  expect(await read({ path: 'be.txt' })).toMatchObject({ content: 'grün', encoding: 'utf-16be', bom: true })
  expect(await read({ path: 'latin.txt' })).toMatchObject({
    content: 'grün',
    encoding: 'windows-1252',
    notes: ['The encoding is a guess (windows-1252); pass `encoding` if the text looks wrong.'],
  })
  expect(await read({ path: 'latin.txt', encoding: 'latin1' })).toMatchObject({ content: 'grün', encoding: 'latin1', notes: [] })
  expect(await read({ path: 'sjis.txt', encoding: 'shift_jis' })).toMatchObject({ content: '漢字' })
  expect(await read({ path: 'sjis.txt', encoding: 'klingon' })).toBe('unknown_encoding')
  expect(await read({ path: 'broken.txt' })).toMatchObject({
    notes: ['Some bytes are not valid utf-8; they are shown as U+FFFD.', '1 line is longer than 2000 characters and was cut.'],
  })
})

test('binary files and images are described', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000040000000200802000000', 'hex')
  const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0001108001e002803', 'hex'), Buffer.alloc(20)])
  const noise = Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 97) % 256))
  const { read } = set({ png, jpeg, noise, 'x.zip': Buffer.from('PK\x03\x04\0\0') })
  expect(await read({ path: 'png' })).toEqual({
    kind: 'image',
    path: 'png',
    media_type: 'image/png',
    size: png.length,
    sha256: hash(png),
    dimensions: { width: 64, height: 32 },
    notes: ['The content is not text and is not shown.'],
  })
  expect(await read({ path: 'jpeg' })).toMatchObject({ media_type: 'image/jpeg', dimensions: { width: 40, height: 30 } })
  expect(await read({ path: 'noise' })).toMatchObject({ kind: 'binary', media_type: 'application/octet-stream', dimensions: null })
  expect(await read({ path: 'x.zip' })).toMatchObject({ kind: 'binary', media_type: 'application/zip' })
})

test('ten gigabytes are described or read in part, not loaded', async () => {
  const { read, at, context } = set({ zeros: '', log: 'first line\nsecond line\n' })
  truncateSync(at('zeros'), 10 * 1024 ** 3)
  expect(await read({ path: 'zeros' })).toMatchObject({ kind: 'binary', size: 10 * 1024 ** 3, sha256: null })
  writeFileSync(at('log'), `${'a line of a log\n'.repeat(5_000)}`)
  truncateSync(at('log'), 10 * 1024 ** 3)
  execFileSync('sh', ['-c', 'printf "\\nlast but one\\nlast\\n" >> "$0"', at('log')])
  const inputs = [
    { path: 'log', offset: 3, limit: 2 },
    { path: 'log', offset: -2 },
  ]
  const { outputs, grown_bytes } = await costOf({ name: 'readFile', file: new URL('./read.ts', import.meta.url) }, inputs, context)
  expect(outputs).toMatchObject([
    {
      content: 'a line of a log\na line of a log',
      sha256: null,
      total_lines: null,
      start_line: 3,
      next_offset: 5,
      notes: ['There is more.'],
    },
    { content: 'last but one\nlast', start_line: null, next_offset: null },
  ])
  expect(grown_bytes).toBeLessThan(200 * 1024 ** 2)
})

test('a path that is not a file is refused', async () => {
  const { read, at } = set({ secret: 'x' })
  mkdirSync(at('folder'))
  execFileSync('mkfifo', [at('pipe')])
  symlinkSync('/etc/passwd', at('link'))
  expect(await read({ path: 'missing' })).toBe('not_found')
  expect(await read({ path: 'folder' })).toBe('is_a_directory')
  expect(await read({ path: 'secret/x' })).toBe('not_a_directory')
  expect(await read({ path: 'pipe' })).toBe('not_a_regular_file')
  expect(await read({ path: 'link' })).toBe('path_out_of_scope')
  expect(await read({ path: 'n'.repeat(300) })).toBe('name_too_long')
  chmodSync(at('secret'), 0)
  // Root can read everything.
  expect(await read({ path: 'secret' })).toEqual(process.getuid?.() === 0 ? expect.objectContaining({ content: 'x' }) : 'permission_denied')
})

test('a canceled call ends', async () => {
  const context = testContext({ signal: AbortSignal.abort(new Error('canceled')) })
  writeFileSync(join(context.workspace, 'a'), 'a')
  await expect(readFile.run({ path: 'a' }, context)).rejects.toThrow('canceled')
})

test('the result for the model contains the lines, not JSON', async () => {
  const { read } = set({ a: 'one\ntwo\nthree' })
  expect(readFile.present?.(await read({ path: 'a', limit: 2 }))).toBe(
    `a (utf-8, lines 1-2 of 3, sha256 ${hash('one\ntwo\nthree')})\none\ntwo\n[There is more: the file has 3 lines.]\n[Continue with offset 3.]`,
  )
})

test('line endings are detected correctly across chunks', async () => {
  const line = `${'x'.repeat(98)}\r\n`
  const { read } = set({ crlf: `y${line.repeat(30_000)}`, mixed: `${line.repeat(30_000)}last\n` })
  expect(await read({ path: 'crlf', limit: 1 })).toMatchObject({ line_ending: 'crlf', total_lines: 30_000 })
  expect(await read({ path: 'mixed', limit: 1 })).toMatchObject({ line_ending: 'mixed', total_lines: 30_001 })
})
