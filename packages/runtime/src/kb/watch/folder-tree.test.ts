import { type FSWatcher, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type FolderTree, watchTree } from './folder-tree.ts'

const opened: FolderTree[] = []
const folders: string[] = []

afterEach(() => {
  for (const tree of opened.splice(0)) tree.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function watched(paths: readonly string[], watchFolder: typeof watch = watch) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'watch-tree-')))
  folders.push(root)
  for (const path of paths) mkdirSync(join(root, path), { recursive: true })
  const seen = { changes: 0, failures: [] as string[] }
  const tree = watchTree({
    ...{ root, watchFolder, isRecursive: false },
    skipped: new Set(['.git', 'node_modules']),
    changed() {
      seen.changes += 1
    },
    failed: ({ message }) => void seen.failures.push(message),
  })
  opened.push(tree)
  /** Whether what `act` does is noticed. */
  async function notices(act: () => void): Promise<boolean> {
    await settled(seen)
    const before = seen.changes
    act()
    await expect.poll(() => seen.changes > before).toBe(true)
    return true
  }
  return { root, seen, tree, notices }
}

/** Until nothing has been noticed for a moment. */
async function settled(seen: { readonly changes: number }): Promise<void> {
  for (let before = -1; before !== seen.changes; ) {
    before = seen.changes
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

test('changes are noticed in all folders, in new ones and in those moved there', async () => {
  const { root, seen, notices } = watched(['a/b'])
  await notices(() => writeFileSync(join(root, 'one.md'), '1'))
  await notices(() => writeFileSync(join(root, 'a/b/two.md'), '2'))
  await notices(() => mkdirSync(join(root, 'new/deep/er'), { recursive: true }))
  await notices(() => writeFileSync(join(root, 'new/deep/er/three.md'), '3'))
  await notices(() => renameSync(join(root, 'new/deep'), join(root, 'a/moved')))
  await notices(() => writeFileSync(join(root, 'a/moved/er/four.md'), '4'))
  expect(seen.failures).toEqual([])
})

test('a folder that is replaced by another of the same name is watched', async () => {
  const { root, notices } = watched(['a/b'])
  mkdirSync(join(root, 'other/c'), { recursive: true })
  await notices(() => {
    rmSync(join(root, 'a'), { recursive: true })
    renameSync(join(root, 'other'), join(root, 'a'))
  })
  await notices(() => writeFileSync(join(root, 'a/c/one.md'), '1'))
})

test('skipped folders and links to folders are not watched', async () => {
  const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'watch-elsewhere-')))
  folders.push(elsewhere)
  const paths: string[] = []
  const record = ((path: string, ...rest: [never, never]) => {
    paths.push(path)
    return watch(path, ...rest)
  }) as unknown as typeof watch
  const { root, notices } = watched(['.git/objects', 'node_modules/x', 'docs'], record)
  await notices(() => symlinkSync(elsewhere, join(root, 'link')))
  await notices(() => mkdirSync(join(root, 'docs/node_modules')))
  await settled({ changes: 0 })
  expect(paths).toEqual([root, join(root, 'docs')])
})

test('a folder that disappears is reported once', async () => {
  const { root, seen } = watched(['a/b'])
  rmSync(root, { recursive: true })
  await expect.poll(() => seen.failures).toEqual(['it is gone'])
  expect(watchOf(join(root, 'none'))).toEqual(['there is no such folder'])
})

test('when the system allows no more watches, all of them are given back and it is reported', () => {
  const made: FSWatcher[] = []
  let isOpen = 0
  const limited = ((path: string, ...rest: [never, never]) => {
    if (made.length === 3) throw Object.assign(new Error('System limit for number of file watchers reached'), { code: 'ENOSPC' })
    const watcher = watch(path, ...rest)
    isOpen += 1
    watcher.on('close', () => {
      isOpen -= 1
    })
    made.push(watcher)
    return watcher
  }) as unknown as typeof watch
  const { seen } = watched(['a', 'b', 'c', 'd', 'e'], limited)
  expect(seen.failures).toEqual(['System limit for number of file watchers reached'])
  return expect.poll(() => isOpen).toBe(0)
})

function watchOf(root: string): readonly string[] {
  const failures: string[] = []
  watchTree({ root, changed: () => undefined, failed: ({ message }) => void failures.push(message) })
  return failures
}
