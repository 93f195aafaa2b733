// Remote executors: the user's other machines. They are negotiated with in the background, and what they offer decides which skills run.
import { executorState, type ListedExecutor } from '@tandem/contract/executor'
import type { RemoteCommands } from '../call/remote.ts'
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import { type Resolve, systemResolve } from '../sandbox/network/resolve.ts'
import { executorHandlers } from './commands.ts'
import { certificateAt } from './connection.ts'
import { type ExecutorRecord, openExecutorRecords } from './executor-records.ts'
import { handshakeRequest } from './handshake-request.ts'
import { openJobRows } from './job/job-rows.ts'
import { openRemoteCommands } from './job/remote-commands.ts'
import { limitedResolve } from './limited-resolve.ts'
import { negotiate, withinLimit } from './negotiation.ts'
import { openNegotiationSchedule } from './negotiation-schedule.ts'
import { executorNote } from './rule/note.ts'

export interface ExecutorNeeds {
  readonly version: string
  /** The folder that is named in a handshake. */
  readonly workspace: string
  /** From 0 to 1. */
  random?(): number
  readonly resolve?: Resolve
  isAgent(agent_id: string): boolean
}

export interface ExecutorFeature extends Feature {
  readonly remote: RemoteCommands
  /** With their state at this moment. */
  list(): readonly ListedExecutor[]
  /** Called when executors become available or unavailable. */
  onChange(call: () => void): void
  /** From now on they are negotiated with. */
  begin(): void
  /** Before a run of a process that has no schedule: negotiates with those that are due, for a moment. */
  serve(): Promise<void>
}

/** A name server that does not respond occupies at most this many of the threads that read files. */
const mostResolving = 2
/** How long a run waits for executors. Those that respond later count at the next turn. */
const patience_ms = 2_000

export function openExecutorFeature(ground: FeatureContext, needs: ExecutorNeeds): ExecutorFeature {
  const { store, events, clock, life, log } = ground
  const { version, workspace, random = Math.random } = needs
  const records = openExecutorRecords(store)
  const resolve = limitedResolve(needs.resolve ?? systemResolve, mostResolving)
  const listeners = new Set<() => void>()
  const ending = new AbortController()
  const changed = () => {
    for (const call of listeners) call()
  }
  const schedule = openNegotiationSchedule({
    ...{ clock, store, records, events, random, changed, log },
    negotiate: (executor, signal) => negotiate(executor, { clock, resolve, handshake: () => handshakeRequest(workspace, version) }, signal),
  })

  function listed({ token: _token, ...executor }: ExecutorRecord): ListedExecutor {
    const negotiation = records.negotiation(executor.executor_id)
    return { ...executor, state: executorState(negotiation, clock.now()), negotiation, agents: records.agents(executor.executor_id) }
  }
  const list = () => records.list().map(listed)
  const remote = openRemoteCommands({ clock, resolve, records, rows: openJobRows(store), listed, log })

  return {
    name: 'remote_executor',
    commands: executorHandlers({
      ...{ records, schedule, listed, changed, isAgent: needs.isAgent },
      certificateAt: (address) => withinLimit(clock, ending.signal, (signal) => certificateAt(address, resolve, signal)),
    }),
    list,
    remote,
    endRun: remote.endRun,
    onChange: (call) => void listeners.add(call),
    begin() {
      if (life === 'resident') schedule.begin()
    },
    async serve() {
      if (life === 'resident' || records.list().length === 0) return
      const waited = Promise.withResolvers<void>()
      const cancel = clock.after(patience_ms, waited.resolve)
      await Promise.race([schedule.attemptDue(), waited.promise])
      cancel()
    },
    status: () => ({ works: true, note: executorNote(list()) }),
    async stop() {
      ending.abort(new Error('the runtime is stopping'))
      await remote.stop()
      await schedule.stop()
    },
  }
}
