import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

test('creates a folder with its parents, only once', async () => {
  const root = await mkdtemp(join(tmpdir(), 'tandem-made-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const path = join(root, 'a', 'b', 'c')
  expect([await makeFolder(path, 0o700), await makeFolder(path, 0o700)]).toEqual([true, false])
  expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o700)
  await writeFile(join(root, 'file'), '')
  await expect(makeFolder(join(root, 'file'), 0o700)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(root, 'file', 'below'), 0o700)).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test('a file system that refuses folders is an error, not an endless wait', async () => {
  await expect(makeFolder('/proc/tandem-nowhere/a/b', 0o700)).rejects.toMatchObject({ code: 'ENOENT' })
})
