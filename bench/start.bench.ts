// How long a user waits for the command line: bare Node is the limit, Gemini's command line the peer.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Bench, type BenchRow, median } from './bench.ts'
import { installPeer } from './peer.ts'

const tandem = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))
const runs = 11

export const bench: Bench = {
  name: 'start',
  summary: 'time of `--version`, whole process, second start after install',
  async run(progress) {
    progress('installing @google/gemini-cli into a temporary folder')
    const peer = installPeer({ '@google/gemini-cli': '0.61.0' })
    try {
      const ours = time(tandem, '--version')
      const names = time(tandem, 'names', 'commands')
      const theirs = time(`${peer.folder}/node_modules/.bin/gemini`, '--version')
      const limit = time('-e', '0')
      const rows: BenchRow[] = [
        row('tandem --version', ours, theirs, limit),
        { ...row('tandem names commands', names, theirs, limit), target: 'at most 3 × bare Node', met: names <= 3 * limit },
      ]
      return rows
    } finally {
      peer.remove()
    }
  },
}

function row(metric: string, ours: number, gemini: number, limit: number): BenchRow {
  return { metric, unit: 'ms', better: 'lower', ours, peers: { gemini }, limit, target: 'at most 2 × bare Node', met: ours <= 2 * limit }
}

function time(...args: string[]): number {
  const node = process.execPath
  const once = () => {
    const started = performance.now()
    const { status, stderr } = spawnSync(node, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
    return performance.now() - started
  }
  once()
  return median(Array.from({ length: runs }, once))
}
