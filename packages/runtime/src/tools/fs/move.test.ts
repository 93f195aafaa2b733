import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, testContext } from '../../../test/support/tools/fs/test-context.ts'
import { deletePath } from './delete.ts'
import { makeFolder } from './mkdir.ts'
import { movePath } from './move.ts'

function set(options: Parameters<typeof testContext>[0] = {}) {
  const context = testContext({ tool: 'fs.move', ...options })
  const at = (name: string) => join(context.workspace, name)
  mkdirSync(at('folder/deep'), { recursive: true })
  writeFileSync(at('folder/deep/f'), 'deep')
  writeFileSync(at('a'), 'a')
  writeFileSync(at('b'), 'b')
  return {
    context,
    at,
    text: (name: string) => readFileSync(at(name), 'utf8'),
    move: (from: string, to: string, more: object = {}) => call(movePath, { from, to, ...more }, context),
    remove: (path: string, more: object = {}) => call(deletePath, { path, ...more }, context),
  }
}

test('files and folders are moved; nothing is replaced without overwrite', async () => {
  const { move, text, at } = set()
  expect(await move('a', 'c')).toEqual({ from: 'a', to: 'c', replaced: false })
  expect(await move('c', 'b')).toBe('already_exists')
  expect(await move('c', 'b', { overwrite: true })).toEqual({ from: 'c', to: 'b', replaced: true })
  expect(await move('folder', 'other/place')).toBe('not_found')
  expect(await move('folder', 'other/place', { create_parents: true })).toEqual({ from: 'folder', to: 'other/place', replaced: false })
  expect([text('b'), text('other/place/deep/f'), readdirSync(at('')).sort()]).toEqual(['a', 'deep', ['b', 'other']])
})

test('a refused move has a reason', async () => {
  const { move, at } = set()
  mkdirSync(at('empty'))
  mkdirSync(at('full'))
  writeFileSync(at('full/x'), '')
  expect(await move('missing', 'x')).toBe('not_found')
  expect(await move('folder', 'folder/deep/inside')).toBe('into_itself')
  expect(await move('a', 'folder', { overwrite: true })).toBe('is_a_directory')
  expect(await move('folder', 'a', { overwrite: true })).toBe('not_a_directory')
  expect(await move('folder', 'full', { overwrite: true })).toBe('directory_not_empty')
  expect(await move('folder', 'empty')).toBe('already_exists')
  expect(await move('.', 'x')).toBe('workspace_root')
  expect(await move('a', '../outside/a')).toBe('path_out_of_scope')
  expect(await move('../outside', 'x')).toBe('path_out_of_scope')
  expect(await move('a', 'a')).toEqual({ from: 'a', to: 'a', replaced: true })
  expect(await move('folder', 'empty', { overwrite: true })).toMatchObject({ replaced: true })
})

test('a move to another file system copies, makes the copy durable, then removes the original', async () => {
  if (!existsSync('/dev/shm') || statSync('/dev/shm').dev === statSync('.').dev)
    throw new Error('this test needs /dev/shm on a file system of its own')
  const far = mkdtempSync('/dev/shm/tandem-move-')
  onTestFinished(() => rmSync(far, { recursive: true, force: true }))
  const { move, at, context } = set({ roots: ['.', far], sandbox_mode: 'trusted' })
  chmodSync(at('folder/deep/f'), 0o640)
  symlinkSync('deep/f', at('folder/link'))
  expect(await move('folder', join(far, 'folder'))).toEqual({ from: 'folder', to: join(far, 'folder'), replaced: false })
  expect([
    readFileSync(join(far, 'folder/deep/f'), 'utf8'),
    statSync(join(far, 'folder/deep/f')).mode & 0o777,
    readlinkSync(join(far, 'folder/link')),
    existsSync(at('folder')),
    readdirSync(far),
  ]).toEqual(['deep', 0o640, 'deep/f', false, ['folder']])
  expect(await move('a', join(far, 'a'))).toMatchObject({ replaced: false })
  expect(await move('b', join(far, 'a'))).toBe('already_exists')
  expect(await move('b', join(far, 'a'), { overwrite: true })).toMatchObject({ replaced: true })
  expect(readFileSync(join(far, 'a'), 'utf8')).toBe('b')
  expect(context.reports.some(({ blocked }) => !blocked)).toBe(true)
})

test('delete removes files and links, folders only with recursive, and never the workspace', async () => {
  const { remove, at, context } = set()
  symlinkSync('b', at('link'))
  symlinkSync(context.outside, at('out'))
  writeFileSync(join(context.outside, 'kept'), '')
  expect(await remove('a')).toEqual({ path: 'a', entries: 1 })
  expect(await remove('link')).toEqual({ path: 'link', entries: 1 })
  expect(await remove('out', { recursive: true })).toEqual({ path: 'out', entries: 1 })
  expect(await remove('folder')).toBe('is_a_directory')
  expect(await remove('folder', { recursive: true })).toEqual({ path: 'folder', entries: 3 })
  expect(await remove('gone')).toBe('not_found')
  expect(await remove('.', { recursive: true })).toBe('workspace_root')
  expect(await remove('..', { recursive: true })).toBe('path_out_of_scope')
  expect([readdirSync(at('')), readdirSync(context.outside)]).toEqual([['b'], ['kept']])
})

test('mkdir creates missing parents, and accepts an existing folder', async () => {
  const { context, at } = set({ tool: 'fs.mkdir' })
  const make = (path: string) => call(makeFolder, { path }, context)
  expect(await make('x/y/z')).toEqual({ path: 'x/y/z', created: ['x', 'x/y', 'x/y/z'] })
  expect(await make('x/y/z')).toEqual({ path: 'x/y/z', created: [] })
  expect(await make('a')).toBe('not_a_directory')
  expect(await make('a/b')).toBe('not_a_directory')
  expect(await make('../outside/x')).toBe('path_out_of_scope')
  expect(lstatSync(at('x/y/z')).isDirectory()).toBe(true)
})

test('effects contain every accessed path', () => {
  const place = { workspace: '/ws' }
  expect(movePath.effects({ from: 'a', to: 'b' }, place)).toEqual([
    { does: 'write', path: 'a' },
    { does: 'write', path: 'b' },
  ])
  expect(deletePath.effects({ path: 'a' }, place)).toEqual([{ does: 'delete', path: 'a' }])
  expect(makeFolder.effects({ path: 'a' }, place)).toEqual([{ does: 'write', path: 'a' }])
})
