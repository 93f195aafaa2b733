// A worker thread that lists folders. It knows nothing about checkpoints.
import { type MessagePort, workerData } from 'node:worker_threads'
import { list } from './listing.ts'
import type { ListingReport, ListingRequest } from './listing-workers.ts'

const { port, reports } = workerData as { port: MessagePort; reports: Int32Array }

port.on('message', ({ id, folders }: ListingRequest) => tell({ id, listed: folders.map(list) }))
tell({ id: 0, listed: [] })

function tell(report: ListingReport): void {
  const buffers = report.listed.flatMap((one) => ('numbers' in one ? [one.numbers.buffer] : []))
  port.postMessage(report, buffers)
  // The waiting thread has no event loop.
  Atomics.add(reports, 0, 1)
  Atomics.notify(reports, 0)
}
