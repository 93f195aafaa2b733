// The other side of `worker-calls.ts`: in the thread, one call after another.
import { parentPort } from 'node:worker_threads'
import type { WorkerAnswer, WorkerCall } from './worker-calls.ts'

/** `begun` is called with the id of each call before it is made. */
export function answerCalls(work: object, begun: (id: number) => void = () => undefined): void {
  let last: Promise<void> = Promise.resolve()
  parentPort?.on('message', (asked: WorkerCall) => {
    last = last.then(async () => {
      begun(asked.id)
      parentPort?.postMessage(await answered(work as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>, asked))
    })
  })
}

async function answered(
  work: Readonly<Record<string, (...args: readonly unknown[]) => unknown>>,
  { id, name, args }: WorkerCall,
): Promise<WorkerAnswer> {
  try {
    return { id, result: await work[name]?.(...args) }
  } catch (error) {
    const known = error instanceof Error ? error : new Error(String(error))
    const code = 'code' in known ? { code: String(known.code) } : {}
    return { id, failure: { name: known.name, message: known.message, ...code } }
  }
}
