// The messages to each subject of the team benchmark, over the channel to its process, and the texts that the model recognizes.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { reply } from './child-reply.ts'

export const childCount = 20
export const leadPrompt = (job: 'delegate' | 'spawn') => `bench lead: ${job}`
/** With this many calls of a tool. */
export const memberTask = (calls: number) => `bench member: ${calls}`

export interface TeamJobs {
  /** One task: the lead delegates it, the member answers, and the lead ends. */
  delegate(): Promise<void>
  /** The lead starts all children together and ends after them. */
  spawn?(): Promise<void>
  stop?(): Promise<void>
}

export interface Delegations {
  /** Milliseconds of each. */
  readonly walls: readonly number[]
  /** Milliseconds of processor time of all. */
  readonly worked: number
}

export interface Spawned {
  readonly wall_ms: number
  /** By how much the process grew at most. */
  readonly grown_bytes: number
}

type Asked = { readonly job: 'delegate'; readonly count: number } | { readonly job: 'spawn' } | { readonly job: 'stop' }

/** The subject's side. */
export function serveTeams(jobs: TeamJobs): void {
  process.on('message', async (asked: Asked) => {
    try {
      process.send?.({ value: await answer(asked) })
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
    if (asked.job === 'stop') process.exit(0)
  })
  // The parent process has ended: there is nothing left to do.
  process.once('disconnect', () => process.exit(0))
  process.send?.({ value: 'ready' })

  async function answer(asked: Asked): Promise<unknown> {
    if (asked.job === 'stop') return await jobs.stop?.()
    return asked.job === 'delegate' ? await delegated(asked.count) : await spawned()
  }

  async function delegated(count: number): Promise<Delegations> {
    const walls: number[] = []
    const before = process.cpuUsage()
    for (let at = 0; at < count; at += 1) {
      const started = performance.now()
      await jobs.delegate()
      walls.push(performance.now() - started)
    }
    const { user, system } = process.cpuUsage(before)
    return { walls, worked: (user + system) / 1_000 }
  }

  async function spawned(): Promise<Spawned> {
    globalThis.gc?.()
    const before = process.memoryUsage.rss()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 5)
    const started = performance.now()
    await jobs.spawn?.()
    const wall_ms = performance.now() - started
    clearInterval(watch)
    return { wall_ms, grown_bytes: Math.max(most, process.memoryUsage.rss()) - before }
  }
}

export interface TeamSubject {
  delegate(count: number): Promise<Delegations>
  spawn(): Promise<Spawned>
  stop(): Promise<void>
}

/** The benchmark's side. */
export async function startTeamSubject(script: string, ...args: string[]): Promise<TeamSubject> {
  const child = fork(join(import.meta.dirname, script), args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--expose-gc'],
  })
  await reply(child)
  const ask = async <Value>(asked: Asked): Promise<Value> => {
    child.send(asked)
    return (await reply(child)) as Value
  }
  return {
    delegate: (count) => ask({ job: 'delegate', count }),
    spawn: () => ask({ job: 'spawn' }),
    async stop() {
      if (!child.connected) return
      const gone = once(child, 'exit')
      await ask({ job: 'stop' })
      await gone
    },
  }
}
