// The metrics of several processes as those of one node, in the text format of Prometheus: pure.

/** Figures of which the sum means nothing. */
const largest = new Set(['tandem_event_loop_delay_p99_seconds', 'process_uptime_seconds'])

interface Family {
  readonly comments: string[]
  readonly values: Map<string, number>
}

/** Adds up the same series of all texts; a series that only some have is kept. */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>()
  for (const text of texts) {
    let family: Family = { comments: [], values: new Map() }
    for (const line of text.split('\n')) {
      const [, kind, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []
      if (kind !== undefined) {
        family = families.get(name) ?? { comments: [], values: new Map() }
        families.set(name, family)
        if (!family.comments.includes(line)) family.comments.push(line)
        continue
      }
      const end = line.lastIndexOf(' ')
      if (end === -1) continue
      const [series, value] = [line.slice(0, end), Number(line.slice(end + 1))]
      const known = family.values.get(series)
      family.values.set(series, known === undefined ? value : largest.has(series) ? Math.max(known, value) : known + value)
    }
  }
  const lines = [...families.values()].flatMap(({ comments, values }) => [
    ...comments,
    ...[...values].map(([series, value]) => `${series} ${value}`),
  ])
  return `${lines.join('\n')}\n`
}
