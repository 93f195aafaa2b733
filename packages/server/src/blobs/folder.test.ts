// Failures that only a folder can have: modes, a full disk, a killed writer, files of other programs.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StorageUnavailable } from './failure.ts'
import { openFolder } from './folder.ts'
import { isStale, temporaryName } from './folder-temporary.ts'

const options = { maxBytes: 1e9, mediaType: 'text/plain' }
const folderModule = JSON.stringify(new URL('./folder.ts', import.meta.url).href)
let folder: string
let lines: string[]
const log = (line: string): void => void lines.push(line)
beforeEach(async () => {
  lines = []
  folder = await mkdtemp(join(tmpdir(), 'tandem-folder-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('other users cannot read: files 0600, folders 0700', async () => {
  const root = join(folder, 'made', 'for', 'us')
  const blobs = await openFolder({ kind: 'folder', folder: root }, log)
  await blobs.put('u1/f1', from('x'), options)
  const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)
  expect([await mode(root), await mode(join(root, '.incoming')), await mode(join(root, 'u1')), await mode(join(root, 'u1/f1'))]).toEqual([
    '700',
    '700',
    '700',
    '600',
  ])
  expect(await readdir(join(root, '.incoming'))).toEqual([])
})

test('files with other names in the folder are not listed', async () => {
  const blobs = await openFolder({ kind: 'folder', folder }, log)
  await blobs.put('u1/f1', from('x'), options)
  await writeFile(join(folder, 'u1', 'README.txt'), '')
  await mkdir(join(folder, 'lost+found'))
  const keys: string[] = []
  for await (const key of blobs.list('')) keys.push(key)
  expect(keys).toEqual(['u1/f1'])
})

test('a stray file among the folders and a stray folder among the files do not stop a list', async () => {
  const blobs = await openFolder({ kind: 'folder', folder }, log)
  await blobs.put('u2/f1', from('x'), options)
  await writeFile(join(folder, 'u1'), 'a file where a user would be')
  await mkdir(join(folder, 'u2', 'f2'))
  expect(await Array.fromAsync(blobs.list(''))).toEqual(['u2/f1'])
  expect(await Array.fromAsync(blobs.list('u1/'))).toEqual([])
})

test('an unusable folder is StorageUnavailable, at open and later', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  await expect(openFolder({ kind: 'folder', folder: file }, log)).rejects.toThrow(StorageUnavailable)
  const blobs = await openFolder({ kind: 'folder', folder }, log)
  await rm(folder, { recursive: true })
  await expect(blobs.ping()).rejects.toThrow(StorageUnavailable)
  await expect(blobs.put('u1/f1', from('x'), options)).rejects.toThrow(StorageUnavailable)
  await mkdir(folder)
})

test('a folder in the place of a blob is an error, not a missing blob', async () => {
  const blobs = await openFolder({ kind: 'folder', folder }, log)
  await mkdir(join(folder, 'u1', 'f1'), { recursive: true })
  await expect(blobs.put('u1/f1', from('x'), options)).rejects.toThrow(StorageUnavailable)
  await expect(blobs.delete('u1/f1')).rejects.toThrow(StorageUnavailable)
  expect(await readdir(join(folder, '.incoming'))).toEqual([])
})

test('a response that is not read keeps no file open', async () => {
  const blobs = await openFolder({ kind: 'folder', folder }, log)
  await blobs.put('u1/f1', from('x'), options)
  const before = (await readdir('/proc/self/fd')).length
  for (let n = 0; n < 50; n++) await blobs.get('u1/f1')
  expect((await readdir('/proc/self/fd')).length).toBeLessThan(before + 10)
})

test('a full disk is StorageUnavailable, leaves nothing half-written, and recovers after a deletion', async () => {
  // A private mount of 1 MiB that ends with its process; user namespaces let any user create one.
  const program = `
    import { readdir } from 'node:fs/promises'
    import { openFolder } from ${folderModule}
    const blobs = await openFolder({ kind: 'folder', folder: ${JSON.stringify(folder)} }, console.error)
    const options = { maxBytes: 1e9, mediaType: 'text/plain' }
    async function* bytes(n) { for (; n > 0; n -= 65536) yield Buffer.alloc(Math.min(n, 65536)) }
    await blobs.put('u1/kept', bytes(600_000), options)
    const failed = await blobs.put('u1/too-much', bytes(900_000), options).then(() => 'stored', (error) => error.code + ' ' + error.cause.code)
    const left = [await readdir(${JSON.stringify(join(folder, 'u1'))}), await readdir(${JSON.stringify(join(folder, '.incoming'))})]
    await blobs.delete('u1/kept')
    const after = await blobs.put('u1/too-much', bytes(900_000), options)
    console.log(JSON.stringify({ failed, left, size: after.size }))
  `
  const mountAndRun = 'mount -t tmpfs -o size=1m tmpfs "$1" && exec "$2" --input-type=module -e "$3"'
  const { stdout } = await promisify(execFile)('unshare', ['-Urm', 'sh', '-c', mountAndRun, 'sh', folder, process.execPath, program])
  expect(JSON.parse(stdout)).toEqual({ failed: 'storage_unavailable ENOSPC', left: [['kept'], []], size: 900_000 })
})

test('a writer killed while writing leaves only a temporary file, which the next open deletes', async () => {
  const program = `
    import { openFolder } from ${folderModule}
    const blobs = await openFolder({ kind: 'folder', folder: ${JSON.stringify(folder)} }, console.error)
    async function* slow() {
      for (;;) { yield Buffer.alloc(65536); await new Promise((resolve) => setTimeout(resolve, 5)); process.stdout.write('.') }
    }
    await blobs.put('u1/f1', slow(), { maxBytes: 1e9, mediaType: 'text/plain' })
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  for (let dots = 0; dots < 5; dots++) await once(child.stdout, 'data')
  // Its upload is in progress: another server that starts now leaves it alone.
  const other = await openFolder({ kind: 'folder', folder }, log)
  expect((await readdir(join(folder, '.incoming'))).length).toBe(1)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  expect([await other.get('u1/f1'), (await readdir(join(folder, '.incoming'))).length]).toEqual([undefined, 1])

  await openFolder({ kind: 'folder', folder }, log)
  expect(await readdir(join(folder, '.incoming'))).toEqual([])
  expect(lines.map((line) => line.replace(/: .*: .*/, ''))).toEqual(['blobs'])
})

test('a temporary file is deleted when its writer has certainly ended', () => {
  const here = { host: 'web-1', pid: 1, run: 'b' }
  const day = 24 * 60 * 60 * 1000
  const table = [
    { name: temporaryName(here, 'x'), age: 9 * day, stale: false },
    { name: temporaryName({ ...here, run: 'a' }, 'x'), age: 0, stale: true }, // an earlier process with our pid
    { name: temporaryName({ ...here, pid: 77 }, 'x'), age: 0, stale: false }, // alive
    { name: temporaryName({ ...here, pid: 78 }, 'x'), age: 0, stale: true }, // dead
    { name: temporaryName({ ...here, pid: 77 }, 'x'), age: 2 * day, stale: true }, // its pid was reused
    { name: temporaryName({ ...here, host: 'web-2' }, 'x'), age: 0, stale: false },
    { name: temporaryName({ ...here, host: 'web-2' }, 'x'), age: 2 * day, stale: true },
    { name: 'whatever', age: 0, stale: false },
    { name: 'whatever', age: 2 * day, stale: true },
  ]
  expect(table.map(({ name, age }) => isStale(name, here, age, (pid) => pid === 77))).toEqual(table.map(({ stale }) => stale))
  expect(temporaryName({ host: '../a~b/ü', pid: 1, run: 'r' }, 'x')).not.toContain('/')
})

test('the bytes are on disk under their name', async () => {
  const blobs = await openFolder({ kind: 'folder', folder }, log)
  await blobs.put('u1/f1', from('hello'), options)
  expect(await readFile(join(folder, 'u1/f1'), 'utf8')).toBe('hello')
})

async function* from(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
