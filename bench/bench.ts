// What a benchmark is: rows measured in one run, beside peers and beside the limit of the machine.

export interface Row {
  readonly metric: string
  readonly unit: string
  readonly better: 'higher' | 'lower'
  readonly ours: number
  /** By name; measured in the same run, on the same machine. */
  readonly peers: Readonly<Record<string, number>>
  /** The best this machine could do at all, if that can be measured. */
  readonly limit: number | null
  /** In words: what would satisfy us. Null for a figure that nobody set a target for before it was measured. */
  readonly target: string | null
  readonly met: boolean | null
}

export interface Bench {
  readonly name: string
  /** One line: what is compared with what. */
  readonly summary: string
  run(progress: (line: string) => void): Promise<Row[]>
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN
}
