// What each subject of the loop benchmark is asked for, over the channel to the process it lives in.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A hundred messages of a person, 250 characters each, that ask for answers as long. */
export const thread = Array.from({ length: 100 }, (_, turn) =>
  `bench: answer 250 for turn ${turn}. `.padEnd(250, 'Please look once more. '),
)

export interface Jobs {
  /** Sets up a run of so many tool calls; what comes back is timed. */
  steps(count: number): Promise<() => Promise<void>>
  /** Bytes on disk after the thread. */
  thread?(): Promise<number>
  stop?(): Promise<void>
}

export interface Subject {
  /** Milliseconds on the wall and of processor time. */
  steps(count: number): Promise<{ wall: number; worked: number }>
  thread(): Promise<number>
  stop(): Promise<void>
}

type Asked = { readonly job: 'steps'; readonly count: number } | { readonly job: 'thread' } | { readonly job: 'stop' }

/** The side of the subject. */
export function answerJobs(jobs: Jobs): void {
  process.on('message', async (asked: Asked) => {
    try {
      process.send?.({ value: await answer(asked) })
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
    if (asked.job === 'stop') process.disconnect?.()
  })
  // Whoever started it is gone: nobody is left to ask.
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

/** The side of the benchmark. */
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

function reply(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = () => child.off('message', hear).off('exit', left)
    const hear = (message: { value?: unknown; error?: string }) => {
      end()
      if (message.error === undefined) resolve(message.value)
      else reject(new Error(message.error))
    }
    const left = (code: number | null) => {
      end()
      reject(new Error(`${child.spawnargs.slice(1).join(' ')} ended with ${code}`))
    }
    child.on('message', hear).on('exit', left)
  })
}
