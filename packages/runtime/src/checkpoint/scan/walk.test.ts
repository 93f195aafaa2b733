// What a scan reports about what it could not or would not read, and that worker threads change only its speed.
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bash } from '../../../test/support/checkpoint/test-checkpoints.ts'
import { runWithMounts } from '../../../test/support/checkpoint/test-mounts.ts'
import { Images } from '../content/images.ts'
import { ListingWorkers } from './listing-workers.ts'
import { type WalkOptions, type WalkResult, walk } from './walk.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-walk-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (...parts: string[]) => join(folder, ...parts)
const options = (some: Partial<WalkOptions> = {}): WalkOptions => ({
  ...{ home: at('home'), known: new Images(), budget: { files: 100_000, ms: 60_000 }, elapsed: () => 0, canceled: () => false },
  ...some,
})
const told = ({ notes, coverage, whole }: WalkResult) => ({
  notes: notes.list().map(({ cause, paths }) => [cause, ...paths]),
  blind: coverage.blind,
  whole,
})

test('reports another mount and does not enter it', () => {
  mkdirSync(at('mounted'))
  const program = `
    import { execFileSync } from 'node:child_process'
    import { writeFileSync } from 'node:fs'
    import { Images } from ${JSON.stringify(new URL('../content/images.ts', import.meta.url).href)}
    import { walk } from ${JSON.stringify(new URL('./walk.ts', import.meta.url).href)}
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', ${JSON.stringify(at('mounted'))}])
    writeFileSync(${JSON.stringify(at('mounted', 'inside'))}, 'x')
    const budget = { files: 100_000, ms: 60_000 }
    const ports = { home: ${JSON.stringify(at('home'))}, known: new Images(), budget, elapsed: () => 0, canceled: () => false }
    const { notes, coverage, whole, images } = walk([${JSON.stringify(folder)}], ports)
    console.log(JSON.stringify([notes.list(), coverage.blind, whole, [...images.keys()].sort()]))
  `
  expect(runWithMounts('--input-type=module', '-e', program)).toEqual([
    [{ cause: 'other_mount', count: 1, paths: [at('mounted')] }],
    [at('mounted')],
    true,
    [folder, at('mounted')],
  ])
})

test('reports a name that is not UTF-8 with its folder', () => {
  bash("touch $'caf\\xe9' fine", folder)
  const walked = walk([folder], options())
  expect([told(walked), [...walked.images.keys()].sort()]).toEqual([
    { notes: [['odd_name', folder]], blind: [], whole: true },
    [folder, at('fine')],
  ])
})

test('reports Tandem’s own folder and does not enter it', () => {
  mkdirSync(at('home'))
  writeFileSync(at('home', 'runtime.db'), 'x')
  const walked = walk([folder], options())
  expect([told(walked), walked.images.has(at('home', 'runtime.db'))]).toEqual([
    { notes: [['own_folder', at('home')]], blind: [at('home')], whole: true },
    false,
  ])
})

test('reports the folders that were not reached in time', () => {
  for (const name of ['a', 'b']) mkdirSync(at(name))
  writeFileSync(at('a', 'f'), 'x')
  let calls = 0
  // Each reading of the clock adds ten milliseconds: the start, the root, and then the time is up.
  const elapsed = () => 10 * calls++
  expect(told(walk([folder], options({ budget: { files: 100, ms: 15 }, elapsed })))).toEqual({
    notes: [['time_over', at('a'), at('b')]],
    blind: [at('a'), at('b')],
    whole: false,
  })
})

test('returns the same object for what did not change, and finds what did', () => {
  bash('mkdir d e; echo 1 > d/f; echo 1 > e/f; ln -s f d/l', folder)
  const first = walk([folder], options()).images
  const second = walk([folder], options({ known: first })).images
  expect([...first.differences(second)]).toEqual([])
  appendFileSync(at('d', 'f'), '2')
  rmSync(at('e', 'f'))
  const third = walk([folder], options({ known: second })).images
  expect([...second.differences(third)].map(([path]) => path).sort()).toEqual([at('d', 'f'), at('e'), at('e', 'f')].sort())
  expect(second.folder(at('d/'))).not.toBe(third.folder(at('d/')))
})

test('finds the same with worker threads, repeatedly', async () => {
  bash(
    'for d in $(seq 60); do mkdir -p a$((d % 7))/d$d; for i in $(seq 30); do echo $d.$i > a$((d % 7))/d$d/$i; done; ln -s 1 a$((d % 7))/d$d/l; done',
    folder,
  )
  bash('mkdir -p node_modules/x; echo x > node_modules/x/x; mkfifo pipe; ln a1/d1/1 hard', folder)
  let folders = 0
  class CountedWorkers extends ListingWorkers {
    override heard() {
      const listed = super.heard()
      folders += listed.length
      return listed
    }
  }
  const workers = new CountedWorkers(2)
  try {
    const alone = walk([folder], options())
    // The first scans use no threads, because they do not wait for them to start.
    for (let rounds = 0; rounds < 5 || folders < 20; rounds += 1) {
      const together = walk([folder], options({ workers }))
      expect([together.files, together.bytes, told(together)]).toEqual([alone.files, alone.bytes, told(alone)])
      expect(new Map(together.images)).toEqual(new Map(alone.images))
      await new Promise((resolve) => setImmediate(resolve))
    }
    const narrow = walk([folder], options({ workers, budget: { files: 900, ms: 60_000 } }))
    expect([narrow.whole, narrow.files > 900, narrow.files < 1_000]).toEqual([false, true, true])
    expect(() => walk([folder], options({ workers, canceled: () => true }))).toThrow('canceled')
    expect(new Map(walk([folder], options({ workers })).images)).toEqual(new Map(alone.images))
  } finally {
    workers.close()
  }
})
