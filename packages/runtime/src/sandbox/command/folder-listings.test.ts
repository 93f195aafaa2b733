// The search with remembered listings finds what a full search finds, whatever was done in between.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openFolderListings } from './folder-listings.ts'
import { searchRepositories } from './repositories.ts'

function makeWorkspace(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-listings-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const full = (workspace: string) => searchRepositories(workspace, openFolderListings())

/** Until the clock of the file system has advanced: then every later change has another time. */
function advance(probe: string): void {
  const touched = () => {
    writeFileSync(probe, 'x')
    return lstatSync(probe, { bigint: true }).ctimeNs
  }
  const start = touched()
  while (touched() - start < 5_000_000n);
}

const part = fc.constantFrom('a', 'b', 'c', 'objects', 'refs')
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const step = fc.oneof(
  fc.record({ does: fc.constant('make' as const), path }),
  fc.record({ does: fc.constant('git' as const), path }),
  fc.record({ does: fc.constant('head' as const), path }),
  fc.record({ does: fc.constant('rename' as const), path, to: path }),
  fc.record({ does: fc.constant('remove' as const), path }),
  fc.record({ does: fc.constant('link' as const), path, to: path }),
  fc.record({ does: fc.constant('look' as const), path }),
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** What cannot be done is left out. The times that a program can set are set to those of before. */
function take(workspace: string, one: Step): void {
  const at = join(workspace, one.path)
  try {
    const before = lstatSync(dirname(at), { throwIfNoEntry: false })
    if (one.does === 'make') mkdirSync(at, { recursive: true })
    if (one.does === 'git') mkdirSync(join(at, '.git'))
    if (one.does === 'head') writeFileSync(join(at, 'HEAD'), '')
    if (one.does === 'rename') renameSync(at, join(workspace, one.to))
    if (one.does === 'remove') rmSync(at, { recursive: true })
    if (one.does === 'link') symlinkSync(join(workspace, one.to), at)
    if (before) utimesSync(dirname(at), before.atime, before.mtime)
  } catch {
    // It exists, does not, or is a loop of links.
  }
}

test('a search with remembered listings equals a full one after any changes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-listings-')))
      const workspace = join(root, 'workspace')
      mkdirSync(workspace)
      const listings = openFolderListings(0)
      for (const one of steps) {
        if (one.does !== 'look') take(workspace, one)
        else {
          advance(join(root, 'probe'))
          expect(searchRepositories(workspace, listings)).toEqual(full(workspace))
          listings.forget()
          advance(join(root, 'probe'))
        }
      }
      advance(join(root, 'probe'))
      expect(searchRepositories(workspace, listings)).toEqual(full(workspace))
      rmSync(root, { recursive: true })
    }),
    { numRuns: 50 },
  )
})

test('an unchanged folder is not read again; one that changed just now is', () => {
  const root = makeWorkspace()
  const workspace = join(root, 'sub')
  mkdirSync(workspace)
  advance(join(root, 'probe'))
  const [settled, careful] = [openFolderListings(0), openFolderListings()]
  const first = settled.of(workspace)
  expect(settled.of(workspace)).toBe(first)
  expect(careful.of(workspace)).not.toBe(careful.of(workspace))
  settled.forget()
  settled.forget()
  expect(settled.of(workspace)).not.toBe(first)
})

test('a .git is found although the times of its folder were restored, or the folder was renamed into place', () => {
  const root = makeWorkspace()
  const workspace = join(root, 'workspace')
  const at = (...names: string[]) => join(workspace, ...names)
  mkdirSync(at('a', 'deep'), { recursive: true })
  mkdirSync(at('b'))
  mkdirSync(at('other', 'deep', '.git'), { recursive: true })
  const probe = join(root, 'probe')
  advance(probe)
  const listings = openFolderListings(0)
  expect(searchRepositories(workspace, listings).folders).toEqual([at('other', 'deep')])
  advance(probe)
  const { atime, mtime } = lstatSync(at('b'))
  mkdirSync(at('b', '.git'))
  utimesSync(at('b'), atime, mtime)
  renameSync(at('a'), at('old'))
  renameSync(at('other'), at('a'))
  utimesSync(workspace, atime, mtime)
  expect(searchRepositories(workspace, listings).folders.toSorted()).toEqual([at('a', 'deep'), at('b')])
})

test('repositories that another process creates during the looks are found once it has ended', async () => {
  const workspace = makeWorkspace()
  const listings = openFolderListings()
  const child = spawn('bash', ['-c', 'for i in $(seq 200); do mkdir -p d$i/e; mkdir d$i/e/.git; touch -d 2020-01-01 d$i/e d$i; done'], {
    cwd: workspace,
  })
  const ended = once(child, 'exit')
  let running = true
  void ended.then(() => (running = false))
  while (running) {
    searchRepositories(workspace, listings)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(searchRepositories(workspace, listings)).toEqual(full(workspace))
  expect(full(workspace).folders).toHaveLength(200)
})
