// When the engine runs: after a write, after a hint, now and then, and again after a failure with growing patience.
import type { SyncState } from '@tandem/contract/event'
import type { NoAnswer } from '../account/answer.ts'
import { type Clock, timestamp } from '../clock/clock.ts'
import { backoff } from './backoff.ts'
import type { Engine, Phase, Round } from './engine.ts'
import type { LongTexts } from './entity/files.ts'
import type { SyncStatus } from './status.ts'

export interface Driver {
  /** Something was written here. */
  written(): void
  /** Something may have changed elsewhere, or the network may be back. */
  hinted(): void
  /** The engine is about to ask the cloud. Shown where it lasts: one quick question is no news. */
  entered(phase: Phase): void
  /** A round now, whatever the patience says; ends when it has ended. */
  now(): Promise<SyncStatus>
  status(): SyncStatus
  /** Signed in or out. */
  accountChanged(): void
  /** Ends when nothing is under way. */
  quiet(): Promise<void>
  stop(): Promise<void>
}

export interface DriverPorts {
  readonly engine: Engine
  readonly clock: Clock
  readonly random: () => number
  readonly texts: LongTexts | null
  /** Null while nobody is signed in; otherwise who, and whether the cloud ended the session. */
  signedIn(): { readonly user_id: string; readonly ended: string | null } | null
  /** Once for each sign-in, before the first round: names this device to the cloud. */
  register(): Promise<'named' | 'not_yet'>
  stateChanged(from: SyncState, to: SyncState): void
  /** The engine broke: a bug, told and tried again. */
  broke(error: unknown): void
}

/** So that writes of one moment leave together. */
const gather_ms = 5
/** A busy run must not spend what the account may ask of the cloud in a minute: after a burst, rounds come at this pace. */
const burst = 40
const pace_ms = 300
const pullAtLeast_ms = 60_000
const mostRounds = 50
const sessionEnded = 'the cloud ended this session: sign in again'

/** A wall clock may also jump back. */
function isLong(ms: number): boolean {
  return Math.abs(ms) >= pullAtLeast_ms
}

function isWork(state: SyncState): boolean {
  return state === 'pulling' || state === 'pushing' || state === 'recovering'
}

export function openDriver(ports: DriverPorts): Driver {
  const { engine, clock, random, texts } = ports
  let state: SyncState = ports.signedIn() ? 'idle' : 'signed_out'
  let reason: string | null = null
  let offlineSince: number | null = null
  let failures = 0
  let running: Promise<void> | null = null
  let cancel: () => void = () => undefined
  let due: { at: number } | null = null
  let pullDue = true
  let againAfter = false
  let registered: string | null = null
  let stopped = false
  let begun = false
  let asked: Phase | null = null
  let spent = Number.NEGATIVE_INFINITY
  let pulled = { elapsed: Number.NEGATIVE_INFINITY, wall: 0 }

  function enter(next: SyncState): void {
    if (next === state) return
    const before = state
    state = next
    ports.stateChanged(before, next)
  }

  function schedule(ms: number): void {
    if (stopped) return
    const at = clock.elapsed() + ms
    if (due && due.at <= at) return
    cancel()
    due = { at }
    cancel = clock.after(ms, () => {
      due = null
      void run()
    })
  }

  /** Soon, or when the pace allows. */
  function soon(): void {
    const now = clock.elapsed()
    spent = Math.max(spent, now - burst * pace_ms)
    schedule(Math.max(gather_ms, spent - now))
  }

  function run(): Promise<void> {
    if (running) {
      againAfter = true
      return running
    }
    spent = Math.max(spent, clock.elapsed() - burst * pace_ms) + pace_ms
    cancel()
    due = null
    running = rounds()
      .catch((error: unknown) => {
        ports.broke(error)
        later({ kind: 'unreachable', detail: 'synchronization broke and is tried again' })
      })
      .finally(() => {
        running = null
        if (againAfter && failures === 0) soon()
        againAfter = false
      })
    return running
  }

  async function rounds(): Promise<void> {
    const who = ports.signedIn()
    if (!who || who.ended !== null) {
      reason = who ? sessionEnded : null
      enter('signed_out')
      return
    }
    asked = null
    // Before the first round nobody knows what there is.
    if (failures === 0 && (!begun || state === 'signed_out')) work('pulling')
    begun = true
    if (engine.state.read().user_id === null) engine.state.write({ user_id: who.user_id })
    if (registered !== who.user_id) {
      const outcome = await ports.register()
      if (outcome === 'named') registered = who.user_id
    }
    for (let count = 0; count < mostRounds && !stopped; count += 1) {
      const outcome = await turn()
      if (outcome.kind === 'failed') return later(outcome.answer)
      if (outcome.kind === 'again') pullDue = true
      else break
    }
    const missing = await texts?.fetchWanted()
    if (missing) return later(missing)
    failures = 0
    reason = null
    offlineSince = null
    enter('idle')
    schedule(pullAtLeast_ms)
  }

  function work(phase: Phase): void {
    reason = null
    offlineSince = null
    enter(phase)
  }

  function entered(phase: Phase): void {
    const before = asked
    asked = phase
    // Whoever is asked once more has answered; until then a try after a failure changes nothing.
    const lasts = before === phase || (phase === 'recovering' && (failures === 0 || before !== null))
    if (lasts || isWork(state)) work(phase)
  }

  async function turn(): Promise<Round> {
    // Who was away pulls first: what it would push may have been deleted, and the deletion forgotten.
    const pulls = pullDue || failures > 0 || isLong(clock.elapsed() - pulled.elapsed) || isLong(clock.now() - pulled.wall)
    pullDue = false
    const outcome = pulls ? await engine.round() : await engine.pushOnly()
    if (pulls && outcome.kind === 'done') pulled = { elapsed: clock.elapsed(), wall: clock.now() }
    return outcome
  }

  function later(answer: NoAnswer): void {
    failures += 1
    pullDue = true
    reason = answer.kind === 'refused' && answer.status === 401 ? sessionEnded : answer.detail
    if (answer.kind === 'unreachable' || answer.status >= 500) {
      offlineSince ??= clock.now()
      enter('offline')
    } else enter(answer.status === 401 ? 'signed_out' : 'failed')
    schedule(backoff(failures, random, answer.kind === 'refused' ? answer.retry_after_ms : 0))
  }

  function status(): SyncStatus {
    const { cursor_ts, pushed_at, pulled_at } = engine.state.read()
    return {
      state,
      pending_changes: engine.outbox.count(),
      quarantined_changes: engine.quarantine.count(),
      unread_changes: engine.unread(),
      offline_since: offlineSince === null ? null : timestamp(offlineSince),
      reason,
      cursor_ts,
      last_push_ts: pushed_at === null ? null : timestamp(pushed_at),
      last_pull_ts: pulled_at === null ? null : timestamp(pulled_at),
    }
  }

  return {
    written() {
      // While the cloud can't be reached a write changes nothing about that.
      if (failures === 0) soon()
      againAfter ||= running !== null
    },
    hinted() {
      pullDue = true
      soon()
      againAfter ||= running !== null
    },
    entered,
    async now() {
      pullDue = true
      if (running) await running
      await run()
      return status()
    },
    status,
    accountChanged() {
      pullDue = true
      failures = 0
      registered = null
      void run()
    },
    async quiet() {
      while (running) await running
    },
    async stop() {
      stopped = true
      cancel()
      await running
    },
  }
}
