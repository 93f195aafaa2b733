// The messages to each subject of the workflow benchmark, over the channel to its process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { reply } from './child-reply.ts'

export interface Spent {
  /** Milliseconds of wall time and of processor time. */
  readonly wall: number
  readonly worked: number
}

export interface WorkflowJobs {
  /** A workflow of this many tool nodes, one after the other. */
  chain(nodes: number): Promise<Spent>
  /** A loop over this many items, eight at a time, with one tool node. */
  forEach(items: number): Promise<Spent>
  /** Such a loop, followed by a node that waits for an answer and one more tool node. Returns the name under which it is resumed. */
  prepare(items: number): Promise<string>
  /** Answers. Milliseconds until the last tool node is called. */
  resume(name: string): Promise<number>
  stop(): Promise<void>
}

interface Asked {
  readonly job: keyof WorkflowJobs | 'memory'
  readonly value: number | string
}

/** The subject's side. */
export function serveWorkflows(jobs: WorkflowJobs): void {
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

  async function answer({ job, value }: Asked): Promise<unknown> {
    if (job === 'memory') return process.resourceUsage().maxRSS / 1_024
    if (job === 'stop') return await jobs.stop()
    return job === 'resume' ? await jobs.resume(String(value)) : await jobs[job](Number(value))
  }
}

export async function spent(work: () => Promise<void>): Promise<Spent> {
  const before = process.cpuUsage()
  const started = performance.now()
  await work()
  const wall = performance.now() - started
  const { user, system } = process.cpuUsage(before)
  return { wall, worked: (user + system) / 1_000 }
}

export interface WorkflowSubject extends WorkflowJobs {
  /** The largest size of its process so far, in MiB. */
  memory(): Promise<number>
}

/** The benchmark's side. `folder` has everything that the subject stores. */
export async function startWorkflowSubject(script: string, folder: string, ...args: string[]): Promise<WorkflowSubject> {
  const child = fork(`${import.meta.dirname}/${script}`, [folder, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, MASTRA_TELEMETRY_DISABLED: '1' },
  })
  await reply(child)
  const ask = async <Value>(job: Asked['job'], value: Asked['value'] = 0): Promise<Value> => {
    child.send({ job, value })
    return (await reply(child)) as Value
  }
  return {
    chain: (nodes) => ask('chain', nodes),
    forEach: (items) => ask('forEach', items),
    prepare: (items) => ask('prepare', items),
    resume: (name) => ask('resume', name),
    memory: () => ask('memory'),
    async stop() {
      if (!child.connected) return
      const gone = once(child, 'exit')
      await ask('stop')
      await gone
    },
  }
}
