// What the node has done, from memory: no metric touches the database.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Route } from '@tandem/contract/http'
import type { FastifyInstance } from 'fastify'
import type { Admission } from '../http/admission.ts'

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Series {
  readonly route: string
  readonly method: string
  readonly status: string
  readonly counts: number[]
  count: number
  sum: number
}

export interface Meters {
  observe(route: string, method: string, status: number, seconds: number): void
  /** The text format of Prometheus. */
  render(): string
}

export function openMeters({ admission, sockets }: { admission: Admission; sockets(): number }): Meters {
  const series = new Map<string, Series>()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()

  return {
    observe(route, method, status, seconds) {
      const key = `${route} ${method} ${status}`
      const one = series.get(key) ?? { route, method, status: String(status), counts: buckets.map(() => 0), count: 0, sum: 0 }
      series.set(key, one)
      one.count += 1
      one.sum += seconds
      buckets.forEach((bound, index) => {
        if (seconds <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1
      })
    },
    render() {
      const memory = process.memoryUsage()
      const text = [
        ...histogram([...series.values()]),
        ...metric('tandem_requests_in_flight', 'gauge', 'Requests being worked on', admission.inFlight),
        ...metric('tandem_requests_waiting', 'gauge', 'Requests that wait for a place', admission.waiting),
        ...metric('tandem_requests_shed_total', 'counter', 'Requests refused because too many waited', admission.shed),
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

export function measureRequests(app: FastifyInstance, meters: Meters): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = (request.routeOptions.config as { route?: Route } | undefined)?.route
    meters.observe(route?.id ?? 'other', request.method, reply.statusCode, reply.elapsedTime / 1000)
    const line = {
      method: request.method,
      path: route?.path ?? 'other',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      user_id: request.caller?.user_id,
    }
    if (reply.statusCode >= 500) request.log.warn(line, 'answered')
    else request.log.debug(line, 'answered')
  })
}

function histogram(all: readonly Series[]): string[] {
  const name = 'tandem_request_duration_seconds'
  const lines = [`# HELP ${name} Time to answer`, `# TYPE ${name} histogram`]
  for (const { route, method, status, counts, count, sum } of all) {
    const labels = `route="${route}",method="${method}",status="${status}"`
    buckets.forEach((bound, index) => {
      lines.push(`${name}_bucket{${labels},le="${bound}"} ${counts[index]}`)
    })
    lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`)
  }
  return lines
}

function metric(name: string, type: string, help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`]
}
