// Rows for people: every figure next to those of the peers and the limit, with the ratio that counts.
import type { BenchRow } from './bench.ts'

export function table(rows: readonly BenchRow[]): string {
  const head = ['metric', 'ours', 'peers', 'limit', 'ratio', 'target', 'met']
  const lines = rows.map((row) => [
    row.metric,
    `${figure(row.ours)} ${row.unit}`,
    Object.entries(row.peers)
      .map(([name, value]) => `${name} ${figure(value)}`)
      .join(', ') || '–',
    row.limit === null ? '–' : figure(row.limit),
    ratios(row),
    row.target ?? '–',
    row.met === null ? '–' : row.met ? 'yes' : 'no',
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function ratios({ ours, peers, limit }: BenchRow): string {
  const parts = Object.entries(peers).map(([name, value]) => `${times(ours / value)} × ${name}`)
  if (limit !== null) parts.push(`${times(ours / limit)} × limit`)
  return parts.join(', ') || '–'
}

/** A ratio to zero is undefined. */
function times(ratio: number): string {
  return Number.isFinite(ratio) ? ratio.toFixed(2) : '–'
}

function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}
