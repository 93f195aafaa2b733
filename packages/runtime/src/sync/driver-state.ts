// The state of the driver, as one value. Each change is a pure function; the driver carries out what the new value says.
import type { CloudFailure } from '../account/cloud-result.ts'
import { backoff } from './backoff.ts'
import type { Phase } from './engine.ts'

export type DriverState = Resting | Waiting | Running | Stopping | Stopped

/** Nothing is planned. Only a driver that never ran or is signed out may rest: any other would miss changes of other devices. */
export interface Resting {
  readonly doing: 'resting'
  readonly shown: NotTriedYet | SignedOut
  readonly pullDue: boolean
}

export interface Waiting {
  readonly doing: 'waiting'
  readonly shown: NotTriedYet | ShownState
  /** When the next round starts, by `clock.elapsed()`. */
  readonly wake: number
  /** The next round pulls, whenever the last pull was. */
  readonly pullDue: boolean
}

export type Running = RoundUnderWay & (NoneFollows | AnotherFollows)

interface RoundUnderWay {
  readonly doing: 'running'
  readonly shown: ShownState | Working
  /** Resolves when no round is running. */
  readonly round: Promise<void>
  /** The last phase that the engine entered in this round. */
  readonly asked: Phase | null
  readonly pullDue: boolean
}

interface NoneFollows {
  readonly again: false
  readonly wake: null
}

/** Something changed that this round may have missed. */
interface AnotherFollows {
  readonly again: true
  /** When the next round should start, if this one has ended by then; null once that time has passed. */
  readonly wake: number | null
}

/** The last round is finishing; none follows. */
export interface Stopping {
  readonly doing: 'stopping'
  readonly shown: ShownState | Working
  readonly round: Promise<void>
  readonly asked: Phase | null
}

export interface Stopped {
  readonly doing: 'stopped'
  readonly shown: NotTriedYet | ShownState
}

/** What is shown between rounds, and during a round that is quick or only a retry. */
export type ShownState = UpToDate | Offline | Failed | SignedOut

/** Before the first round, nothing is known. */
export interface NotTriedYet {
  readonly state: 'idle'
  readonly begun: false
}

export interface UpToDate {
  readonly state: 'idle'
  readonly begun: true
}

export interface Working {
  readonly state: Phase
  /** Consecutive failures before this round. */
  readonly failures: number
}

export interface Offline {
  readonly state: 'offline'
  readonly failures: number
  readonly reason: string
  readonly offlineSince: number
}

export interface Failed {
  readonly state: 'failed'
  readonly failures: number
  readonly reason: string
  /** Set if it was offline before, and nothing has succeeded since. */
  readonly offlineSince: number | null
}

export interface SignedOut {
  readonly state: 'signed_out'
  readonly failures: number
  readonly reason: string | null
  readonly offlineSince: number | null
}

export type Outcome = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly answer: CloudFailure }

export interface DriverTime {
  readonly elapsed: number
  readonly wall: number
  /** The earliest time at which another round may start. */
  readonly soon: number
  readonly random: () => number
}

export const pullAtLeast_ms = 60_000
const sessionEnded = 'the server ended this session: sign in again'

export function initial(signedIn: boolean): Resting {
  const shown: Resting['shown'] = signedIn
    ? { state: 'idle', begun: false }
    : { state: 'signed_out', failures: 0, reason: null, offlineSince: null }
  return { doing: 'resting', shown, pullDue: true }
}

export function onWrite(state: DriverState, soon: number): DriverState {
  // While the cloud is unreachable, a write does not cause an earlier attempt.
  if (failuresOf(state.shown) === 0) return planned(state, soon)
  return state.doing === 'running' ? again(state) : state
}

export function onHint(state: DriverState, soon: number): DriverState {
  return pullWanted(planned(state, soon))
}

export function pullWanted(state: DriverState): DriverState {
  return isLive(state) ? { ...state, pullDue: true } : state
}

/** A failure of one account says nothing about another. */
export function accountChanged(state: DriverState): DriverState {
  switch (state.doing) {
    case 'resting':
      return { ...state, shown: forgiven(state.shown), pullDue: true }
    case 'waiting':
      return { ...state, shown: forgiven(state.shown), pullDue: true }
    case 'running':
      return { ...state, shown: forgiven(state.shown), pullDue: true }
    case 'stopping':
    case 'stopped':
      return state
  }
}

/** A round was due while signed out; `isEnded`: because the cloud ended the session. */
export function signedOut({ shown, pullDue }: Resting | Waiting, isEnded: boolean): Resting {
  const reason = isEnded ? sessionEnded : null
  return {
    doing: 'resting',
    shown: { state: 'signed_out', failures: failuresOf(shown), reason, offlineSince: offlineSinceOf(shown) },
    pullDue,
  }
}

export function startRound({ shown, pullDue }: Resting | Waiting, round: Promise<void>): Running {
  return { doing: 'running', shown: shownAtStart(shown), round, asked: null, again: false, wake: null, pullDue }
}

/** A round was requested while one is running. */
export function again(state: Running): Running {
  return { ...state, again: true }
}

/** The time for the next round came while one is running. */
export function onWakeDuringRound(state: Running): Running {
  return { ...state, again: true, wake: null }
}

export function onPhase(state: DriverState, phase: Phase): DriverState {
  if (!isUnderWay(state)) return state
  const { asked, shown } = state
  const failures = failuresOf(shown)
  // A second request shows that the cloud has responded; until then, a retry after a failure changes nothing.
  const lasts = asked === phase || (phase === 'recovering' && (failures === 0 || asked !== null))
  return { ...state, asked: phase, shown: lasts || isWork(shown) ? { state: phase, failures } : shown }
}

/** The engine starts now; later requests are for the next round. */
export function startTurn(state: Running): Running {
  return { ...state, pullDue: false }
}

export function ended(state: DriverState, outcome: Outcome, moment: DriverTime): DriverState {
  if (!isUnderWay(state)) return state
  if (outcome.kind === 'failed') return endedFailed(state, outcome.answer, moment)
  const shown: UpToDate = { state: 'idle', begun: true }
  if (state.doing === 'stopping') return { doing: 'stopped', shown }
  const pull = earlier(state.wake, moment.elapsed + pullAtLeast_ms)
  return { doing: 'waiting', shown, wake: state.again ? earlier(pull, moment.soon) : pull, pullDue: state.pullDue }
}

export function stopped(state: DriverState): DriverState {
  switch (state.doing) {
    case 'resting':
    case 'waiting':
      return { doing: 'stopped', shown: state.shown }
    case 'running':
      return { doing: 'stopping', shown: state.shown, round: state.round, asked: state.asked }
    case 'stopping':
    case 'stopped':
      return state
  }
}

export function wakeOf(state: DriverState): number | null {
  return state.doing === 'waiting' || state.doing === 'running' ? state.wake : null
}

export function roundOf(state: DriverState): Promise<void> | null {
  return isUnderWay(state) ? state.round : null
}

export function failuresOf(shown: DriverState['shown']): number {
  return shown.state === 'idle' ? 0 : shown.failures
}

function shownAtStart(shown: NotTriedYet | ShownState): ShownState | Working {
  if (shown.state === 'idle' && !shown.begun) return { state: 'pulling', failures: 0 }
  return shown.state === 'signed_out' && shown.failures === 0 ? { state: 'pulling', failures: 0 } : shown
}

/** What the round may have missed is left to the next attempt, which pulls; only what was planned before the failure comes sooner. */
function endedFailed(state: Running | Stopping, answer: CloudFailure, { elapsed, wall, random }: DriverTime): Waiting | Stopped {
  const shown = troubled(state.shown, answer, wall)
  if (state.doing === 'stopping') return { doing: 'stopped', shown }
  const retry = elapsed + backoff(shown.failures, random, answer.kind === 'refused' ? answer.retry_after_ms : 0)
  return { doing: 'waiting', shown, wake: earlier(state.wake, retry), pullDue: true }
}

function troubled(before: DriverState['shown'], answer: CloudFailure, wall: number): Offline | Failed | SignedOut {
  const failures = failuresOf(before) + 1
  const offlineSince = offlineSinceOf(before)
  const reason = answer.detail
  if (answer.kind === 'unreachable' || answer.status >= 500)
    return { state: 'offline', failures, reason, offlineSince: offlineSince ?? wall }
  return answer.status === 401
    ? { state: 'signed_out', failures, reason: sessionEnded, offlineSince }
    : { state: 'failed', failures, reason, offlineSince }
}

/** Keeps the earlier of two plans. */
function planned(state: DriverState, at: number): DriverState {
  switch (state.doing) {
    case 'resting':
      return { doing: 'waiting', shown: state.shown, wake: at, pullDue: state.pullDue }
    case 'waiting':
      return { ...state, wake: earlier(state.wake, at) }
    case 'running':
      return { ...state, again: true, wake: earlier(state.wake, at) }
    case 'stopping':
    case 'stopped':
      return state
  }
}

function earlier(planned: number | null, at: number): number {
  return planned === null ? at : Math.min(planned, at)
}

function forgiven<Shown extends DriverState['shown']>(shown: Shown): Shown {
  return 'failures' in shown ? { ...shown, failures: 0 } : shown
}

function offlineSinceOf(shown: DriverState['shown']): number | null {
  return 'offlineSince' in shown ? shown.offlineSince : null
}

function isWork(shown: DriverState['shown']): shown is Working {
  return shown.state === 'pulling' || shown.state === 'pushing' || shown.state === 'recovering'
}

function isUnderWay(state: DriverState): state is Running | Stopping {
  return state.doing === 'running' || state.doing === 'stopping'
}

function isLive(state: DriverState): state is Resting | Waiting | Running {
  return state.doing !== 'stopping' && state.doing !== 'stopped'
}
