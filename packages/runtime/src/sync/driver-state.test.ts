import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CloudFailure } from '../account/cloud-result.ts'
import {
  accountChanged,
  again,
  type DriverState,
  type DriverTime,
  ended,
  type Failed,
  failuresOf,
  initial,
  type NotTriedYet,
  type Offline,
  onHint,
  onPhase,
  onWakeDuringRound,
  onWrite,
  pullAtLeast_ms,
  pullWanted,
  type Resting,
  type Running,
  roundOf,
  type SignedOut,
  type Stopped,
  type Stopping,
  signedOut,
  startRound,
  startTurn,
  stopped,
  type UpToDate,
  type Waiting,
  type Working,
  wakeOf,
} from './driver-state.ts'

const sessionEnded = 'the server ended this session: sign in again'
const round = Promise.resolve()

const untried: NotTriedYet = { state: 'idle', begun: false }
const upToDate: UpToDate = { state: 'idle', begun: true }
const offline: Offline = { state: 'offline', failures: 2, reason: 'ECONNREFUSED', offlineSince: 7_000 }
const failed: Failed = { state: 'failed', failures: 3, reason: 'slowly', offlineSince: 7_000 }
const out: SignedOut = { state: 'signed_out', failures: 0, reason: null, offlineSince: null }
const refused401: SignedOut = { state: 'signed_out', failures: 1, reason: sessionEnded, offlineSince: null }
const pushing: Working = { state: 'pushing', failures: 2 }

const resting: Resting = { doing: 'resting', shown: untried, pullDue: false }
const waiting: Waiting = { doing: 'waiting', shown: upToDate, wake: 200, pullDue: false }
const running: Running = { doing: 'running', shown: upToDate, round, asked: null, again: false, wake: null, pullDue: false }
const stopping: Stopping = { doing: 'stopping', shown: upToDate, round, asked: null }
const stoppedState: Stopped = { doing: 'stopped', shown: offline }

const unreachable: CloudFailure = { kind: 'unreachable', detail: 'ENOTFOUND' }
const refused = (status: number): CloudFailure => ({ kind: 'refused', status, code: 'rate_limited', detail: `status ${status}` })
const busy: CloudFailure = { kind: 'refused', status: 429, code: 'rate_limited', detail: 'slowly', retry_after_ms: 20_000 }
const moment: DriverTime = { elapsed: 100, wall: 9_000, soon: 105, random: () => 0 }
const done = (state: DriverState) => ended(state, { kind: 'done' }, moment)
const fails = (state: DriverState, answer: CloudFailure) => ended(state, { kind: 'failed', answer }, moment)

/** The event, its result, and the expected state. */
test.each<[string, DriverState, DriverState]>([
  ['opened signed in', initial(true), { ...resting, pullDue: true }],
  ['opened signed out', initial(false), { doing: 'resting', shown: out, pullDue: true }],

  ['a write ends the rest', onWrite(resting, 105), { doing: 'waiting', shown: untried, wake: 105, pullDue: false }],
  ['a write brings the next round forward', onWrite(waiting, 105), { ...waiting, wake: 105 }],
  ['a write never delays the next round', onWrite({ ...waiting, wake: 50 }, 105), { ...waiting, wake: 50 }],
  ['a write after a failure does not wake', onWrite({ ...waiting, shown: offline }, 105), { ...waiting, shown: offline }],
  ['a write during a round', onWrite(running, 105), { ...running, again: true, wake: 105 }],
  ['a write during a retry', onWrite({ ...running, shown: pushing }, 105), { ...running, shown: pushing, again: true }],
  ['a write while stopping', onWrite(stopping, 105), stopping],
  ['a write once stopped', onWrite(stoppedState, 105), stoppedState],

  ['a hint ends the rest', onHint(resting, 105), { doing: 'waiting', shown: untried, wake: 105, pullDue: true }],
  ['a hint wakes', onHint(waiting, 105), { ...waiting, wake: 105, pullDue: true }],
  [
    'a hint wakes also after a failure',
    onHint({ ...waiting, shown: offline }, 105),
    { ...waiting, shown: offline, wake: 105, pullDue: true },
  ],
  ['a hint during a round', onHint(running, 105), { ...running, again: true, wake: 105, pullDue: true }],
  ['a hint while stopping', onHint(stopping, 105), stopping],
  ['a hint once stopped', onHint(stoppedState, 105), stoppedState],

  ['a pull is requested at rest', pullWanted(resting), { ...resting, pullDue: true }],
  ['a pull is requested while waiting', pullWanted(waiting), { ...waiting, pullDue: true }],
  ['a pull is requested during a round', pullWanted(running), { ...running, pullDue: true }],
  ['a pull is requested while stopping', pullWanted(stopping), stopping],
  ['a pull is requested once stopped', pullWanted(stoppedState), stoppedState],

  [
    'another account at rest',
    accountChanged({ ...resting, shown: refused401 }),
    { ...resting, shown: { ...refused401, failures: 0 }, pullDue: true },
  ],
  ['another account before the first round', accountChanged(resting), { ...resting, pullDue: true }],
  [
    'another account while waiting',
    accountChanged({ ...waiting, shown: offline }),
    { ...waiting, shown: { ...offline, failures: 0 }, pullDue: true },
  ],
  [
    'another account during a round',
    accountChanged({ ...running, shown: pushing }),
    { ...running, shown: { ...pushing, failures: 0 }, pullDue: true },
  ],
  ['another account while stopping', accountChanged(stopping), stopping],
  ['another account once stopped', accountChanged(stoppedState), stoppedState],

  ['no one is signed in', signedOut({ ...waiting, pullDue: true }, false), { doing: 'resting', shown: out, pullDue: true }],
  [
    'the session was ended while offline',
    signedOut({ ...waiting, shown: offline }, true),
    { doing: 'resting', shown: { ...offline, state: 'signed_out', reason: sessionEnded }, pullDue: false },
  ],

  ['the first round is shown', startRound({ ...waiting, shown: untried }, round), { ...running, shown: { state: 'pulling', failures: 0 } }],
  [
    'so is the one after signing in',
    startRound({ ...resting, shown: out }, round),
    { ...running, shown: { state: 'pulling', failures: 0 } },
  ],
  ['a retry is not', startRound({ ...waiting, shown: refused401 }, round), { ...running, shown: refused401 }],
  ['nor is an ordinary round', startRound({ ...waiting, pullDue: true }, round), { ...running, pullDue: true }],

  ['another round is requested', again(running), { ...running, again: true }],
  ['and one is planned', again({ ...running, again: true, wake: 50 }), { ...running, again: true, wake: 50 }],
  [
    'the time of the next round comes during a round',
    onWakeDuringRound({ ...running, again: true, wake: 50 }),
    { ...running, again: true },
  ],
  ['the engine starts', startTurn({ ...running, pullDue: true }), running],

  ['one request is not shown', onPhase(running, 'pulling'), { ...running, asked: 'pulling' }],
  [
    'two are',
    onPhase({ ...running, asked: 'pulling' }, 'pulling'),
    { ...running, asked: 'pulling', shown: { state: 'pulling', failures: 0 } },
  ],
  ['another phase is not the same phase twice', onPhase({ ...running, asked: 'pulling' }, 'pushing'), { ...running, asked: 'pushing' }],
  [
    'the shown state follows',
    onPhase({ ...running, shown: pushing }, 'pulling'),
    { ...running, asked: 'pulling', shown: { ...pushing, state: 'pulling' } },
  ],
  ['a recovery is shown', onPhase(running, 'recovering'), { ...running, asked: 'recovering', shown: { state: 'recovering', failures: 0 } }],
  ['not during a retry', onPhase({ ...running, shown: offline }, 'recovering'), { ...running, shown: offline, asked: 'recovering' }],
  [
    'unless there was a response',
    onPhase({ ...running, shown: offline, asked: 'pulling' }, 'recovering'),
    { ...running, asked: 'recovering', shown: { state: 'recovering', failures: 2 } },
  ],
  [
    'the last round is shown too',
    onPhase(stopping, 'recovering'),
    { ...stopping, asked: 'recovering', shown: { state: 'recovering', failures: 0 } },
  ],
  ['no request at rest', onPhase(resting, 'recovering'), resting],
  ['no request while waiting', onPhase(waiting, 'recovering'), waiting],
  ['no request once stopped', onPhase(stoppedState, 'recovering'), stoppedState],

  ['done: the next round pulls in a minute', done({ ...running, shown: pushing }), { ...waiting, wake: 100 + pullAtLeast_ms }],
  ['done, and another round is requested', done({ ...running, again: true, pullDue: true }), { ...waiting, wake: 105, pullDue: true }],
  ['done, and a round is planned before that', done({ ...running, again: true, wake: 102 }), { ...waiting, wake: 102 }],
  ['done while stopping', done(stopping), { doing: 'stopped', shown: upToDate }],
  [
    'unreachable',
    fails(running, unreachable),
    { ...waiting, shown: { state: 'offline', failures: 1, reason: 'ENOTFOUND', offlineSince: 9_000 }, wake: 600, pullDue: true },
  ],
  [
    'unreachable again: since then, and with a longer delay',
    fails({ ...running, shown: offline, again: true }, unreachable),
    { ...waiting, shown: { ...offline, failures: 3, reason: 'ENOTFOUND' }, wake: 2_100, pullDue: true },
  ],
  [
    'unreachable after a response: since now',
    fails({ ...running, shown: pushing }, refused(503)),
    { ...waiting, shown: { state: 'offline', failures: 3, reason: 'status 503', offlineSince: 9_000 }, wake: 2_100, pullDue: true },
  ],
  [
    'unreachable, and a round is planned',
    fails({ ...running, again: true, wake: 102 }, unreachable),
    { ...waiting, shown: { state: 'offline', failures: 1, reason: 'ENOTFOUND', offlineSince: 9_000 }, wake: 102, pullDue: true },
  ],
  [
    'refused: not before the time that the cloud requests',
    fails(running, busy),
    { ...waiting, shown: { state: 'failed', failures: 1, reason: 'slowly', offlineSince: null }, wake: 20_100, pullDue: true },
  ],
  ['refused while offline', fails({ ...running, shown: offline }, busy), { ...waiting, shown: failed, wake: 20_100, pullDue: true }],
  ['refused for its sign-in', fails(running, refused(401)), { ...waiting, shown: refused401, wake: 600, pullDue: true }],
  [
    'failed while stopping',
    fails(stopping, unreachable),
    { doing: 'stopped', shown: { state: 'offline', failures: 1, reason: 'ENOTFOUND', offlineSince: 9_000 } },
  ],
  ['nothing ends at rest', done(resting), resting],
  ['nothing ends while waiting', done(waiting), waiting],
  ['nothing ends once stopped', done(stoppedState), stoppedState],

  ['stopped at rest', stopped(resting), { doing: 'stopped', shown: untried }],
  ['stopped while waiting', stopped({ ...waiting, shown: offline }), stoppedState],
  [
    'stopped during a round',
    stopped({ ...running, shown: pushing, asked: 'pushing', again: true, wake: 50, pullDue: true }),
    { ...stopping, shown: pushing, asked: 'pushing' },
  ],
  ['stopped while stopping', stopped(stopping), stopping],
  ['stopped twice', stopped(stoppedState), stoppedState],
])('%s', (_, state, expected) => {
  expect(state).toEqual(expected)
})

test.each<[DriverState, number | null, Promise<void> | null]>([
  [resting, null, null],
  [waiting, 200, null],
  [running, null, round],
  [{ ...running, again: true, wake: 50 }, 50, round],
  [stopping, null, round],
  [stoppedState, null, null],
])('when it wakes and what is running: %j', (state, wake, under) => {
  expect(wakeOf(state)).toBe(wake)
  expect(roundOf(state)).toBe(under)
})

const inputs = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.constantFrom(
      'written',
      'hinted',
      'alarm',
      'turned',
      'pulling',
      'recovering',
      'done',
      'unreachable',
      'refused',
      'account',
    ),
  },
  { weight: 1, arbitrary: fc.constant('stop') },
)

test('no wake-up is lost: a round starts after everything that requests one', () => {
  fc.assert(
    fc.property(fc.array(inputs, { maxLength: 60, size: 'max' }), (list) => {
      let state: DriverState = initial(true)
      let elapsed = 0
      /** Something requested a round that has not started. */
      let isOwed = false
      for (const input of list) {
        elapsed += 1
        const soon = elapsed + 5
        const now: DriverTime = { elapsed, wall: elapsed, soon, random: () => 0 }
        const wake = wakeOf(state)
        if (input === 'written') {
          isOwed ||= failuresOf(state.shown) === 0
          state = onWrite(state, soon)
        } else if (input === 'hinted') {
          isOwed = true
          state = onHint(state, soon)
        } else if (input === 'alarm' && wake !== null) {
          elapsed = Math.max(elapsed, wake)
          if (state.doing === 'running') state = onWakeDuringRound(state)
          else if (state.doing === 'waiting') {
            state = startRound(state, round)
            isOwed = false
          }
        } else if (input === 'done') {
          const isEnd = state.doing === 'running'
          state = ended(state, { kind: 'done' }, now)
          // After a successful round it is also not late.
          if (isEnd && isOwed) expect(wakeOf(state)).toBeLessThanOrEqual(soon)
        } else if (input === 'unreachable') state = ended(state, { kind: 'failed', answer: unreachable }, now)
        else if (input === 'refused') state = ended(state, { kind: 'failed', answer: refused(401) }, now)
        else if (input === 'pulling' || input === 'recovering') state = onPhase(state, input)
        else if (input === 'turned' && state.doing === 'running') state = startTurn(state)
        else if (input === 'account') state = accountChanged(state)
        else if (input === 'stop') state = stopped(state)
        if (state.doing === 'stopping' || state.doing === 'stopped') expect(wakeOf(state)).toBe(null)
        else if (isOwed) expect(state).toSatisfy((at: DriverState) => wakeOf(at) !== null || (at.doing === 'running' && at.again))
      }
    }),
    { numRuns: 1_000 },
  )
})
