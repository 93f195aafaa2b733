// When the engine runs: after a write, after a hint, periodically, and again after a failure, with growing delays.
import type { SyncState } from '@tandem/contract/event'
import { type Clock, timestamp } from '../clock/clock.ts'
import { openAlarm } from './alarm.ts'
import {
  accountChanged,
  again,
  type DriverState,
  ended,
  failuresOf,
  initial,
  type Outcome,
  onHint,
  onPhase,
  onWakeDuringRound,
  onWrite,
  pullAtLeast_ms,
  pullWanted,
  type Running,
  roundOf,
  signedOut,
  startRound,
  startTurn,
  stopped,
  wakeOf,
} from './driver-state.ts'
import type { Engine, Phase, Round } from './engine.ts'
import type { EntityFiles } from './entity/files.ts'
import type { SyncStatus } from './status.ts'

export interface Driver {
  /** Something was written here. */
  written(): void
  /** Something may have changed on another device, or the network may be back. */
  hinted(): void
  /** The engine is about to send a request. Shown only if it lasts: one quick request is not reported. */
  entered(phase: Phase): void
  /** Starts a round now, regardless of the delay; resolves when it has ended. */
  now(): Promise<SyncStatus>
  status(): SyncStatus
  /** Signed in or out. */
  accountChanged(): void
  /** Resolves when nothing is running. */
  quiet(): Promise<void>
  stop(): Promise<void>
}

export interface DriverPorts {
  readonly engine: Engine
  readonly clock: Clock
  readonly random: () => number
  readonly texts: EntityFiles | null
  /** Null while signed out; otherwise the user, and whether the cloud ended the session. */
  signedIn(): { readonly user_id: string; readonly ended: string | null } | null
  /** Once per sign-in, before the first round: reports the name of this device to the cloud. */
  register(): Promise<'named' | 'not_yet'>
  stateChanged(from: SyncState, to: SyncState): void
  /** The engine threw: a bug, which is reported and retried. */
  broke(error: unknown): void
}

/** So that writes of one moment are sent together. */
const gather_ms = 5
/** A busy run must not use up the account's requests per minute: after a burst, rounds are limited to this rate. */
const burst = 40
const pace_ms = 300
const mostRounds = 50
const broken = {
  kind: 'failed',
  answer: { kind: 'unreachable', detail: 'synchronization failed and is being retried' },
} as const satisfies Outcome

/** What does not depend on the state of the driver. */
interface Facts {
  /** The user for whom this device's name was reported to the cloud. */
  registered: string | null
  /** Until when the rate is used up. */
  spent: number
  pulled: { readonly elapsed: number; readonly wall: number }
}

/** The wall clock may also jump back. */
function isLong(ms: number): boolean {
  return Math.abs(ms) >= pullAtLeast_ms
}

export function openDriver(ports: DriverPorts): Driver {
  const { engine, clock, random, texts } = ports
  let state: DriverState = initial(ports.signedIn() !== null)
  const facts: Facts = {
    registered: null,
    spent: Number.NEGATIVE_INFINITY,
    pulled: { elapsed: Number.NEGATIVE_INFINITY, wall: 0 },
  }
  const alarm = openAlarm(clock, () => {
    if (state.doing === 'running') become(onWakeDuringRound(state))
    else void run()
  })

  /** The only place where the state changes. */
  function become(next: DriverState): void {
    const before = state.shown.state
    state = next
    alarm(wakeOf(next))
    if (next.shown.state === before) return
    try {
      ports.stateChanged(before, next.shown.state)
    } catch (error) {
      // The state has changed anyway.
      ports.broke(error)
    }
  }

  /** In a moment, or when the rate limit allows. */
  function soon(): number {
    return Math.max(clock.elapsed() + gather_ms, facts.spent)
  }

  function run(): Promise<void> {
    if (state.doing === 'stopping') return state.round
    if (state.doing === 'stopped') return Promise.resolve()
    if (state.doing === 'running') {
      const { round } = state
      become(again(state))
      return round
    }
    facts.spent = Math.max(facts.spent, clock.elapsed() - burst * pace_ms) + pace_ms
    const who = ports.signedIn()
    if (!who || who.ended !== null) {
      become(signedOut(state, who !== null))
      return Promise.resolve()
    }
    const round = Promise.withResolvers<void>()
    become(startRound(state, round.promise))
    round.resolve(runToEnd(who.user_id))
    return round.promise
  }

  async function runToEnd(user_id: string): Promise<void> {
    let outcome: Outcome = broken
    try {
      outcome = await rounds(user_id)
    } catch (error) {
      ports.broke(error)
    } finally {
      become(ended(state, outcome, { elapsed: clock.elapsed(), wall: clock.now(), soon: soon(), random }))
    }
  }

  async function rounds(user_id: string): Promise<Outcome> {
    if (engine.state.read().user_id === null) engine.state.write({ user_id })
    if (facts.registered !== user_id) {
      const outcome = await ports.register()
      if (outcome === 'named') facts.registered = user_id
    }
    for (let count = 0; count < mostRounds && state.doing === 'running'; count += 1) {
      const outcome = await turn(state)
      if (outcome.kind === 'failed') return outcome
      if (outcome.kind === 'done') break
      become(pullWanted(state))
    }
    const missing = await texts?.fetchWanted()
    return missing ? { kind: 'failed', answer: missing } : { kind: 'done' }
  }

  async function turn(running: Running): Promise<Round> {
    const { pulled } = facts
    // A device that was away pulls first: what it would push may have been deleted, and the tombstone purged.
    const isAway = failuresOf(running.shown) > 0 || isLong(clock.elapsed() - pulled.elapsed) || isLong(clock.now() - pulled.wall)
    const pulls = running.pullDue || isAway
    become(startTurn(running))
    const outcome = pulls ? await engine.round() : await engine.pushOnly()
    if (pulls && outcome.kind === 'done') facts.pulled = { elapsed: clock.elapsed(), wall: clock.now() }
    return outcome
  }

  function status(): SyncStatus {
    const { cursor_ts, pushed_at, pulled_at } = engine.state.read()
    const { shown } = state
    return {
      state: shown.state,
      pending_changes: engine.outbox.count(),
      quarantined_changes: engine.quarantine.count(),
      unread_changes: engine.unread(),
      offline_since: 'offlineSince' in shown && shown.offlineSince !== null ? timestamp(shown.offlineSince) : null,
      reason: 'reason' in shown ? shown.reason : null,
      cursor_ts,
      last_push_ts: pushed_at === null ? null : timestamp(pushed_at),
      last_pull_ts: pulled_at === null ? null : timestamp(pulled_at),
    }
  }

  return {
    written: () => become(onWrite(state, soon())),
    hinted: () => become(onHint(state, soon())),
    entered: (phase) => become(onPhase(state, phase)),
    async now() {
      become(pullWanted(state))
      const round = roundOf(state)
      if (round) await round
      await run()
      return status()
    },
    status,
    accountChanged() {
      facts.registered = null
      become(accountChanged(state))
      void run()
    },
    async quiet() {
      for (let round = roundOf(state); round; round = roundOf(state)) await round
    },
    async stop() {
      become(stopped(state))
      await roundOf(state)
    },
  }
}
