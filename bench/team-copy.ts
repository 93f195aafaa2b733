// A copy of a large folder for a member of a team, compared with `cp` alone.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { openCopies } from '../packages/runtime/src/cooperation/copy/copies.ts'
import { openStore } from '../packages/runtime/src/store/store.ts'
import { type BenchRow, median } from './bench.ts'

const files = 50_000
/** Even: each is the first one equally often. */
const rounds = 6

export async function measureCopies(progress: (line: string) => void): Promise<BenchRow> {
  progress(`writing ${files} files`)
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-bench-')))
  const source = join(folder, 'source')
  const home = join(folder, 'home')
  fill(source)
  const store = openStore({ home, clock: systemClock })
  const copies = openCopies({
    ...{ store, clock: systemClock, home },
    quota_bytes: () => 2 ** 40,
    log: (line) => console.error(line),
  })
  try {
    const ways = {
      async ours(round: number) {
        await copies.ensure({ run_id: `run-${round}`, title: 'Bench', source }, new AbortController().signal)
      },
      async cp(round: number) {
        const { status, stderr } = spawnSync('cp', ['-a', '--reflink=auto', source, join(folder, `cp-${round}`)], { encoding: 'utf8' })
        if (status !== 0) throw new Error(stderr)
      },
    }
    const took = { ours: [] as number[], cp: [] as number[] }
    // The first round does not count. The order alternates, what the one has written is on disk before the other starts, and nothing is
    // deleted until the end: a deletion that is still being written would slow down the next copy.
    for (let round = 0; round <= rounds; round += 1) {
      for (const way of round % 2 === 0 ? (['ours', 'cp'] as const) : (['cp', 'ours'] as const)) {
        spawnSync('sync')
        const started = performance.now()
        await ways[way](round)
        const ms = performance.now() - started
        if (round > 0) took[way].push(ms)
        progress(`copy of ${files} files, ${way}: ${ms.toFixed(0)} ms`)
      }
    }
    const [ours, cp] = [median(took.ours), median(took.cp)]
    return {
      ...{ metric: `a copy of ${files.toLocaleString('en')} files`, unit: 'ms', better: 'lower', ours, peers: {}, limit: cp },
      ...{ target: 'at most 1.3 × `cp -a --reflink=auto`', met: ours <= 1.3 * cp },
    }
  } finally {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A hundred per folder, one to three KiB each. */
function fill(source: string): void {
  const line = 'The quick brown fox jumps over the lazy dog, again.\n'
  for (let at = 0; at < files; at += 1) {
    const place = join(source, `folder-${Math.floor(at / 100)}`)
    if (at % 100 === 0) mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `file-${at}.txt`), `${at}\n${line.repeat(20 + (at % 40))}`)
  }
}
