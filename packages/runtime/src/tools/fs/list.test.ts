import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FsListOutput } from '@tandem/contract/tool/output'
import { expect, test } from 'vitest'
import { definition } from '../../../../contract/src/http/routes/sample.ts'
import { call, testContext } from '../../../test/support/tools/fs/test-context.ts'
import { listFolder } from './list.ts'

const time = '2026-03-01T09:00:00.000Z'

function set(files: Record<string, string>, options: Parameters<typeof testContext>[0] = {}) {
  const context = testContext({ tool: 'fs.list', ...options })
  for (const [name, content] of Object.entries(files)) {
    const file = join(context.workspace, name)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, content)
    utimesSync(file, new Date(time), new Date(time))
  }
  const list = (input: object = {}) => call<FsListOutput>(listFolder, input, context)
  const names = async (input: object = {}) => {
    const listing = await list(input)
    return typeof listing === 'string' ? listing : listing.entries.map(({ path }) => path)
  }
  return { context, list, names }
}

test('lists names, types, sizes, times and link targets', async () => {
  const { list, context } = set({ 'b.txt': 'bb', 'a/x': 'x', '.hidden': '' })
  symlinkSync('/etc/passwd', join(context.workspace, 'link'))
  utimesSync(join(context.workspace, 'a'), new Date(time), new Date(time))
  const listing = await list()
  expect(listing).toEqual({
    path: '.',
    entries: [
      { path: 'a', type: 'directory', size: expect.any(Number), modified: time },
      { path: 'b.txt', type: 'file', size: 2, modified: time },
      { path: 'link', type: 'link', size: 11, modified: expect.any(String), target: '/etc/passwd' },
    ],
    more: 0,
  })
  expect(listFolder.present?.(listing)).toBe('.: 3 entries\na/\nb.txt (2 bytes)\nlink -> /etc/passwd')
  expect(listFolder.present?.(await list({ path: 'a' }))).toBe('a: 1 entry\nx (1 byte)')
})

test('the example workflow of the API finds its reports', async () => {
  const { names } = set({ 'reports/a.csv': '', 'reports/b.md': '' })
  const found = definition.nodes.find((node) => node.kind === 'tool' && node.tool === 'fs.list')
  if (found?.kind !== 'tool') throw new Error('the example does not list files')
  expect(await names(JSON.parse(found.arguments.replace('{{inputs.folder}}', 'reports')))).toEqual(['a.csv'])
})

test('supports depth, hidden names and patterns', async () => {
  const { names } = set({ 'a/b/c.ts': '', 'a/d.ts': '', 'a-b': '', '.git/config': '', 'x.ts': '' })
  expect(await names({ depth: 3 })).toEqual(['a', 'a/b', 'a/b/c.ts', 'a/d.ts', 'a-b', 'x.ts'])
  expect(await names({ depth: 2, hidden: true })).toEqual(['.git', '.git/config', 'a', 'a/b', 'a/d.ts', 'a-b', 'x.ts'])
  expect(await names({ depth: 9, pattern: '*.ts' })).toEqual(['a/b/c.ts', 'a/d.ts', 'x.ts'])
  expect(await names({ depth: 9, pattern: 'a/*.ts' })).toEqual(['a/d.ts'])
  expect(await names({ path: 'a', depth: 2 })).toEqual(['b', 'b/c.ts', 'd.ts'])
  expect(await names({ pattern: '{a,b}'.repeat(30) })).toBe('invalid_pattern')
})

test('applies ignore rules of parent folders and subfolders, with exceptions', async () => {
  const files = {
    '.gitignore': '# comment\n*.log\n/build/\n!keep.log\ndocs/**\n{x}\n',
    'a.log': '',
    'keep.log': '',
    'build/out': '',
    'src/build/in': '',
    'src/b.log': '',
    'src/.ignore': '!b.log\nsecret\n',
    'src/secret': '',
    'docs/page': '',
    '{x}': '',
    x: '',
    '.git/config': '',
  }
  const { names } = set(files)
  expect(await names({ depth: 5, ignore: true })).toEqual(['docs', 'keep.log', 'src', 'src/b.log', 'src/build', 'src/build/in', 'x'])
  expect(await names({ path: 'src', ignore: true })).toEqual(['b.log', 'build'])
  expect(await names({ ignore: true, hidden: true })).toEqual(['.gitignore', 'docs', 'keep.log', 'src', 'x'])
})

test('sorts by time or size', async () => {
  const { names, context } = set({ small: '1', large: '333', middle: '22' })
  utimesSync(join(context.workspace, 'middle'), new Date(time), new Date('2026-03-02T09:00:00.000Z'))
  expect(await names({ sort: 'size' })).toEqual(['large', 'middle', 'small'])
  expect(await names({ sort: 'modified' })).toEqual(['middle', 'large', 'small'])
  expect(await names({ sort: 'size', limit: 1 })).toEqual(['large'])
})

test('counts the entries above the limit', async () => {
  const { list } = set(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${String(index).padStart(3, '0')}`, ''])))
  const listing = await list({ limit: 2 })
  expect(listing).toMatchObject({ entries: [{ path: 'f000' }, { path: 'f001' }], more: 298 })
  expect(listFolder.present?.(listing)).toBe('.: 2 entries\nf000 (0 bytes)\nf001 (0 bytes)\n... 298 more')
})

test('paths out of scope are hidden', async () => {
  const { names } = set({ 'src/a.ts': '', 'src/a.js': '', 'lib/b.ts': '', '.env': '' }, { globs: ['src/**/*.ts'] })
  expect(await names({ depth: 3, hidden: true })).toEqual(['src', 'src/a.ts'])
  expect(await names({ path: 'lib' })).toBe('path_out_of_scope')
})

test('links are not followed', async () => {
  const { names, context } = set({})
  writeFileSync(join(context.outside, 'secret'), '')
  symlinkSync(context.outside, join(context.workspace, 'out'))
  symlinkSync('.', join(context.workspace, 'circle'))
  expect(await names({ depth: 32 })).toEqual(['circle', 'out'])
  expect(await names({ path: 'out' })).toBe('path_out_of_scope')
})

test('a path that is not a folder is refused', async () => {
  const { names } = set({ file: '' })
  expect(await names({ path: 'file' })).toBe('not_a_directory')
  expect(await names({ path: 'missing' })).toBe('not_found')
  expect(await names({ path: '..' })).toBe('path_out_of_scope')
})

test('a canceled call ends', async () => {
  const { context } = set({ a: '' }, { signal: AbortSignal.abort(new Error('canceled')) })
  await expect(listFolder.run({}, context)).rejects.toThrow('canceled')
})
