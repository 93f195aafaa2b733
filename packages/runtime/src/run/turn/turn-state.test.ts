import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contextWindowOfTokens } from '../../model/context-window.ts'
import { clientFailure, type ModelFailure, type ModelFailureCode, modelFailures } from '../../model/failure.ts'
import type { ModelMessage } from '../../model/message.ts'
import { contextWindowTooSmall, modelFailed } from '../failures.ts'
import { openModelMemory } from './model-memory.ts'
import type { Sight } from './transcript.ts'
import type { PlannedRequest } from './turn-request.ts'
import {
  afterFailure,
  afterNarrowing,
  askedAgain,
  atMost,
  type CallingModel,
  type Compacting,
  called,
  compacted,
  isEnd,
  type LeavingOutImages,
  maxCompactions,
  mostAttempts,
  type Narrowing,
  notCompacted,
  type Planning,
  planned,
  type ReadyToSend,
  retryIn,
  type TurnEnd,
  type TurnFailed,
  type TurnSpace,
  type TurnState,
  type WaitingToRetry,
} from './turn-state.ts'

const name = 'test/model'
const window = contextWindowOfTokens(10_000, 'default')
const told = { stable: ['Skills.'], changing: [], here: {} }
const toldShorter = { stable: ['S.'], changing: [], here: {} }
const space: TurnSpace = { model: name, window, sections: told, roomMade: 0 }
const roomMade = (times: number): TurnSpace => ({ ...space, roomMade: times })

const words: ModelMessage = { role: 'user', content: 'Look.' }
const picture: ModelMessage = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,' } }] }
const request: PlannedRequest = {
  messages: [words],
  tools: [],
  room: { tokens: 9_000, reserved: 1_000 },
  taken: 1_000,
  fits: true,
  tokens: 2_000,
}
const shown: PlannedRequest = { ...request, messages: [words, picture] }
/** More than 0.8 of the available space. */
const full: PlannedRequest = { ...request, taken: 6_401, tokens: 7_401 }
const tooLong: PlannedRequest = { ...request, taken: 9_500, fits: false, tokens: 10_500 }

const planning: Planning = { at: 'planning', space }
const makingRoom: Compacting = { at: 'making_room', space, request: full }
const ready: ReadyToSend = { at: 'ready', space, request }
const asking: CallingModel = { at: 'asking', space, request, attempt: 1 }
const waiting: WaitingToRetry = { at: 'waiting', space, request, attempt: 1, pause_ms: 1_000 }
const leavingOut: LeavingOutImages = { at: 'leaving_out_pictures', space, attempt: 1 }
const narrowing: Narrowing = {
  at: 'narrowing',
  space,
  attempt: 1,
  refused_tokens: 2_000,
  window: contextWindowOfTokens(1_400, 'model_list'),
}
const narrowSpace: TurnSpace = { ...space, window: narrowing.window, sections: toldShorter, roomMade: 1 }

const failure = (code: ModelFailureCode, more: Partial<ModelFailure> = {}): ModelFailure => ({ ...clientFailure(code, 'no'), ...more })
const failed = (code: ModelFailureCode): TurnFailed => ({ at: 'failed', failure: modelFailed(name, failure(code)) })
const tooSmall = (tokens: number): TurnFailed => ({ at: 'failed', failure: contextWindowTooSmall(name, { tokens }) })
const fails = (state: CallingModel, code: ModelFailureCode, more: Partial<ModelFailure> = {}, sight: Sight = 'seeing') =>
  afterFailure(state, failure(code, more), { sight, random: 0.5 })
const narrows = (compaction: 'made' | 'in_vain', next: PlannedRequest) =>
  afterNarrowing(narrowing, { sections: toldShorter, request: next, compaction })

/** The attempt, its result, and the expected next state. */
test.each<[string, TurnState, TurnState]>([
  ['a request that fits is ready', planned(planning, request), ready],
  ['a full one needs a compaction first', planned(planning, full), makingRoom],
  ['so does one that is too long', planned(planning, tooLong), { ...makingRoom, request: tooLong }],
  ['compacts a second time', planned({ ...planning, space: roomMade(1) }, full), { at: 'making_room', space: roomMade(1), request: full }],
  [
    'not a third time: it is sent full',
    planned({ ...planning, space: roomMade(2) }, full),
    { at: 'ready', space: roomMade(2), request: full },
  ],
  ['or fails if it does not fit', planned({ ...planning, space: roomMade(2) }, tooLong), tooSmall(10_000)],
  ['what does not fit fails even if the conversation is short', planned(planning, { ...request, fits: false }), tooSmall(10_000)],

  ['compacted: it is planned again', compacted(makingRoom), { ...planning, space: roomMade(1) }],
  ['not compacted: a full request is sent', notCompacted(makingRoom), { ...ready, request: full }],
  ['not compacted: one that does not fit fails', notCompacted({ ...makingRoom, request: tooLong }), tooSmall(10_000)],

  ['the call is recorded', called(ready), asking],

  ['a temporary failure is waited out', fails(asking, 'server_error'), waiting],
  ['the second pause is longer', fails({ ...asking, attempt: 2 }, 'timeout'), { ...waiting, attempt: 2, pause_ms: 2_000 }],
  ['the last attempt but one', fails({ ...asking, attempt: 4 }, 'unreachable'), { ...waiting, attempt: 4, pause_ms: 8_000 }],
  [
    'the last attempt: the model does not respond now',
    fails({ ...asking, attempt: 5 }, 'unreachable'),
    { at: 'unanswered', failure: modelFailed(name, failure('unreachable')) },
  ],
  ['a server that requests a longer delay', fails(asking, 'rate_limited', { retry_after_ms: 45_000 }), { ...waiting, pause_ms: 45_000 }],
  ['a server that requests a shorter delay', fails(asking, 'rate_limited', { retry_after_ms: 10 }), waiting],
  ['the longest pause in a turn', fails(asking, 'rate_limited', { retry_after_ms: 60_000 }), { ...waiting, pause_ms: 60_000 }],
  [
    'a longer one pauses the run',
    fails(asking, 'rate_limited', { retry_after_ms: 60_001 }),
    { at: 'unanswered', failure: modelFailed(name, failure('rate_limited')), retry_after_ms: 60_001 },
  ],
  [
    'an exhausted budget is never retried, and fails nothing',
    fails(asking, 'budget_spent'),
    { at: 'unanswered', failure: modelFailed(name, failure('budget_spent')) },
  ],
  ['a wrong key fails', fails(asking, 'unauthorized'), failed('unauthorized')],

  ['an overflow narrows to less than was refused', fails(asking, 'context_overflow'), narrowing],
  [
    'or to what the server reports',
    fails(asking, 'context_overflow', { context_tokens: 8_192 }),
    { ...narrowing, window: contextWindowOfTokens(8_192, 'model_list') },
  ],
  ['a number that is not smaller is ignored', fails(asking, 'context_overflow', { context_tokens: 10_000 }), narrowing],
  [
    'a context window is never enlarged',
    fails({ ...asking, request: { ...request, tokens: 20_000 } }, 'context_overflow'),
    { ...narrowing, refused_tokens: 20_000, window },
  ],
  [
    'a second overflow, whatever the attempt',
    fails({ ...asking, space: roomMade(1), attempt: 6 }, 'context_overflow'),
    { ...narrowing, space: roomMade(1), attempt: 6 },
  ],
  ['the third fails', fails({ ...asking, space: roomMade(2) }, 'context_overflow'), failed('context_overflow')],

  ['a refused image is left out', fails({ ...asking, request: shown }, 'rejected'), leavingOut],
  ['whatever the attempt', fails({ ...asking, request: shown, attempt: 7 }, 'rejected'), { ...leavingOut, attempt: 7 }],
  ['a model known to be blind refused something else', fails({ ...asking, request: shown }, 'rejected', {}, 'blind'), failed('rejected')],
  ['so did one that got no image', fails(asking, 'rejected'), failed('rejected')],
  ['another failure is not attributed to an image', fails({ ...asking, request: shown }, 'server_error'), { ...waiting, request: shown }],

  ['after a pause the same request is sent', askedAgain(waiting, waiting.request), { ...asking, attempt: 2 }],
  ['without the image', askedAgain(leavingOut, request), { ...asking, attempt: 2 }],
  ['compacted after a refusal', narrows('made', request), { ...asking, space: narrowSpace, attempt: 2 }],
  ['even if it may not fit: the server decides', narrows('made', tooLong), { ...asking, space: narrowSpace, request: tooLong, attempt: 2 }],
  [
    'not compacted, but shorter and fits',
    narrows('in_vain', { ...request, tokens: 1_999 }),
    { ...asking, space: narrowSpace, request: { ...request, tokens: 1_999 }, attempt: 2 },
  ],
  ['not compacted and not shorter', narrows('in_vain', request), tooSmall(1_400)],
  ['not compacted, shorter, and does not fit', narrows('in_vain', { ...request, tokens: 1_999, fits: false }), tooSmall(1_400)],
])('%s', (_name, actual, expected) => {
  expect(actual).toEqual(expected)
})

const comesNext: Record<ModelFailureCode, TurnState['at']> = {
  unreachable: 'waiting',
  timeout: 'waiting',
  rate_limited: 'waiting',
  server_error: 'waiting',
  broken_stream: 'waiting',
  context_overflow: 'narrowing',
  unauthorized: 'failed',
  unknown_model: 'failed',
  wrong_address: 'failed',
  rejected: 'failed',
  budget_spent: 'unanswered',
}
const codes = Object.keys(comesNext) as ModelFailureCode[]

test.each(codes)('the next state when a model fails for the first time: %s', (code) => {
  expect(fails(asking, code).at).toBe(comesNext[code])
})

test.each<[string, Parameters<typeof retryIn>[0], number | null]>([
  ['after a pause', { ...waiting, pause_ms: 1_234.5 }, 1_235],
  ['immediately, without images', leavingOut, 0],
  ['immediately, in a smaller context window', narrowing, 0],
  ['never', failed('rejected'), null],
  ['not in this turn', { at: 'unanswered', failure: modelFailed(name, failure('timeout')) }, null],
])('the model is called again: %s', (_name, state, expected) => {
  expect(retryIn(state)).toBe(expected)
})

test('a context window only gets smaller', () => {
  expect([atMost(window, null), atMost(window, 10_000), atMost(window, 9_999)]).toEqual([
    window,
    window,
    contextWindowOfTokens(9_999, 'model_list'),
  ])
})

const drawnFailure: fc.Arbitrary<ModelFailure> = fc.record({
  code: fc.constantFrom(...codes),
  message: fc.constant('no'),
  status: fc.constant(null),
  retry_after_ms: fc.option(fc.nat(120_000)),
  context_tokens: fc.option(fc.nat(20_000)),
})
const drawnRequest: fc.Arbitrary<PlannedRequest> = fc
  .record({ taken: fc.nat(12_000), fits: fc.boolean(), holdsPicture: fc.boolean() })
  .map(({ taken, fits, holdsPicture }) => ({
    ...request,
    messages: holdsPicture ? [words, picture] : [words],
    taken,
    fits,
    tokens: taken + 1_000,
  }))
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const drawnMoment = fc.record({ failure: drawnFailure, request: drawnRequest, hasRoom: fc.boolean(), random })
type DrawnMoment = typeof drawnMoment extends fc.Arbitrary<infer Moment> ? Moment : never

/** A turn whose model fails each time. The drawn moments repeat when all of them were used. */
function takeTurnOf(moments: readonly DrawnMoment[]): {
  readonly end: TurnEnd
  readonly asked: readonly CallingModel[]
  readonly compactions: number
} {
  const memory = openModelMemory()
  const asked: CallingModel[] = []
  let compactions = 0
  let state: TurnState = planning
  for (let step = 0; !isEnd(state); step += 1) {
    if (step > 100) throw new Error('the turn does not end')
    const moment = moments[step % moments.length]
    if (!moment) throw new Error('no moment was drawn')
    if (state.at === 'asking') asked.push(state)
    if (state.at === 'making_room' || state.at === 'narrowing') compactions += 1
    state = oneStep(state, moment, memory.sightOf(name))
    if (state.at === 'leaving_out_pictures') memory.learnBlind(name)
  }
  return { end: state, asked, compactions }
}

function oneStep(state: Exclude<TurnState, TurnEnd>, moment: DrawnMoment, sight: Sight): TurnState {
  switch (state.at) {
    case 'planning':
      return planned(state, moment.request)
    case 'making_room':
      return moment.hasRoom ? compacted(state) : notCompacted(state)
    case 'ready':
      return called(state)
    case 'asking':
      return afterFailure(state, moment.failure, { sight, random: moment.random })
    case 'waiting':
      return askedAgain(state, state.request)
    case 'leaving_out_pictures':
      return askedAgain(state, moment.request)
    case 'narrowing':
      return afterNarrowing(state, { sections: told, request: moment.request, compaction: moment.hasRoom ? 'made' : 'in_vain' })
  }
}

/** Each attempt, each compaction, and once without images. */
const mostCalls = mostAttempts + maxCompactions + 1

test('a turn ends, whatever fails: with few calls, few compactions, and a context window that only shrinks', () => {
  fc.assert(
    fc.property(fc.array(drawnMoment, { minLength: 1, maxLength: 30 }), (moments) => {
      const { end, asked, compactions } = takeTurnOf(moments)
      expect(end.at).not.toBe('taken')
      expect(asked.length).toBeLessThanOrEqual(mostCalls)
      expect(compactions).toBeLessThanOrEqual(maxCompactions + 1)
      expect(asked.map(({ attempt }) => attempt)).toEqual(asked.map((_, index) => index + 1))
      const sizes = asked.map((one) => one.space.window.tokens)
      expect(sizes).toEqual(sizes.toSorted((left, right) => right - left))
    }),
    { numRuns: 2_000 },
  )
})

test('the maximum number of calls in a turn', () => {
  const failures: ModelFailureCode[] = ['timeout', 'timeout', 'timeout', 'timeout', 'context_overflow', 'context_overflow', 'rejected']
  let state: TurnState = { ...asking, request: shown }
  for (const code of failures) {
    const next: TurnState = state.at === 'asking' ? fails(state, code) : state
    if (next.at === 'narrowing') state = afterNarrowing(next, { sections: told, request: shown, compaction: 'made' })
    else if (next.at === 'waiting' || next.at === 'leaving_out_pictures') state = askedAgain(next, shown)
    else throw new Error(`it is ${next.at} after ${code}`)
  }
  if (state.at !== 'asking') throw new Error(`it is ${state.at} in the end`)
  const last = state
  expect(last.attempt).toBe(mostCalls)
  expect(codes.map((code) => fails(last, code, {}, 'blind')).filter((next) => !isEnd(next))).toEqual([])
})

test('a permanent failure never leads to the same request, a temporary one never fails the run', () => {
  const drawnAsking = fc.record({ request: drawnRequest, attempt: fc.integer({ min: 1, max: mostCalls }), made: fc.nat(maxCompactions) })
  fc.assert(
    fc.property(drawnAsking, drawnMoment, fc.constantFrom<Sight>('seeing', 'blind'), ({ request, attempt, made }, moment, sight) => {
      const next = afterFailure({ at: 'asking', space: roomMade(made), request, attempt }, moment.failure, { sight, random: moment.random })
      const { retryable } = modelFailures[moment.failure.code]
      expect(retryable ? ['waiting', 'unanswered'] : ['narrowing', 'leaving_out_pictures', 'failed', 'unanswered']).toContain(next.at)
      const wait = retryIn(next)
      if (wait === null) return
      expect(wait).toBeLessThanOrEqual(60_000)
      if (next.at === 'waiting') expect(wait).toBeGreaterThanOrEqual(Math.max(500, moment.failure.retry_after_ms ?? 0))
    }),
    { numRuns: 2_000 },
  )
})
