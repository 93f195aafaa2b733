// What a checkpoint before each command costs: `find -printf` over the same tree is the limit, a shadow git repository the peer.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { threadEngine } from '../packages/runtime/src/checkpoint/thread.ts'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { idMaker } from '../packages/runtime/src/clock/id.ts'
import { type Bench, median, type Row } from './bench.ts'

const rounds = 7
const changed = 10
const series = [1_000, 10_000, 50_000, 100_000, 200_000]

export const bench: Bench = {
  name: 'checkpoint',
  summary: 'one checkpoint of a folder before a command, beside `git add -A && git write-tree` in a separate git folder',
  async run(progress) {
    const rows: Row[] = []
    for (const files of [2_000, 50_000]) {
      progress(`${files} files`)
      rows.push(...(await measure(files)))
    }
    for (const files of series) {
      const { repeated, find } = await once(files)
      progress(
        `${files} files, ${changed} changed: ${repeated.toFixed(0)} ms; find ${find.toFixed(0)} ms; ${((repeated * 1_000) / files).toFixed(2)} µs a file`,
      )
    }
    return rows
  },
}

async function measure(files: number): Promise<Row[]> {
  const { first, repeated, settled, find, bytes, git } = await once(files)
  const name = `${files.toLocaleString('en')} files`
  const row = (metric: string, ours: number, peer: number, limit: number | null, target: string, met: boolean): Row => ({
    ...{ metric: `${name}: ${metric}`, unit: 'ms', better: 'lower', ours, limit, target, met },
    peers: { 'shadow git': peer },
  })
  const wanted =
    files <= 2_000
      ? { words: 'at least 5 × faster than shadow git', met: repeated * 5 <= git.repeated }
      : { words: 'no slower than shadow git, at most 1.5 × find', met: repeated <= git.repeated && repeated <= 1.5 * find }
  return [
    row('first checkpoint', first, git.first, null, 'no slower than shadow git', first <= git.first),
    row(`${changed} changed`, repeated, git.repeated, find, wanted.words, wanted.met),
    row('after the command', settled, git.repeated, find, 'at most 2 × find', settled <= 2 * find),
    { ...row('disk for each', bytes / 1024, git.bytes / 1024, null, 'no more than shadow git', bytes <= git.bytes), unit: 'KiB' },
  ]
}

interface Measured {
  readonly first: number
  readonly repeated: number
  readonly settled: number
  readonly find: number
  readonly bytes: number
  readonly git: { readonly first: number; readonly repeated: number; readonly bytes: number }
}

async function once(files: number): Promise<Measured> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-bench-')))
  const [work, home, shadow] = ['work', 'home', 'shadow'].map((name) => join(folder, name)) as [string, string, string]
  mkdirSync(home)
  const engine = threadEngine({ home })
  const newId = idMaker(systemClock)
  const scope = { root: work, reach: 'tree', targets: [], opaque: true } as const
  let last: string | null = null
  const take = async () => {
    const id = newId()
    await engine.survey(scope, last)
    await engine.take(id, scope, last)
    last = id
    return id
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', shadow, '--work-tree', work, '-c', 'core.fsmonitor=false', '-c', 'gc.auto=0', ...args], {
      cwd: work,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const snapshot = async () => {
    git('add', '-A')
    git('write-tree')
  }
  try {
    plant(work, files)
    git('init', '-q')
    await engine.usage()
    const first = await timed(take)
    const gitFirst = await timed(snapshot)
    const ours: number[] = []
    const settles: number[] = []
    const theirs: number[] = []
    const finds: number[] = []
    const before = { ours: weight(join(home, 'blobs')), theirs: weight(shadow) }
    for (let round = 0; round < rounds; round += 1) {
      for (let one = 0; one < changed; one += 1) appendFileSync(pathOf(work, (round * 997 + one * 31) % files), `${round}\n`)
      finds.push(
        await timed(async () => execFileSync('find', [work, '-printf', '%p %s %T@ %i\\n'], { stdio: ['ignore', 'ignore', 'ignore'] })),
      )
      let id = ''
      ours.push(await timed(async () => (id = await take())))
      settles.push(await timed(() => engine.settle(id)))
      theirs.push(await timed(snapshot))
    }
    return {
      first,
      repeated: median(ours),
      settled: median(settles),
      find: median(finds),
      bytes: (weight(join(home, 'blobs')) - before.ours) / rounds,
      git: { first: gitFirst, repeated: median(theirs), bytes: (weight(shadow) - before.theirs) / rounds },
    }
  } finally {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function plant(work: string, files: number): void {
  for (let no = 0; no < files; no += 1) {
    if (no % 50 === 0) mkdirSync(join(pathOf(work, no), '..'), { recursive: true })
    writeFileSync(pathOf(work, no), `file ${no}\n`.repeat(1 + (no % 40)))
  }
}

function pathOf(work: string, no: number): string {
  const folder = Math.floor(no / 50)
  return join(work, `d${folder % 40}`, `e${folder}`, `f${no % 50}.txt`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** What the files occupy on disk. */
function weight(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).blocks * 512
  }
  return bytes
}
