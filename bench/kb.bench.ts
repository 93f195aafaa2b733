// The knowledge base: reading a folder, finding what has changed, and searching many passages.
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, type BenchRow, median } from './bench.ts'
import { writeDocuments } from './kb-data.ts'
import { ingestPeers } from './kb-peers.ts'
import { searchTimes } from './kb-search.ts'
import { openBase } from './kb-tandem.ts'

const [files, megabytes] = [Number(process.env.KB_FILES ?? 10_000), Number(process.env.KB_MEGABYTES ?? 100)]
const rounds = 5
/** If not all of 2 MB is embedded in this time, the rest is extrapolated, too. */
const embeddingTime_ms = 90_000

export const bench: Bench = {
  name: 'kb',
  summary: `reading ${files.toLocaleString('en')} files (${megabytes} MB), finding changes and searching; compared with find, a bare FTS5 table, Orama and MiniSearch`,
  async run(progress) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-bench-')))
    try {
      return [
        ...(await reading(folder, progress)),
        ...(await meaning(folder, progress)),
        ...(await searchTimes(folder, progress)),
        ...ingestPeers(progress),
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function reading(folder: string, progress: (line: string) => void): Promise<BenchRow[]> {
  const documents = join(folder, 'documents')
  mkdirSync(documents)
  const bytes = writeDocuments(documents, files, megabytes)
  progress(`${files} files, ${Math.round(bytes / 1_000_000)} MB`)
  const base = await openBase(join(folder, 'tandem'), 'off')
  try {
    const took = await base.timed(() => base.add(documents))
    const { passages } = await base.source()
    progress(`read in ${Math.round(took / 1_000)} s, ${passages} passages`)
    const [unchanged, listed]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      unchanged.push(await base.timed(() => base.reindex()))
      listed.push(find(documents))
    }
    for (let at = 0; at < 10; at += 1)
      appendFileSync(join(documents, 'part-0', `${at * 5}.md`), '\n\n## Added\n\nA new paragraph about the harbor.\n')
    const changed = await base.timed(() => base.reindex())
    const [ours, limit] = [median(unchanged), median(listed)]
    return [
      row('reading without embeddings', bytes / 1_000_000 / (took / 1_000), { unit: 'MB/s', better: 'higher' }),
      row('passages', passages, { unit: 'passages', better: 'higher' }),
      row('size of kb.db', base.fileBytes() / 1_000_000, { unit: 'MB' }),
      {
        ...row('reindex, nothing changed', ours, { unit: 'ms' }),
        ...{ limit, target: 'at most 3 × find -printf', met: ours <= 3 * limit },
      },
      { ...row('reindex, ten files changed', changed, { unit: 'ms' }), limit },
    ]
  } finally {
    await base.stop()
  }
}

/** With the bundled model, on 2 MB. */
async function meaning(folder: string, progress: (line: string) => void): Promise<BenchRow[]> {
  const documents = join(folder, 'few')
  mkdirSync(documents)
  const bytes = writeDocuments(documents, 200, 2)
  const base = await openBase(join(folder, 'embedded'), 'bundled')
  try {
    const took = await base.timed(() => base.add(documents))
    const { vectors, passages, took_ms } = await base.embedded(embeddingTime_ms)
    const whole_ms = took + (took_ms * passages) / Math.max(1, vectors)
    progress(`2 MB: ${vectors} of ${passages} passages embedded in ${Math.round(took_ms / 1_000)} s`)
    const rate = bytes / 1_000_000 / (whole_ms / 1_000)
    return [
      row('reading with embeddings (bundled model), 2 MB', rate, { unit: 'MB/s', better: 'higher' }),
      row(`the same for ${megabytes} MB, extrapolated`, megabytes / rate / 60, { unit: 'min' }),
    ]
  } finally {
    await base.stop()
  }
}

function find(folder: string): number {
  const began = performance.now()
  const { status } = spawnSync('find', [folder, '-printf', '%p %s %T@ %C@ %i\\n'], { maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error('find failed')
  return performance.now() - began
}

function row(metric: string, ours: number, { unit, better = 'lower' }: { unit: string; better?: BenchRow['better'] }): BenchRow {
  return { metric, unit, better, ours, peers: {}, limit: null, target: null, met: null }
}
