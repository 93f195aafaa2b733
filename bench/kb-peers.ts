// The same passages in Orama and MiniSearch, each in a process of its own: they keep everything in memory.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchRow } from './bench.ts'
import { wordSource } from './kb-data.ts'
import { installPeer } from './peer.ts'

const passages = 20_000
const [megabytes, minutes] = [8_192, 5]

export interface PeerResult {
  readonly indexing_ms: number
  readonly search_ms: number
}

/** As many passages as both can index in a few minutes. */
export function peerTexts(): { readonly texts: readonly string[]; readonly queries: readonly string[]; readonly bytes: number } {
  const word = wordSource(11)
  const texts = Array.from({ length: passages }, () => Array.from({ length: 130 }, word).join(' '))
  return { texts, queries: Array.from({ length: 100 }, () => Array.from({ length: 4 }, word).join(' ')), bytes: texts.join('').length }
}

export function ingestPeers(progress: (line: string) => void): BenchRow[] {
  const peer = installPeer({ '@orama/orama': '3.1.18', minisearch: '7.2.0' })
  try {
    const results = Object.fromEntries(
      ['tandem', 'Orama', 'MiniSearch'].map((name) => {
        progress(`${name}, ${passages} passages`)
        return [name, run(peer.folder, name)]
      }),
    )
    const ours = results.tandem
    if (!ours) throw new Error('our own part failed')
    const { bytes } = peerTexts()
    const others = Object.entries(results).flatMap(([name, result]) => (name === 'tandem' || !result ? [] : [[name, result] as const]))
    const rate = ({ indexing_ms }: PeerResult) => bytes / 1_000_000 / (indexing_ms / 1_000)
    const common = { limit: null, target: null, met: null }
    return [
      {
        ...common,
        ...{ metric: `indexing ${passages} passages of text`, unit: 'MB/s', better: 'higher', ours: rate(ours) },
        peers: Object.fromEntries(others.map(([name, result]) => [name, rate(result)])),
      },
      {
        ...common,
        ...{ metric: `search by words, median, ${passages} passages`, unit: 'ms', better: 'lower', ours: ours.search_ms },
        peers: Object.fromEntries(others.map(([name, result]) => [name, result.search_ms])),
      },
    ]
  } finally {
    peer.remove()
  }
}

/** Null if it needs too much memory or time. */
function run(folder: string, name: string): PeerResult | null {
  const child = fileURLToPath(new URL('./kb-peer-process.ts', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, [`--max-old-space-size=${megabytes}`, child, folder, name], {
    encoding: 'utf8',
    timeout: minutes * 60_000,
  })
  return status === 0 ? (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as PeerResult) : null
}

export function peerModule(folder: string, name: string): Promise<unknown> {
  return import(createRequire(join(folder, 'package.json')).resolve(name))
}
