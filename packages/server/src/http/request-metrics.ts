// Metrics of the node, from memory: no metric uses the database.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Route } from '@tandem/contract/http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Admission } from './admission/admission.ts'

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Series {
  readonly route: string
  readonly method: string
  readonly status: string
  /** Requests in each bucket, without those in the ones below. */
  readonly counts: number[]
  count: number
  sum: number
}

/** A request that was answered, or abandoned by its caller. */
export interface FinishedRequest {
  readonly route: Pick<Route, 'id' | 'path'> | undefined
  readonly method: string
  readonly status: number
  readonly ms: number
  readonly user_id: string | undefined
}

export interface RequestMetrics {
  /** Counts it, and logs it if it failed or the log level is verbose. */
  answered(request: FinishedRequest, log: FastifyBaseLogger): void
  /** The text format of Prometheus. */
  render(): string
}

export function openMeters({ admission, sockets }: { admission: Admission; sockets(): number }): RequestMetrics {
  const series = new Map<string, Series>()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()

  function observe(route: string, method: string, status: number, seconds: number): void {
    const key = `${route} ${method} ${status}`
    let one = series.get(key)
    if (!one) {
      one = { route, method, status: String(status), counts: buckets.map(() => 0), count: 0, sum: 0 }
      series.set(key, one)
    }
    one.count += 1
    one.sum += seconds
    // In one bucket; `render` adds up.
    for (let index = 0; index < buckets.length; index += 1) {
      if (seconds > (buckets[index] ?? 0)) continue
      one.counts[index] = (one.counts[index] ?? 0) + 1
      break
    }
  }

  return {
    answered({ route, method, status, ms, user_id }, log) {
      observe(route?.id ?? 'other', method, status, ms / 1000)
      const level = status >= 500 ? 'warn' : 'debug'
      if (level === 'warn' || isHeard(log.level))
        log[level]({ method, path: route?.path ?? 'other', status, ms: Math.round(ms), user_id }, 'answered')
    },
    render() {
      const memory = process.memoryUsage()
      const text = [
        ...histogram([...series.values()]),
        ...metric('tandem_workers', 'gauge', 'Processes that these figures are from', 1),
        ...metric('tandem_requests_in_flight', 'gauge', 'Requests being served', admission.inFlight),
        ...metric('tandem_requests_waiting', 'gauge', 'Requests waiting to be served', admission.waiting),
        ...metric('tandem_requests_shed_total', 'counter', 'Requests refused because too many were waiting', admission.shed),
        ...metric('tandem_sockets', 'gauge', 'Open real-time sockets', sockets()),
        ...metric('tandem_event_loop_delay_p99_seconds', 'gauge', 'Event loop delay since the last reading', delay.percentile(99) / 1e9),
        ...metric('process_resident_memory_bytes', 'gauge', 'Resident memory', memory.rss),
        ...metric('nodejs_heap_size_used_bytes', 'gauge', 'Heap in use', memory.heapUsed),
        ...metric('process_uptime_seconds', 'gauge', 'Seconds since start', process.uptime()),
      ]
      delay.reset()
      return `${text.join('\n')}\n`
    },
  }
}

export function measureRequests(app: FastifyInstance, meters: RequestMetrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = (request.routeOptions.config as { route?: Route } | undefined)?.route
    const { method, caller, log } = request
    meters.answered({ route, method, status: reply.statusCode, ms: reply.elapsedTime, user_id: caller?.user_id }, log)
    done()
  })
}

/** Lines that would not be logged are not created. */
function isHeard(level: string): boolean {
  return level === 'debug' || level === 'trace'
}

function histogram(all: readonly Series[]): string[] {
  const name = 'tandem_request_duration_seconds'
  const lines = [`# HELP ${name} Time to respond`, `# TYPE ${name} histogram`]
  for (const { route, method, status, counts, count, sum } of all) {
    const labels = `route="${route}",method="${method}",status="${status}"`
    let sofar = 0
    buckets.forEach((bound, index) => {
      sofar += counts[index] ?? 0
      lines.push(`${name}_bucket{${labels},le="${bound}"} ${sofar}`)
    })
    lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`)
  }
  return lines
}

function metric(name: string, type: string, help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`]
}
