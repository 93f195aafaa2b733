import { expect, test } from 'vitest'
import { mergeMetrics } from './merge-metrics.ts'

const histogram = (rows: readonly string[]) =>
  ['# HELP tandem_request_duration_seconds Time to respond', '# TYPE tandem_request_duration_seconds histogram', ...rows].join('\n')
const gauge = (name: string, value: number) => `# HELP ${name} A gauge\n# TYPE ${name} gauge\n${name} ${value}\n`

test('the same series are added up, and those that only one process has are kept, below their metric', () => {
  const one = `${histogram(['a_bucket{route="x y",le="+Inf"} 2', 'a_count{route="x y"} 2'])}\n${gauge('tandem_sockets', 3)}`
  const other = `${histogram(['a_bucket{route="x y",le="+Inf"} 5', 'a_count{route="x y"} 5', 'a_count{route="z"} 1'])}\n${gauge('tandem_sockets', 4)}`
  expect(mergeMetrics([one, other])).toBe(
    `${histogram(['a_bucket{route="x y",le="+Inf"} 7', 'a_count{route="x y"} 7', 'a_count{route="z"} 1'])}\n${gauge('tandem_sockets', 7)}`,
  )
})

test('a delay and an uptime are the largest of all', () => {
  for (const name of ['tandem_event_loop_delay_p99_seconds', 'process_uptime_seconds']) {
    expect(mergeMetrics([gauge(name, 0.25), gauge(name, 7.5), gauge(name, 1)])).toBe(gauge(name, 7.5))
  }
})

test('the text of one process stays as it is', () => {
  const text = `${histogram(['a_count{route="x"} 1.5'])}\n${gauge('tandem_workers', 1)}`
  expect(mergeMetrics([text])).toBe(text)
})
