// One turn of the model: what it is told, tries until it answers, and what it said, recorded in one transaction.
import type { FailureContract } from '@tandem/contract/failure'
import type { Usage } from '@tandem/contract/run'
import { sleep, timestamp } from '../../clock/clock.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import { type ContextWindow, windowOfTokens } from '../../model/context-window.ts'
import { type ModelFailure, modelFailures } from '../../model/failure.ts'
import type { ModelMessage } from '../../model/message.ts'
import type { Model } from '../../model/model.ts'
import type { Turn } from '../../model/turn.ts'
import type { OfferedTools } from '../../pipeline/registry.ts'
import { agentGone, answerCut, emptyAnswers, modelFailed, noModel, tooManyTurns, windowTooSmall } from '../failures.ts'
import type { LoopPorts } from '../ports.ts'
import { atStage } from '../stage.ts'
import { writeStatus } from '../status-messages.ts'
import type { Stops } from '../stops.ts'
import type { Thread } from '../thread.ts'
import { isFull } from './compaction.ts'
import { makeRoom } from './make-room.ts'
import { recordTurn } from './record-turn.ts'
import { tellSections } from './sections.ts'
import { keepCutText, textKeeper } from './text-keeper.ts'
import { correction, estimateTokens } from './tokens.ts'
import type { Sight } from './transcript.ts'
import { type PlannedRequest, planRequest } from './turn-request.ts'

export type TurnEnd =
  | { readonly end: 'taken' }
  | { readonly end: 'failed'; readonly failure: FailureContract }
  /** No model answers now; it may later. */
  | { readonly end: 'unanswered'; readonly failure: FailureContract; readonly retry_after_ms?: number }

const tries = 5
const firstWait_ms = 1_000
/** A server that asks for more is left alone: the run pauses and is tried again at that time. */
const longestWait_ms = 60_000
const mostEmpty = 3
const mostCut = 3
const mostRoomMaking = 2

export async function takeTurn(ports: LoopPorts, thread: Thread, stops: Stops, offered: OfferedTools): Promise<TurnEnd> {
  const { store, events } = ports
  const { clock } = store
  const run = thread.run()
  const course = thread.course()
  const agent = ports.agent(run.agent_id)
  const serving = ports.modelFor(run.model)
  if (!agent) return { end: 'unanswered', failure: agentGone(run.agent_id, 'model_call') }
  if (!serving) return { end: 'unanswered', failure: noModel(run.model) }
  if (course.empty >= mostEmpty) return failed(emptyAnswers(run.model, course.empty))
  if (course.cut >= mostCut) return failed(answerCut(run.model))
  if (!course.modelOpen && course.turn >= agent.max_turns) return failed(tooManyTurns(agent.max_turns))
  const { model } = serving
  const turn = course.modelOpen ? course.turn : course.turn + 1
  let window = smaller(await serving.window(), refusedOver(model).get(run.model))

  let sections = await tellSections(ports.promptSections(), run, window, ports.log)
  const prompt = {
    agent,
    workspace: run.workspace,
    sandbox_mode: run.sandbox_mode,
    platform: process.platform,
    today: timestamp(clock.now()).slice(0, 10),
  }
  const plan = () =>
    planRequest({
      prompt: { ...prompt, sections },
      entries: thread.transcript.entries(),
      model: run.model,
      sight: sightOf(run.model),
      nudge: nudge(thread),
      offered,
      window,
      factor: factorOf(run.run_id),
    })
  let roomMade = 0
  const compact = ({ room }: PlannedRequest) =>
    atStage('compaction', () => makeRoom(ports, thread, model, { window, room }, roomMade, stops.model))

  let request = plan()
  while (isFull(request.taken, request.room)) {
    if (roomMade === mostRoomMaking || !(await compact(request))) break
    roomMade += 1
    request = plan()
  }
  if (!request.fits) return failed(windowTooSmall(run.model, window))

  const counts = { message_count: request.messages.length, tool_count: request.tools.length }
  const here = { ...counts, policy_layers: ports.policyLayers(run), ...sections.here }
  store.relaxed(() => thread.append({ kind: 'model.called', model: run.model, turn }, here))
  ports.passBy('model_called')
  for (let attempt = 1; ; attempt += 1) {
    const began = clock.elapsed()
    keepCutText(run, ports)
    const keeper = textKeeper(run, ports)
    let first: number | null = null
    const asked = model.turn({
      model: run.model,
      messages: request.messages,
      tools: request.tools,
      temperature: agent.temperature,
      signal: stops.model,
      onText(arrived) {
        first ??= Math.round(clock.elapsed() - began)
        keeper.arrived(arrived)
      },
    })
    const outcome = await asked.catch((error: unknown) => {
      keeper.breakOff()
      throw error
    })
    if (outcome.ok) keeper.stop()
    else keeper.breakOff()
    const duration_ms = Math.round(clock.elapsed() - began)
    if (outcome.ok) {
      const said = outcome.turn
      const usage = said.usage ?? estimated(request, said)
      if (said.usage) factors.set(run.run_id, correction(request.tokens, usage.input_tokens))
      if (outcome.left_out.includes('tools') && request.tools.length > 0) tellWithoutTools(ports, run)
      await recordTurn(ports, thread, offered, { turn, said, usage, times: { first_token_ms: first, duration_ms }, keeper })
      ports.passBy('turn_recorded')
      return { end: 'taken' }
    }
    const { failure } = outcome
    const overflow = failure.code === 'context_overflow' && roomMade < mostRoomMaking
    // Some models refuse any request that holds a picture: they are told in words that there was one.
    const unseen = failure.code === 'rejected' && request.messages.some(holdsPicture) && sightOf(run.model) === 'seeing'
    if (unseen) blind.add(run.model)
    const pause_ms = pauseBefore(attempt, failure, ports.random())
    const again = overflow || unseen || (modelFailures[failure.code].retryable && attempt < tries && pause_ms <= longestWait_ms)
    const contract = modelFailed(run.model, failure)
    const retry_in_ms = !again ? null : overflow || unseen ? 0 : Math.round(pause_ms)
    events.emit('model_call_failed', { run }, { model: run.model, turn, attempt, will_retry: again, retry_in_ms, duration_ms }, contract)
    if (!again) return modelFailures[failure.code].pauses ? unanswered(contract, failure) : failed(contract)
    if (unseen) request = plan()
    else if (overflow) {
      const before = request.tokens
      if (failure.context_tokens !== null) refusedOver(model).set(run.model, failure.context_tokens)
      window = narrowed(window, failure, before)
      sections = await tellSections(ports.promptSections(), run, window, ports.log)
      request = plan()
      const hasRoom = await compact(request)
      roomMade += 1
      request = plan()
      if (!hasRoom && (request.tokens >= before || !request.fits)) return failed(windowTooSmall(run.model, window))
    } else await sleep(clock, pause_ms, stops.model)
  }
}

/** How far estimates were off, by run: a hint for the next turn, of no use after it. */
const factors = new Map<string, number>()
const factorOf = (run_id: string) => factors.get(run_id) ?? 1

export function forgetEstimates(run_id: string): void {
  factors.delete(run_id)
  withoutTools.delete(run_id)
}

/** Runs whose user knows that the model takes no tools. */
const withoutTools = new Set<string>()

function tellWithoutTools({ journal }: LoopPorts, run: RunRecord): void {
  if (withoutTools.has(run.run_id)) return
  withoutTools.add(run.run_id)
  writeStatus(journal, run, { kind: 'no_tools', model: run.model })
}

function failed(failure: FailureContract): TurnEnd {
  return { end: 'failed', failure }
}

/** Said to the model alone, when its last answer was none. */
function nudge(thread: Thread): ModelMessage[] {
  const { empty, cut } = thread.course()
  if (cut > 0) return [{ role: 'user', content: 'Your answer was cut at its limit. Go on from where it stopped, in smaller parts.' }]
  if (empty > 0) return [{ role: 'user', content: 'Your last answer was empty. Go on with the work, or say that it is done.' }]
  return []
}

/** What servers said when they refused a request, by model: nobody knows the context window better. */
const refusals = new WeakMap<Model, Map<string, number>>()

function refusedOver(model: Model): Map<string, number> {
  const known = refusals.get(model) ?? new Map<string, number>()
  refusals.set(model, known)
  return known
}

function smaller(window: ContextWindow, tokens: number | undefined): ContextWindow {
  return tokens !== undefined && tokens < window.tokens ? windowOfTokens(tokens, 'model_list') : window
}

/** The server says that the request does not fit: by its own number, or else by what it refused. */
function narrowed(window: ContextWindow, { context_tokens }: ModelFailure, refused: number): ContextWindow {
  const guess = Math.ceil(refused * 0.7)
  return smaller(window, context_tokens !== null && context_tokens < window.tokens ? context_tokens : guess)
}

/** As long as the server asks for, if it asks for longer than one would wait anyway. */
function pauseBefore(attempt: number, { retry_after_ms }: ModelFailure, random: number): number {
  const backoff = Math.min(longestWait_ms, firstWait_ms * 2 ** (attempt - 1) * (0.5 + random))
  return Math.max(backoff, retry_after_ms ?? 0)
}

function unanswered(failure: FailureContract, { retry_after_ms }: ModelFailure): TurnEnd {
  return { end: 'unanswered', failure, ...(retry_after_ms === null ? {} : { retry_after_ms }) }
}

function estimated({ tokens }: PlannedRequest, said: Turn): Usage {
  const answer: ModelMessage = { role: 'assistant', content: said.text + said.calls.map((call) => call.arguments).join('') }
  return { input_tokens: tokens, output_tokens: estimateTokens([answer]), cached_tokens: 0, estimated: true }
}

/** Models that refused a picture since the runtime started. */
const blind = new Set<string>()

function sightOf(model: string): Sight {
  return blind.has(model) ? 'blind' : 'seeing'
}

function holdsPicture({ role, content }: ModelMessage): boolean {
  return role === 'user' && typeof content !== 'string'
}
