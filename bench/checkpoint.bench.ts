// The cost of a checkpoint before each command: `find -printf` over the same tree is the limit, a shadow git repository the peer.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCheckpoints } from '../packages/runtime/src/checkpoint/checkpoints.ts'
import { threadEngine } from '../packages/runtime/src/checkpoint/thread.ts'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { openStore } from '../packages/runtime/src/store/store.ts'
import { cursorAt } from '../packages/runtime/test/support/checkpoint/test-checkpoints.ts'
import { type Bench, type BenchRow, median } from './bench.ts'

const rounds = 7
const changed = 10
const series = [1_000, 10_000, 50_000, 100_000, 200_000]
/** The maximum size of a list of a few changed paths, before the command and after it, with their records. */
const index_bytes = 16 * 1024

export const bench: Bench = {
  name: 'checkpoint',
  summary: 'one checkpoint of a folder before a command, compared with `git add -A && git write-tree` in a separate git folder',
  async run(progress) {
    const rows: BenchRow[] = []
    for (const files of [2_000, 50_000]) {
      progress(`${files} files`)
      rows.push(...(await measure(files)))
    }
    for (const files of series) {
      const { repeated, find, walked, kind } = await once(files, series.at(-1))
      const each = ((repeated * 1_000) / walked).toFixed(2)
      progress(
        `${walked} files walked (${kind}), ${changed} changed: ${repeated.toFixed(0)} ms; find ${find.toFixed(0)} ms; ${each} µs a file`,
      )
    }
    return rows
  },
}

async function measure(files: number): Promise<BenchRow[]> {
  const { first, repeated, settled, find, bytes, changed_bytes, git } = await once(files)
  const name = `${files.toLocaleString('en')} files`
  const row = (metric: string, ours: number, peer: number, limit: number | null, target: string, met: boolean): BenchRow => ({
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
    {
      ...row(
        `${changed} changed, compared with the first`,
        repeated,
        first,
        null,
        'at least 5 × faster than the first',
        repeated * 5 <= first,
      ),
      peers: { 'the first': first },
    },
    row('after the command', settled, git.repeated, find, 'at most 2 × find', settled <= 2 * find),
    {
      ...row(
        'disk space per checkpoint',
        bytes / 1024,
        git.bytes / 1024,
        changed_bytes / 1024,
        `at most the changed bytes (the limit) and ${index_bytes / 1024} KiB`,
        bytes <= changed_bytes + index_bytes,
      ),
      unit: 'KiB',
    },
  ]
}

interface Measured {
  readonly first: number
  readonly repeated: number
  readonly settled: number
  readonly find: number
  /** On disk, including records, for one checkpoint with its end. */
  readonly bytes: number
  /** The sizes of the changed files. */
  readonly changed_bytes: number
  readonly walked: number
  readonly kind: string
  readonly git: { readonly first: number; readonly repeated: number; readonly bytes: number }
}

/** `most`: how many files are walked before only the direct children are listed; by default, the product's limit. */
async function once(files: number, most?: number): Promise<Measured> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-bench-')))
  const [work, home, shadow] = ['work', 'home', 'shadow'].map((name) => join(folder, name)) as [string, string, string]
  mkdirSync(home)
  const store = openStore({ home, clock: systemClock })
  const engine = threadEngine({ home, ...(most === undefined ? {} : { budget: { files: most, ms: 120_000 } }) })
  const checkpoints = openCheckpoints({ store, engine })
  const effects = [{ does: 'execute', command: 'true', cwd: work, language: 'shell' }] as const
  let calls = 0
  /** What happens between a call and its intent: planned for the approval, then stored and recorded. */
  const take = async () => {
    calls += 1
    const planned = await checkpoints.plan({ call_id: `call-${calls}`, tool: 'shell.exec', effects, workspace: work })
    if (planned.outcome !== 'planned' || !planned.plan) throw new Error(JSON.stringify(planned))
    const taken = await checkpoints.take(planned.plan, cursorAt(calls, work))
    if (taken.outcome !== 'taken') throw new Error(JSON.stringify(taken))
    return { id: taken.checkpoint.checkpoint_id, walked: planned.plan.files, kind: planned.plan.kind }
  }
  const weighOurs = () => {
    const { page_count = 0 } = store.sql.get`PRAGMA page_count` ?? {}
    const { page_size = 0 } = store.sql.get`PRAGMA page_size` ?? {}
    return weight(join(home, 'blobs')) + Number(page_count) * Number(page_size)
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
    const before = { ours: weighOurs(), theirs: weight(shadow) }
    let changed_bytes = 0
    let last = { id: '', walked: 0, kind: '' }
    for (let round = 0; round < rounds; round += 1) {
      for (let one = 0; one < changed; one += 1) {
        const path = pathOf(work, (round * 997 + one * 31) % files)
        appendFileSync(path, `${round}\n`)
        changed_bytes += statSync(path).size
      }
      finds.push(
        await timed(async () => execFileSync('find', [work, '-printf', '%p %s %T@ %i\\n'], { stdio: ['ignore', 'ignore', 'ignore'] })),
      )
      ours.push(await timed(async () => (last = await take())))
      settles.push(await timed(() => checkpoints.settle(last.id)))
      theirs.push(await timed(snapshot))
    }
    return {
      first,
      repeated: median(ours),
      settled: median(settles),
      find: median(finds),
      bytes: (weighOurs() - before.ours) / rounds,
      changed_bytes: changed_bytes / rounds,
      walked: last.walked,
      kind: last.kind,
      git: { first: gitFirst, repeated: median(theirs), bytes: (weight(shadow) - before.theirs) / rounds },
    }
  } finally {
    await checkpoints.close()
    store.close()
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
