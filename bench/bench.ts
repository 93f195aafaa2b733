// A benchmark: rows measured in one run, together with peers and the limit of the machine.

export interface BenchRow {
  readonly metric: string
  readonly unit: string
  readonly better: 'higher' | 'lower'
  readonly ours: number
  /** By name; measured in the same run, on the same machine. */
  readonly peers: Readonly<Record<string, number>>
  /** The best this machine could do, if that can be measured. */
  readonly limit: number | null
  /** A description of the target. Null for a figure without a target that was set before it was measured. */
  readonly target: string | null
  readonly met: boolean | null
}

export interface Bench {
  readonly name: string
  /** One line: what is compared with what. */
  readonly summary: string
  run(progress: (line: string) => void): Promise<BenchRow[]>
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}
