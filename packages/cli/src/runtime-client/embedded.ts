// A client for a runtime of our own, which ends with this command. Other terminals can use it meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenChannel } from '@tandem/runtime'
import { openLogFile } from './log-file.ts'
import type { RuntimeClient } from './runtime-client.ts'

/** A command that has ended by then is not slowed down by a server that no one needs. */
const serveAfter_ms = 250
const look_ms = 200

/** Null while another process has the lease. */
export async function openEmbeddedRuntime(home: string, workspace: string, life: 'errand' | 'resident'): Promise<RuntimeClient | null> {
  const { FolderInUseError, openRuntime, serveChannel } = await import('@tandem/runtime')
  const log = openLogFile(home)
  try {
    const runtime = openRuntime({ home, workspace, environment: process.env, log, life })
    return clientOf(
      runtime,
      sharedLater(() => serveChannel({ runtime, log })),
    )
  } catch (error) {
    if (error instanceof FolderInUseError) return null
    throw error
  }
}

type Runtime = ReturnType<Awaited<typeof import('@tandem/runtime')>['openRuntime']>

function clientOf(runtime: Runtime, sharing: Sharing): RuntimeClient {
  const { commands, bus, events, journal, settled, stop } = runtime
  return {
    kind: 'own',
    isOpen: () => true,
    call: (name, params) => commands.call(name, params),
    receive: (name, params) => commands.callUntrusted(name, params),
    async follow(run_id, { after_seq, after_event }, listener) {
      bus.subscribe('step', (step) => step.run_id === run_id && listener({ kind: 'step', step }))
      bus.subscribe('delta', (delta) => delta.run_id === run_id && listener({ kind: 'delta', delta }))
      bus.subscribe('event', ({ no, ...event }) => event.run_id === run_id && listener({ kind: 'event', recorded: { no, event } }))
      // In the same tick: nothing is written between what is read here and what is received above.
      const recorded = after_event === undefined ? [] : events.list({ run_id, after: after_event, limit: -1 })
      for (const { no, ...event } of recorded) listener({ kind: 'event', recorded: { no, event } })
      for (const { step } of journal.steps(run_id, { after: after_seq })) listener({ kind: 'step', step })
    },
    async watch(listener, until) {
      const unsubscribe = bus.subscribe('event', ({ no, ...event }) => listener({ no, event }))
      until?.addEventListener('abort', unsubscribe)
    },
    async settled(run_id) {
      await settled(run_id)
    },
    async close() {
      await sharing.end(async () => {
        const running = await commands.call('agent_run_list', { state: 'running', limit: 1 })
        return running.ok && running.value.items.length > 0
      })
      await stop()
    },
  }
}

interface Sharing {
  /** Waits until no other terminal has a run that works here; those that are idle connect to another runtime. */
  end(isWorking: () => Promise<boolean>): Promise<void>
}

function sharedLater(serve: () => Promise<OpenChannel>): Sharing {
  let channel: Promise<OpenChannel | null> | null = null
  const timer = setTimeout(() => {
    // Without it, this command works all the same.
    channel = serve().catch(() => null)
  }, serveAfter_ms)
  timer.unref()
  return {
    async end(isWorking) {
      clearTimeout(timer)
      const open = await channel
      if (!open) return
      await othersDone(open, isWorking)
      await open.stop()
    },
  }
}

async function othersDone(open: OpenChannel, isWorking: () => Promise<boolean>): Promise<void> {
  const isNeeded = async () => open.clients() > 0 && (await isWorking())
  if (!(await isNeeded())) return
  const left = new AbortController()
  const leave = () => left.abort()
  process.on('SIGINT', leave)
  console.error('Another terminal uses this runtime. Waiting until its run is done; Ctrl-C pauses that run and exits.')
  while (!left.signal.aborted && (await isNeeded())) await sleep(look_ms)
  process.off('SIGINT', leave)
}
