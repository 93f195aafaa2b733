// The state of one turn of the model, as one value. Each change is a pure function; `take-turn.ts` carries out what the value says.
import type { FailureContract } from '@tandem/contract/failure'
import { type ContextWindow, contextWindowOfTokens } from '../../model/context-window.ts'
import { type ModelFailure, modelFailures } from '../../model/failure.ts'
import type { ModelMessage } from '../../model/message.ts'
import { contextWindowTooSmall, modelFailed } from '../failures.ts'
import { isFull } from './compaction.ts'
import type { RenderedSections } from './sections.ts'
import type { Sight } from './transcript.ts'
import type { PlannedRequest } from './turn-request.ts'

export type TurnState = TurnInProgress | TurnEnd
export type TurnInProgress = Planning | Compacting | ReadyToSend | CallingModel | AskingLater
export type TurnEnd = TurnTaken | TurnFailed | TurnOverBudget | ModelUnavailable

/** The model failed, and is called again: after a pause, or with another request. */
type AskingLater = WaitingToRetry | LeavingOutImages | Narrowing

/** What the requests of a turn are fitted to. */
export interface TurnSpace {
  readonly model: string
  readonly window: ContextWindow
  /** Fitted to the same context window. */
  readonly sections: RenderedSections
  /** How often this turn was compacted. */
  readonly roomMade: number
}

/** No request was sent yet, and the next one must be planned. */
export interface Planning {
  readonly at: 'planning'
  readonly space: TurnSpace
}

/** The planned request fills the context window: old messages are compacted before anything is sent. */
export interface Compacting {
  readonly at: 'making_room'
  readonly space: TurnSpace
  readonly request: PlannedRequest
}

/** The request can be sent; the model call is not recorded yet. */
export interface ReadyToSend {
  readonly at: 'ready'
  readonly space: TurnSpace
  readonly request: PlannedRequest
}

export interface CallingModel {
  readonly at: 'asking'
  readonly space: TurnSpace
  readonly request: PlannedRequest
  /** The first is 1. */
  readonly attempt: number
}

/** The same request is sent again after a pause. */
export interface WaitingToRetry {
  readonly at: 'waiting'
  readonly space: TurnSpace
  readonly request: PlannedRequest
  readonly attempt: number
  readonly pause_ms: number
}

/** Some models refuse any request with an image: they get a description instead. */
export interface LeavingOutImages {
  readonly at: 'leaving_out_pictures'
  readonly space: TurnSpace
  readonly attempt: number
}

/** The server refused the request as too long: the next one is fitted to a smaller context window, and compacted. */
export interface Narrowing {
  readonly at: 'narrowing'
  readonly space: TurnSpace
  readonly attempt: number
  /** What the server refused. */
  readonly refused_tokens: number
  readonly window: ContextWindow
}

export interface TurnTaken {
  readonly at: 'taken'
}

export interface TurnFailed {
  readonly at: 'failed'
  readonly failure: FailureContract
}

/** What the team of the run may spend is used up. */
export interface TurnOverBudget {
  readonly at: 'over_budget'
  readonly failure: FailureContract
}

/** The model does not respond now; it may later. */
export interface ModelUnavailable {
  readonly at: 'unanswered'
  readonly failure: FailureContract
  readonly retry_after_ms?: number
}

export const mostAttempts = 5
export const maxCompactions = 2
const firstWait_ms = 1_000
/** If a server requests a longer delay, the run pauses and is retried at that time. */
const longestWait_ms = 60_000

export function isEnd(state: TurnState): state is TurnEnd {
  return state.at === 'taken' || state.at === 'failed' || state.at === 'over_budget' || state.at === 'unanswered'
}

export function planned({ space }: Planning, request: PlannedRequest): Compacting | ReadyToSend | TurnFailed {
  const makesRoom = isFull(request.taken, request.room) && space.roomMade < maxCompactions
  return makesRoom ? { at: 'making_room', space, request } : readyIfFits(space, request)
}

/** The conversation was compacted: the next plan shows whether it is enough. */
export function compacted({ space }: Compacting): Planning {
  return { at: 'planning', space: { ...space, roomMade: space.roomMade + 1 } }
}

/** A request that is nearly full may be sent if nothing can be compacted. */
export function notCompacted({ space, request }: Compacting): ReadyToSend | TurnFailed {
  return readyIfFits(space, request)
}

export function called({ space, request }: ReadyToSend): CallingModel {
  return { at: 'asking', space, request, attempt: 1 }
}

/** The next state after the model failed. `sight` is what is known about the model by now. */
export function afterFailure(
  { space, request, attempt }: CallingModel,
  failure: ModelFailure,
  { sight, random }: { readonly sight: Sight; readonly random: number },
): AskingLater | TurnFailed | ModelUnavailable {
  if (failure.code === 'context_overflow' && space.roomMade < maxCompactions) {
    const window = narrowed(space.window, failure, request.tokens)
    return { at: 'narrowing', space, attempt, refused_tokens: request.tokens, window }
  }
  if (failure.code === 'rejected' && sight === 'seeing' && request.messages.some(holdsPicture)) {
    return { at: 'leaving_out_pictures', space, attempt }
  }
  const pause_ms = pauseBefore(attempt, failure, random)
  const { retryable, pauses } = modelFailures[failure.code]
  if (retryable && attempt < mostAttempts && pause_ms <= longestWait_ms) return { at: 'waiting', space, request, attempt, pause_ms }
  const contract = modelFailed(space.model, failure)
  return pauses ? unanswered(contract, failure) : { at: 'failed', failure: contract }
}

/** How long until the model is called again; null if it is not. */
export function retryIn(state: AskingLater | TurnFailed | ModelUnavailable): number | null {
  if (isEnd(state)) return null
  return state.at === 'waiting' ? Math.round(state.pause_ms) : 0
}

export function askedAgain({ space, attempt }: WaitingToRetry | LeavingOutImages, request: PlannedRequest): CallingModel {
  return { at: 'asking', space, request, attempt: attempt + 1 }
}

/** After narrowing: the request is sent if it was compacted, or if it is shorter anyway and fits. */
export function afterNarrowing(
  { space, attempt, window, refused_tokens }: Narrowing,
  { sections, request, compaction }: Narrowed,
): CallingModel | TurnFailed {
  if (compaction === 'in_vain' && (request.tokens >= refused_tokens || !request.fits)) return tooSmall({ ...space, window })
  return { at: 'asking', space: { ...space, window, sections, roomMade: space.roomMade + 1 }, request, attempt: attempt + 1 }
}

export interface Narrowed {
  readonly sections: RenderedSections
  readonly request: PlannedRequest
  readonly compaction: 'made' | 'in_vain'
}

export function atMost(window: ContextWindow, tokens: number | null): ContextWindow {
  const { images } = window
  if (tokens === null || tokens >= window.tokens) return window
  return { ...contextWindowOfTokens(tokens, 'model_list'), ...(images === undefined ? {} : { images }) }
}

/** The server reports that the request does not fit: use its own number, or else the size of what it refused. */
function narrowed(window: ContextWindow, { context_tokens }: ModelFailure, refused_tokens: number): ContextWindow {
  const guess = Math.ceil(refused_tokens * 0.7)
  return atMost(window, context_tokens !== null && context_tokens < window.tokens ? context_tokens : guess)
}

/** The delay that the server requests, if it is longer than ours. */
function pauseBefore(attempt: number, { retry_after_ms }: ModelFailure, random: number): number {
  const backoff = Math.min(longestWait_ms, firstWait_ms * 2 ** (attempt - 1) * (0.5 + random))
  return Math.max(backoff, retry_after_ms ?? 0)
}

function readyIfFits(space: TurnSpace, request: PlannedRequest): ReadyToSend | TurnFailed {
  return request.fits ? { at: 'ready', space, request } : tooSmall(space)
}

function tooSmall({ model, window }: Pick<TurnSpace, 'model' | 'window'>): TurnFailed {
  return { at: 'failed', failure: contextWindowTooSmall(model, window) }
}

function unanswered(failure: FailureContract, { retry_after_ms }: ModelFailure): ModelUnavailable {
  return { at: 'unanswered', failure, ...(retry_after_ms === null ? {} : { retry_after_ms }) }
}

function holdsPicture({ role, content }: ModelMessage): boolean {
  return role === 'user' && typeof content !== 'string'
}
