// The messages to each subject of the loop benchmark, over the channel to its process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { reply } from './child-reply.ts'

/** A hundred messages of a user, 250 characters each, that request answers of the same length. */
export const threadPrompts = Array.from({ length: 100 }, (_, turn) =>
  `bench: answer 250 for turn ${turn}. `.padEnd(250, 'Please look once more. '),
)

export interface Jobs {
  /** Sets up a run of this many tool calls; the returned function is timed. */
  steps(count: number): Promise<() => Promise<void>>
  /** Bytes on disk after the thread. */
  thread?(): Promise<number>
  stop?(): Promise<void>
}

export interface Subject {
  /** Milliseconds of wall time and of CPU time. */
  steps(count: number): Promise<{ wall: number; worked: number }>
  thread(): Promise<number>
  stop(): Promise<void>
}

type Asked = { readonly job: 'steps'; readonly count: number } | { readonly job: 'thread' } | { readonly job: 'stop' }

/** The subject's side. */
export function serveJobs(jobs: Jobs): void {
  process.on('message', async (asked: Asked) => {
    try {
      process.send?.({ value: await answer(asked) })
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
    if (asked.job === 'stop') process.disconnect?.()
  })
  // The parent process has ended: there is nothing left to do.
  process.once('disconnect', () => process.exit(0))
  process.send?.({ value: 'ready' })

  async function answer(asked: Asked): Promise<unknown> {
    if (asked.job === 'thread') return await jobs.thread?.()
    if (asked.job === 'stop') return await jobs.stop?.()
    const run = await jobs.steps(asked.count)
    const before = process.cpuUsage()
    const started = performance.now()
    await run()
    const wall = performance.now() - started
    const { user, system } = process.cpuUsage(before)
    return { wall, worked: (user + system) / 1_000 }
  }
}

/** The benchmark's side. */
export async function startSubject(script: string, ...args: string[]): Promise<Subject> {
  const child = fork(`${import.meta.dirname}/${script}`, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await reply(child)
  const ask = (asked: Asked) => {
    child.send(asked)
    return reply(child)
  }
  return {
    steps: async (count) => (await ask({ job: 'steps', count })) as { wall: number; worked: number },
    thread: async () => Number(await ask({ job: 'thread' })),
    async stop() {
      if (!child.connected) return
      const gone = once(child, 'exit')
      await ask({ job: 'stop' })
      await gone
    },
  }
}
