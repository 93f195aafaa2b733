import { fork } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FsSearchOutput } from '@tandem/contract/tool/output'
import { expect, onTestFinished, test } from 'vitest'
import { call, failure, testContext } from '../../../test/support/tools/fs/test-context.ts'
import { findRipgrep } from './ripgrep.ts'
import { searchFiles } from './search.ts'

function set(files: Record<string, string | Uint8Array>, options: Parameters<typeof testContext>[0] = {}) {
  const context = testContext({ tool: 'fs.search', ...options })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(context.workspace, name, '..'), { recursive: true })
    writeFileSync(join(context.workspace, name), content)
  }
  const search = (input: object) => call<FsSearchOutput>(searchFiles, input, context)
  const hits = async (input: object) => {
    const result = await search(input)
    return typeof result === 'string' ? result : result.lines.map(({ path, line, text }) => `${path}:${line}:${text}`)
  }
  return { context, search, hits }
}

test('returns matches with their positions, sorted by path', async () => {
  const { search } = set({ 'b.txt': 'x\nneedle\n', 'a/c.txt': 'a needle here\r\n' })
  const result = await search({ pattern: 'needle' })
  expect(result).toEqual({
    path: '.',
    lines: [
      { path: 'a/c.txt', line: 1, text: 'a needle here', match: true },
      { path: 'b.txt', line: 2, text: 'needle', match: true },
    ],
    files: [],
    matches: 2,
    truncated: false,
    notes: [],
  })
  expect(searchFiles.present?.(result)).toBe('a/c.txt\n1: a needle here\n\nb.txt\n2: needle')
  expect(searchFiles.present?.(await search({ pattern: 'nowhere' }))).toBe('Nothing found.')
})

test('supports every option', async () => {
  const { hits, search } = set({
    'a.ts': 'one\nTwo\nthree\nfour.five\n',
    'b.md': 'one\n',
    '.hidden': 'one\n',
    '.gitignore': 'ignored\n',
    ignored: 'one\n',
    'sub/c.ts': 'one\n',
  })
  expect(await hits({ pattern: 'one' })).toEqual(['a.ts:1:one', 'b.md:1:one', 'sub/c.ts:1:one'])
  expect(await hits({ pattern: 'one', glob: ['*.ts', '!sub/**'] })).toEqual(['a.ts:1:one'])
  expect(await hits({ pattern: 'one', type: 'md' })).toEqual(['b.md:1:one'])
  expect(await hits({ pattern: 'one', path: 'sub' })).toEqual(['sub/c.ts:1:one'])
  expect(await hits({ pattern: 'one', path: 'ignored' })).toEqual(['ignored:1:one'])
  expect(await hits({ pattern: 'one', hidden: true, no_ignore: true, glob: ['{ignored,.hidden}'] })).toEqual([
    '.hidden:1:one',
    'ignored:1:one',
  ])
  expect(await hits({ pattern: 'two' })).toEqual([])
  expect(await hits({ pattern: 'two', case: 'insensitive' })).toEqual(['a.ts:2:Two'])
  expect(await hits({ pattern: 'ONE', case: 'smart' })).toEqual([])
  expect(await hits({ pattern: 'r.f' })).toEqual(['a.ts:4:four.five'])
  expect(await hits({ pattern: 'u.f', fixed_strings: true })).toEqual([])
  expect(await hits({ pattern: 'Two\\nthree', multiline: true })).toEqual(['a.ts:2:Two\nthree'])
  expect(await hits({ pattern: 'Two', context: 1 })).toEqual(['a.ts:1:one', 'a.ts:2:Two', 'a.ts:3:three'])
  expect(await search({ pattern: 'o', output: 'files' })).toMatchObject({
    files: [
      { path: 'a.ts', matched_lines: 3 },
      { path: 'b.md', matched_lines: 1 },
      { path: 'sub/c.ts', matched_lines: 1 },
    ],
    lines: [],
  })
  expect(await search({ pattern: 'one', max_results: 2 })).toMatchObject({ matches: 2, truncated: true })
  expect(await search({ pattern: 'one', max_results: 3 })).toMatchObject({ matches: 3, truncated: false })
  expect(await search({ pattern: 'o', output: 'files', max_results: 1 })).toMatchObject({ files: [{ path: 'a.ts' }], truncated: true })
})

test('a pattern is never an option, and the environment has no effect', async () => {
  const { hits, context } = set({ a: '--pre=touch\n-e\n$(touch pwned)\n' })
  process.env.RIPGREP_CONFIG_PATH = join(context.outside, 'config')
  onTestFinished(() => {
    delete process.env.RIPGREP_CONFIG_PATH
  })
  writeFileSync(join(context.outside, 'config'), '--invert-match\n')
  expect(await hits({ pattern: '--pre=touch', fixed_strings: true })).toEqual(['a:1:--pre=touch'])
  expect(await hits({ pattern: '-e', fixed_strings: true })).toEqual(['a:2:-e'])
  expect(await hits({ pattern: '$(touch pwned)', fixed_strings: true })).toEqual(['a:3:$(touch pwned)'])
  expect(await hits({ pattern: 'touch', glob: ['--pre=x'] })).toEqual([])
  expect(readdirSync(context.workspace)).toEqual(['a'])
})

test('an expensive expression terminates', async () => {
  const { hits } = set({ a: `${'a'.repeat(50_000)}b` })
  expect(await hits({ pattern: '(a+)+$' })).toEqual([])
  expect(await hits({ pattern: '(a|aa)+c' })).toEqual([])
})

test('an invalid request is reported', async () => {
  const { hits, context } = set({ a: 'x' })
  expect(await hits({ pattern: '(' })).toBe('invalid_pattern')
  expect(await hits({ pattern: '(?=x)' })).toBe('invalid_pattern')
  expect(await hits({ pattern: 'x', glob: ['['] })).toBe('invalid_pattern')
  expect(await hits({ pattern: 'x', type: 'klingon' })).toBe('invalid_pattern')
  expect(await hits({ pattern: 'x{1000}{1000}{1000}' })).toBe('invalid_pattern')
  expect((await failure(searchFiles, { pattern: 'x', type: 'klingon' }, context)).message).toContain('klingon')
})

test('links are not followed, and paths out of scope are hidden', async () => {
  const { hits, context } = set({ 'a.ts': 'secret', '.env': 'secret', 'b.md': 'secret' }, { globs: ['**', '!**/*.md'] })
  writeFileSync(join(context.outside, 'x'), 'secret')
  symlinkSync(context.outside, join(context.workspace, 'out'))
  symlinkSync(join(context.outside, 'x'), join(context.workspace, 'file'))
  expect(await hits({ pattern: 'secret', hidden: true })).toEqual(['.env:1:secret', 'a.ts:1:secret'])
  expect(await hits({ pattern: 'secret', path: 'out' })).toBe('path_out_of_scope')
  expect(await hits({ pattern: 'secret', path: 'file' })).toBe('path_out_of_scope')
  expect(await hits({ pattern: 'secret', path: 'b.md' })).toBe('path_out_of_scope')
  expect(await hits({ pattern: 'x', path: 'missing' })).toBe('not_found')
})

test('binary files, invalid bytes and very long lines are harmless', async () => {
  const { hits, search } = set({
    binary: Buffer.concat([Buffer.alloc(100), Buffer.from('needle')]),
    latin: Buffer.from('gr\xfcn needle\n', 'latin1'),
    long: `${'x'.repeat(3_000_000)}needle\nshort needle\n`,
    wide: `${'y'.repeat(5_000)}needle\n`,
  })
  expect(await hits({ pattern: 'needle' })).toEqual([
    'latin:1:grün needle',
    'long:2:short needle',
    `wide:1:${'y'.repeat(500)} [... 4506 more characters]`,
  ])
  expect(await search({ pattern: 'needle', path: 'long' })).toMatchObject({ notes: ['1 match in a very long line was left out.'] })
})

test('a canceled search ends its process', async () => {
  const cancel = new AbortController()
  const { context } = set(Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, 'needle\n'.repeat(1_000)])), {
    signal: cancel.signal,
  })
  const running = searchFiles.run({ pattern: 'needle', max_results: 2_000 }, context)
  cancel.abort(new Error('canceled'))
  await expect(running).rejects.toThrow('canceled')
})

test('a program in a folder that an agent can write is not run', async () => {
  const { context } = set({})
  const planted = join(context.workspace, 'node_modules/.bin')
  mkdirSync(planted, { recursive: true })
  writeFileSync(join(planted, 'rg'), '#!/bin/sh\n')
  chmodSync(join(planted, 'rg'), 0o755)
  symlinkSync(join(planted, 'rg'), join(context.outside, 'rg'))
  const search = (path: string) => findRipgrep(path, [context.workspace, context.temp])
  await expect(search(`.:node_modules/.bin:${planted}:${context.outside}`)).rejects.toMatchObject({
    reason_code: 'ripgrep_missing',
    facts: { subject: 'ripgrep', recoverability: 'user_action' },
  })
  expect(await search(`${planted}:${process.env.PATH}`)).not.toContain(context.workspace)
})

test('matches in other encodings are found', async () => {
  const { hits } = set({
    bom: '\uFEFFone\nneedle ü\n',
    le: Buffer.from('\uFEFFgrün\r\nneedle ü\r\n', 'utf16le'),
    be: Buffer.from('\uFEFFneedle ü\n', 'utf16le').swap16(),
  })
  expect(await hits({ pattern: 'needle', context: 1 })).toEqual([
    'be:1:needle ü',
    'bom:1:one',
    'bom:2:needle ü',
    'le:1:grün',
    'le:2:needle ü',
  ])
})

test('a folder replaced by a link during the search shows nothing from outside', async () => {
  const { context, search } = set({}, existsSync('/dev/shm') ? { base: '/dev/shm' } : {})
  writeFileSync(join(context.outside, 'file'), 'outside\n')
  const swapper = fork(new URL('../../../test/support/sandbox/files/test-swapper.ts', import.meta.url), [
    context.workspace,
    context.outside,
  ])
  onTestFinished(() => void swapper.kill('SIGKILL'))
  await new Promise((resolve, reject) => swapper.once('message', resolve).once('exit', reject))
  const seen = new Set<string>()
  let led = 0
  for (let round = 0; round < 3_000 && (round < 60 || led === 0); round++) {
    const result = await search({ pattern: 'inside|outside' })
    if (typeof result === 'string') continue
    for (const { text } of result.lines) seen.add(text)
    led += result.notes.length
  }
  expect([[...seen], led > 0]).toEqual([['inside'], true])
})
