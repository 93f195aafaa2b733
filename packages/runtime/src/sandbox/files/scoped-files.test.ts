import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type TestScopeOptions, testScope } from '../../../test/support/sandbox/files/test-scope.ts'
import { FileFailure, Refused } from '../../call/failure.ts'
import type { ScopedFiles } from '../../call/files.ts'
import { descriptorDirectory, realPathDirectory } from './open-directory.ts'
import { openFiles } from './scoped-files.ts'

const signal = new AbortController().signal

/** Every case is tested with both ways to keep a directory open: that of Linux and that of other systems. */
for (const [way, anchoring] of [
  ['by descriptor', descriptorDirectory],
  ['by real path', realPathDirectory],
] as const) {
  function set(options: TestScopeOptions = {}) {
    const scope = testScope(options)
    const at = (name: string) => join(scope.workspace, name)
    writeFileSync(join(scope.outside, 'secret'), 'secret')
    return { scope, at, files: openFiles(scope, anchoring) }
  }

  test(`${way}: odd spellings resolve inside or are refused`, async () => {
    const { scope, at, files } = set()
    mkdirSync(`${scope.workspace}-evil`)
    writeFileSync(at('a'), 'a')
    symlinkSync(scope.workspace, join(scope.outside, 'back'))
    const answers = {
      a: at('a'),
      './/a': at('a'),
      'x/../a': at('a'),
      [`${scope.workspace}//a`]: at('a'),
      [join(scope.outside, 'back/a')]: at('a'),
      'new file': at('new file'),
      '.': scope.workspace,
      'a.': at('a.'),
      '../outside/secret': 'path_out_of_scope',
      [`${scope.workspace}-evil/x`]: 'path_out_of_scope',
      [scope.workspace.toUpperCase()]: 'path_out_of_scope',
      '/': 'path_out_of_scope',
      '..': 'path_out_of_scope',
      '../nothing/here': 'path_out_of_scope',
      '/etc/passwd/x': 'path_out_of_scope',
      '../home/db': 'path_forbidden',
      [`/proc/self/root${scope.workspace}/a`]: 'path_forbidden',
      'file:///etc/passwd': 'invalid_path',
      'a\0': 'invalid_path',
    }
    for (const [path, expected] of Object.entries(answers))
      expect([path, await outcome(files.locate(path, 'read'))]).toEqual([path, expected])
    expect(scope.reports.every(({ blocked }) => blocked)).toBe(true)
    expect(scope.reports).toHaveLength(11)
  })

  test(`${way}: what a killed process left is removed with the next write to its folder, and nothing else is`, async () => {
    const { at, files } = set()
    const hex = (pid: number) => pid.toString(16).padStart(8, '0')
    const dead = spawnSync('true').pid
    const left = `.tandem-${hex(dead)}00000001.tmp`
    const kept = [`.tandem-${hex(process.ppid)}00000002.tmp`, `.tandem-${hex(dead)}00000003.tmp`, '.tandem-notes.tmp', `${left}.bak`]
    for (const name of [left, ...kept]) writeFileSync(at(name), 'x')
    const earlier = new Date(Date.now() - 60_000)
    for (const name of [left, ...kept.toSpliced(1, 1)]) utimesSync(at(name), earlier, earlier)
    await files.replace('a', Buffer.from('new'))
    expect(readdirSync(at('.')).toSorted()).toEqual(['a', ...kept].toSorted())
  })

  test(`${way}: links cannot lead outside`, async () => {
    const { scope, at, files } = set()
    symlinkSync(join(scope.outside, 'secret'), at('file'))
    symlinkSync(scope.outside, at('folder'))
    symlinkSync('folder', at('twice'))
    symlinkSync(join(scope.outside, 'not yet'), at('dangling'))
    symlinkSync('/proc/self/root/etc', at('magic'))
    symlinkSync('nowhere', at('broken'))
    symlinkSync('circle', at('circle'))
    symlinkSync('inner/deep', at('fine'))
    mkdirSync(at('inner'))
    writeFileSync(at('inner/deep'), 'deep')
    const read = (path: string) => outcome(files.read(path, async ({ handle }) => handle.readFile('utf8')))
    const write = (path: string) => outcome(files.replace(path, Buffer.from('x')).then(({ real }) => real))
    expect([await read('file'), await read('folder/secret'), await read('twice/secret'), await read('magic/passwd')]).toEqual(
      Array(4).fill('path_out_of_scope'),
    )
    expect([await write('file'), await write('folder/new'), await write('dangling'), await write('twice/secret')]).toEqual(
      Array(4).fill('path_out_of_scope'),
    )
    expect([await read('broken'), await write('broken'), await read('circle'), await write('circle')]).toEqual([
      'broken_link',
      'broken_link',
      'link_loop',
      'link_loop',
    ])
    expect(await outcome(files.makeDirectory('folder/new'))).toBe('path_out_of_scope')
    expect(await outcome(files.makeDirectory('dangling/new'))).toBe('not_a_directory')
    expect(await outcome(collect(files, 'folder'))).toBe('path_out_of_scope')
    expect(await outcome(files.move('inner', 'folder/inner', { overwrite: true, createParents: true, signal }))).toBe('path_out_of_scope')
    expect(await outcome(files.remove('folder/secret', { recursive: true }))).toBe('path_out_of_scope')
    expect([await write('fine'), readFileSync(at('inner/deep'), 'utf8'), lstatSync(at('fine')).isSymbolicLink()]).toEqual([
      at('inner/deep'),
      'x',
      true,
    ])
    expect([readdirSync(scope.outside), readFileSync(join(scope.outside, 'secret'), 'utf8')]).toEqual([['secret'], 'secret'])
  })

  test(`${way}: a link itself is deleted and moved, not its target`, async () => {
    const { scope, at, files } = set()
    symlinkSync(scope.outside, at('folder'))
    await files.move('folder', 'renamed', { overwrite: false, createParents: false, signal })
    expect((await files.lstat('renamed')).target).toBe(scope.outside)
    expect(await files.remove('renamed', { recursive: true })).toEqual({ real: at('renamed'), removed: 1 })
    mkdirSync(at('tree/deep'), { recursive: true })
    symlinkSync(scope.outside, at('tree/deep/link'))
    expect(await files.remove('tree', { recursive: true })).toEqual({ real: at('tree'), removed: 3 })
    expect(readdirSync(scope.outside)).toEqual(['secret'])
  })

  test(`${way}: pipes, devices and sockets are neither opened nor replaced`, async () => {
    const { at, files } = set()
    execFileSync('mkfifo', [at('pipe')])
    const server = createServer().listen(at('socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      for (const name of ['pipe', 'socket']) {
        expect(await outcome(files.read(name, async () => 'read'))).toBe('not_a_regular_file')
        expect(await outcome(files.replace(name, Buffer.from('x')))).toBe('not_a_regular_file')
      }
    } finally {
      server.close()
    }
    const everywhere = set({ roots: ['/'] })
    expect(await outcome(everywhere.files.read('/dev/zero', async () => 'read'))).toBe('not_a_regular_file')
  })

  test(`${way}: a hard link is reported, and replacing the file does not change the other name`, async () => {
    const { scope, at, files } = set()
    linkSync(join(scope.outside, 'secret'), at('hard'))
    await files.read('hard', async () => undefined)
    await files.replace('hard', Buffer.from('mine'))
    expect(scope.reports).toEqual([
      { attempted: 'read', resource: at('hard'), blocked: false },
      { attempted: 'write', resource: at('hard'), blocked: false },
    ])
    expect([readFileSync(at('hard'), 'utf8'), readFileSync(join(scope.outside, 'secret'), 'utf8')]).toEqual(['mine', 'secret'])
  })

  test(`${way}: the workspace itself cannot be deleted or moved`, async () => {
    const { files } = set({ roots: ['/'], sandbox_mode: 'trusted' })
    for (const path of ['.', '..', '/']) {
      expect(await outcome(files.remove(path, { recursive: true }))).toMatch(/^(workspace_root|path_forbidden)$/)
      expect(await outcome(files.move(path, 'inside', { overwrite: true, createParents: false, signal }))).toMatch(
        /^(workspace_root|path_forbidden)$/,
      )
    }
    expect(await outcome(files.move('../outside', '.', { overwrite: true, createParents: false, signal }))).toBe('workspace_root')
  })

  test(`${way}: the mode restricts writes outside, the policy restricts everything`, async () => {
    const names = (mode: 'trusted' | 'workspace' | 'strict') => {
      const { scope } = set()
      const files = openFiles(
        { ...scope, sandbox_mode: mode, policy: { ...scope.policy, fs_scope: { roots: ['.', '../outside'], globs: ['**'] } } },
        anchoring,
      )
      return { scope, files, path: join(scope.outside, 'new') }
    }
    const trusted = names('trusted')
    expect(await outcome(trusted.files.replace(trusted.path, Buffer.from('x')).then(({ created }) => created))).toBe(true)
    expect(trusted.scope.reports).toEqual([{ attempted: 'write', resource: trusted.path, blocked: false }])
    for (const mode of ['workspace', 'strict'] as const) {
      const { scope, files, path } = names(mode)
      expect(await outcome(files.replace(path, Buffer.from('x')))).toBe('outside_workspace')
      expect(await outcome(files.locate(join(scope.outside, 'secret'), 'read'))).toBe(join(scope.outside, 'secret'))
      expect(scope.reports).toEqual([{ attempted: 'write', resource: path, blocked: true }])
    }
  })

  test(`${way}: a directory with something out of scope can be neither deleted nor moved`, async () => {
    const { at, files } = set({ globs: ['**', '!**/.env'] })
    mkdirSync(at('tree/deep'), { recursive: true })
    writeFileSync(at('tree/deep/.env'), 'key')
    writeFileSync(at('tree/a'), 'a')
    expect(await outcome(files.remove('tree', { recursive: true }))).toBe('path_out_of_scope')
    expect(await outcome(files.move('tree', 'other', { overwrite: false, createParents: false, signal }))).toBe('path_out_of_scope')
    expect(await collect(files, '.')).toEqual(['tree', 'tree/a', 'tree/deep'])
    expect(readFileSync(at('tree/deep/.env'), 'utf8')).toBe('key')
  })

  test(`${way}: replacing keeps the mode, leaves no other file, and detects concurrent changes`, async () => {
    const { at, files } = set()
    writeFileSync(at('a'), 'old')
    chmodSync(at('a'), 0o750)
    const version = await files.read('a', async (file) => file.version)
    await files.replace('a', Buffer.from('new'), { expect: version })
    expect([readFileSync(at('a'), 'utf8'), statSync(at('a')).mode & 0o777, readdirSync(at(''))]).toEqual(['new', 0o750, ['a']])
    expect(await outcome(files.replace('a', Buffer.from('newer'), { expect: version }))).toBe('changed_since_read')
    expect(await outcome(files.replace('a', Buffer.from('newer'), { expect: null }))).toBe('changed_since_read')
    expect([readFileSync(at('a'), 'utf8'), readdirSync(at(''))]).toEqual(['new', ['a']])
    chmodSync(at('a'), 0o444)
    expect(await outcome(files.replace('a', Buffer.from('x')))).toBe('permission_denied')
  })

  test(`${way}: parents are created only on request, and created directories are returned`, async () => {
    const { at, files } = set()
    expect(await outcome(files.replace('x/y/z', Buffer.from('x')))).toBe('not_found')
    expect(await files.replace('x/y/z', Buffer.from('x'), { createParents: true })).toEqual({ real: at('x/y/z'), created: true })
    expect(await files.makeDirectory('x/p/q')).toEqual({ real: at('x/p/q'), made: [at('x/p'), at('x/p/q')] })
    expect(await files.makeDirectory('x/p/q')).toEqual({ real: at('x/p/q'), made: [] })
    expect(await outcome(files.makeDirectory('x/y/z/w'))).toBe('not_a_directory')
    expect(await outcome(files.makeDirectory('n'.repeat(300)))).toBe('name_too_long')
  })
}

test('a folder with many entries is deleted completely, and no descriptor stays open', async () => {
  const scope = testScope()
  const files = openFiles(scope)
  mkdirSync(join(scope.workspace, 'wide'))
  for (let index = 0; index < 3_000; index++) writeFileSync(join(scope.workspace, `wide/${index}`), '')
  symlinkSync('/etc', join(scope.workspace, 'out'))
  await files.stat('wide')
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  for (let round = 0; round < 50; round++) {
    await outcome(files.read('missing', async () => undefined))
    await outcome(files.read('out/passwd', async () => undefined))
    await outcome(
      files.read('wide/1', async () =>
        Promise.reject(new FileFailure('own', 'own', { subject: '', remedy: '', recoverability: 'retryable' })),
      ),
    )
    await outcome(files.replace('wide', Buffer.from('')))
    await outcome(files.makeDirectory('wide/1/x'))
    await outcome(collect(files, 'out'))
    for await (const _ of files.walk('.', () => true)) break
  }
  expect(await files.remove('wide', { recursive: true })).toEqual({ real: join(scope.workspace, 'wide'), removed: 3_001 })
  expect(open()).toBe(before)
})

test('errors contain the path as it was given, not as it was resolved', async () => {
  const files = openFiles(testScope())
  const error = await files.stat('missing/file').then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(FileFailure)
  expect(error).toMatchObject({
    reason_code: 'not_found',
    message: '"missing/file" does not exist.',
    facts: { subject: 'missing/file', remedy: 'List the folder with fs.list, or create it first.', recoverability: 'retryable' },
  })
})

async function collect(files: ScopedFiles, path: string): Promise<string[]> {
  const seen: string[] = []
  for await (const entry of files.walk(path, () => true)) seen.push(entry.path)
  return seen.sort()
}

/** The value, or the code of the failure. */
async function outcome<T>(work: Promise<T>): Promise<T | string> {
  return work.catch((error: unknown) => {
    if (error instanceof Refused || error instanceof FileFailure) return error.reason_code
    throw error
  })
}
