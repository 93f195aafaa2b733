// A client for a runtime of our own, which ends with this command.
import type { RuntimeClient } from './runtime-client.ts'

/** Null while another process has the lease. */
export async function openEmbeddedRuntime(home: string, workspace: string, life: 'errand' | 'resident'): Promise<RuntimeClient | null> {
  const { FolderInUseError, openRuntime } = await import('@tandem/runtime')
  try {
    return deskOf(openRuntime({ home, workspace, environment: process.env, log: (line) => console.error(`tandem: ${line}`), life }))
  } catch (error) {
    if (error instanceof FolderInUseError) return null
    throw error
  }
}

type Runtime = ReturnType<Awaited<typeof import('@tandem/runtime')>['openRuntime']>

function deskOf({ commands, bus, events, journal, settled, stop }: Runtime): RuntimeClient {
  return {
    kind: 'own',
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
    async settled(run_id) {
      await settled(run_id)
    },
    close: () => stop(),
  }
}
