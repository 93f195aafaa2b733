// The metrics of a node with several workers: the worker that gets the request asks the first process, which asks all workers and returns
// what they answer in time. Messages go over the channel between the processes, so that no port is needed for it.
import type { JoinMetrics } from './services.ts'

/** A worker, as the first process sees it. */
export interface WorkerChannel {
  readonly id: number
  isConnected(): boolean
  send(message: object, done: (error: Error | null) => void): void
}

type Message =
  | { readonly tandem: 'gather_metrics'; readonly id: number }
  | { readonly tandem: 'render_metrics'; readonly round: number }
  | { readonly tandem: 'rendered_metrics'; readonly round: number; readonly text: string }
  | { readonly tandem: 'gathered_metrics'; readonly id: number; readonly texts: readonly string[] }

/** A worker that hangs is left out. */
const renderMs = 1_000
/** Then only the figures of the worker that was asked are returned. */
const gatherMs = 2_000

function messageOf(value: unknown): Message | undefined {
  return typeof value === 'object' && value !== null && 'tandem' in value ? (value as Message) : undefined
}

interface Round {
  readonly asked: Set<number>
  readonly texts: string[]
  finish(): void
}

/** In the first process: handles what a worker sends. */
export function relayMetrics(workers: () => readonly WorkerChannel[]): (from: WorkerChannel, message: unknown) => void {
  const rounds = new Map<number, Round>()
  let last = 0

  function gather(from: WorkerChannel, id: number): void {
    last += 1
    const round = last
    const texts: string[] = []
    const finish = () => {
      clearTimeout(timer)
      if (rounds.delete(round)) from.send({ tandem: 'gathered_metrics', id, texts } satisfies Message, ignore)
    }
    const timer = setTimeout(finish, renderMs)
    const asked = workers().filter((worker) => worker.isConnected())
    rounds.set(round, { asked: new Set(asked.map((worker) => worker.id)), texts, finish })
    for (const worker of asked) worker.send({ tandem: 'render_metrics', round } satisfies Message, ignore)
  }

  return (from, value) => {
    const message = messageOf(value)
    if (message?.tandem === 'gather_metrics') gather(from, message.id)
    if (message?.tandem !== 'rendered_metrics') return
    const round = rounds.get(message.round)
    if (!round?.asked.delete(from.id)) return
    round.texts.push(message.text)
    if (round.asked.size === 0) round.finish()
  }
}

/** What this needs of `process` in a worker. */
export interface ParentChannel {
  send?(message: object, handle: undefined, options: undefined, done: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/** In a worker: answers the first process, and asks it. */
export function metricsOfWorkers(parent: ParentChannel): JoinMetrics {
  const waiting = new Map<number, (texts: readonly string[]) => void>()
  let last = 0
  const send = (message: Message) => parent.send?.(message, undefined, undefined, ignore)

  return (render) => {
    parent.on('message', (value) => {
      const message = messageOf(value)
      if (message?.tandem === 'render_metrics') send({ tandem: 'rendered_metrics', round: message.round, text: render() })
      if (message?.tandem === 'gathered_metrics') waiting.get(message.id)?.(message.texts)
    })
    return async () => {
      last += 1
      const id = last
      const { promise, resolve } = Promise.withResolvers<readonly string[]>()
      waiting.set(id, resolve)
      const timer = setTimeout(resolve, gatherMs, [])
      send({ tandem: 'gather_metrics', id })
      const texts = await promise
      clearTimeout(timer)
      waiting.delete(id)
      return texts.length === 0 ? [render()] : texts
    }
  }
}

function ignore(): void {
  // The other process has ended: the time limit answers.
}
