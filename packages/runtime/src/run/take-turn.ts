// One turn of the model: what it is told, tries until it answers, and what it said, recorded in one transaction.
import type { FailureContract } from '@tandem/contract/failure'
import type { Usage } from '@tandem/contract/run'
import { sleep, timestamp } from '../clock/clock.ts'
import type { Here } from '../journal/step.ts'
import { type ModelFailure, modelFailures } from '../model/failure.ts'
import type { ModelMessage } from '../model/message.ts'
import type { Turn } from '../model/turn.ts'
import { onlyLooks, type Tool } from '../tools/define.ts'
import { type OfferedTools, offer, type ToolRegistry } from '../tools/registry.ts'
import { isFull, type Window } from './compaction.ts'
import { agentGone, answerCut, emptyAnswers, modelFailed, noModel, tooManyTurns, windowTooSmall } from './failures.ts'
import { makeRoom } from './make-room.ts'
import type { LoopPorts } from './ports.ts'
import { systemPrompt } from './prompt.ts'
import { atStage } from './stage.ts'
import type { Stops } from './stops.ts'
import { keepCutText, textKeeper } from './text-keeper.ts'
import type { Thread } from './thread.ts'
import { correction, estimateTokens } from './tokens.ts'
import { type Sight, toMessages } from './transcript.ts'

export type TurnEnd =
  | { readonly end: 'taken' }
  | { readonly end: 'failed'; readonly failure: FailureContract }
  /** No model answers now; it may later. */
  | { readonly end: 'unanswered'; readonly failure: FailureContract }

const tries = 5
const firstWait_ms = 1_000
const longestWait_ms = 60_000
const mostEmpty = 3
const mostCut = 3
const mostRoomMaking = 2

export async function takeTurn(ports: LoopPorts, thread: Thread, stops: Stops, offered: OfferedTools): Promise<TurnEnd> {
  const { store, events, journal } = ports
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
  const { model, window } = serving
  const turn = course.modelOpen ? course.turn : course.turn + 1

  const skills = await ports.skillsFor(run)
  const prompt = systemPrompt({
    agent,
    workspace: run.workspace,
    sandbox_mode: run.sandbox_mode,
    platform: process.platform,
    today: timestamp(clock.now()).slice(0, 10),
    skills: skills.text,
    memory: ports.memoryText(run),
    todos: ports.todos(run.conversation_id),
  })
  const request = (): ModelMessage[] => [
    { role: 'system', content: prompt },
    ...toMessages(thread.transcript.entries(), sightOf(run.model)),
    ...nudge(thread),
  ]

  let messages = request()
  let roomMade = 0
  while (isFull(estimateTokens(messages, offered.tools) * factorOf(run.run_id), window)) {
    if (roomMade === mostRoomMaking || !(await atStage('compaction', () => makeRoom(ports, thread, model, window, roomMade, stops.model))))
      break
    roomMade += 1
    messages = request()
  }
  if (estimateTokens(messages, offered.tools) * factorOf(run.run_id) > window.tokens - window.reserved)
    return failed(windowTooSmall(run.model))

  const counts = { message_count: messages.length, tool_count: offered.tools.length }
  const here = { ...counts, ...(skills.given ? { skills: skills.given } : {}) }
  store.relaxed(() => thread.append({ kind: 'model.called', model: run.model, turn }, here))
  ports.passBy('model_called')
  for (let attempt = 1; ; attempt += 1) {
    const began = clock.elapsed()
    keepCutText(run, ports)
    const keeper = textKeeper(run, ports)
    let first: number | null = null
    const asked = model.turn({
      model: run.model,
      messages,
      tools: offered.tools,
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
      const usage = outcome.turn.usage ?? estimated(messages, offered, outcome.turn)
      if (outcome.turn.usage) factors.set(run.run_id, correction(estimateTokens(messages, offered.tools), usage.input_tokens))
      record(outcome.turn, usage, { first_token_ms: first, duration_ms, ...refusal(outcome.turn) }, keeper)
      ports.passBy('turn_recorded')
      return { end: 'taken' }
    }
    const { failure } = outcome
    const overflow = failure.code === 'context_overflow' && roomMade < mostRoomMaking
    // Some models refuse any request that holds a picture: they are told in words that there was one.
    const unseen = failure.code === 'rejected' && messages.some(holdsPicture) && sightOf(run.model) === 'seeing'
    if (unseen) blind.add(run.model)
    const again = overflow || unseen || (modelFailures[failure.code].retryable && attempt < tries)
    const contract = modelFailed(run.model, failure)
    events.emit('model_call_failed', { run }, { model: run.model, turn, attempt, will_retry: again, duration_ms }, contract)
    if (!again) return modelFailures[failure.code].retryable ? { end: 'unanswered', failure: contract } : failed(contract)
    if (unseen) messages = request()
    else if (overflow) {
      const smaller = shrunk(window, messages)
      const hasRoom = await atStage('compaction', () => makeRoom(ports, thread, model, smaller, roomMade, stops.model))
      if (!hasRoom) return failed(windowTooSmall(run.model))
      roomMade += 1
      messages = request()
    } else await sleep(clock, pauseBefore(attempt, failure, ports.random()), stops.model)
  }

  /** The answer, its message and the calls it asks for: all of it or none. */
  function record(said: Turn, usage: Usage, times: Here, keeper: ReturnType<typeof textKeeper>) {
    // A turn that only asks to look may be taken again; anything else waits for the disk.
    const write = said.calls.length > 0 && said.calls.every(looks) ? store.relaxed : store.transaction
    write(() => {
      if (said.thinking !== '') {
        thread.append({ kind: 'thinking', thinking_id: keeper.thinking_id, text: said.thinking.slice(0, 65_536), complete: true })
      }
      thread.append({ kind: 'model.completed', turn, usage, finish_reason: said.finish_reason.slice(0, 500) }, times)
      const text = said.text || said.refusal
      if (text !== '') {
        const { message_id } = keeper
        journal.messages.write({ message_id, conversation: run.conversation, run: run.no, role: 'assistant', text })
        thread.append({ kind: 'message.completed', message_id })
      }
      for (const call of said.calls) recordCall(call)
      journal.dropStream(run.no)
    })
  }

  function looks({ name, arguments: args }: Turn['calls'][number]): boolean {
    const tool = ports.registry.get(offered.named(name) ?? '')
    try {
      return (
        tool !== undefined && tool.name !== 'ask_user' && onlyLooks(tool.effects(JSON.parse(args || '{}'), { workspace: run.workspace }))
      )
    } catch {
      // Arguments that do not fit: it will be told so.
      return false
    }
  }

  function recordCall({ wire_id, name, arguments: args }: Turn['calls'][number]) {
    const meant = offered.named(name)
    const kept = journal.wholes.keep(args)
    const file = kept.file_id ? { arguments_file_id: kept.file_id } : {}
    const call_id = store.newId()
    thread.append(
      { kind: 'tool.call', call_id, tool: meant ?? unknownTool, arguments: kept.text, ...file },
      {
        wire_id: thread.transcript.names(wire_id) ? call_id : wire_id,
        ...(isJson(args) ? {} : { malformed: true }),
        ...(meant ? {} : { tool: name.slice(0, 200) }),
      },
    )
  }

  /** Part of the record: a run that is struck down now must come back refused. */
  function refusal(said: Turn): Here {
    const refused = said.refusal !== '' || said.finish_reason === 'content_filter' || said.finish_reason === 'refusal'
    return refused && said.calls.length === 0 ? { refused: (said.refusal || said.text).slice(0, 2_000) } : {}
  }
}

/** What a call of a tool that does not exist is recorded as; the name the model made up stays on this device. */
const unknownTool = 'unknown.tool'

/** How far estimates were off, by run: a hint for the next turn, of no use after it. */
const factors = new Map<string, number>()
const factorOf = (run_id: string) => factors.get(run_id) ?? 1

export function forgetEstimates(run_id: string): void {
  factors.delete(run_id)
}

/** The same tools make the same offer: it is long, and told in every turn. */
const lastOffers = new WeakMap<
  ToolRegistry,
  { readonly tools: readonly Tool[]; readonly known: readonly Tool[]; readonly offer: OfferedTools }
>()

export function offeredTools(ports: LoopPorts, agent_id: string, sandbox_mode: Parameters<LoopPorts['toolsFor']>[1]): OfferedTools {
  const tools = ports.toolsFor(agent_id, sandbox_mode)
  const known = ports.registry.list()
  const last = lastOffers.get(ports.registry)
  if (last && isSame(last.tools, tools) && isSame(last.known, known)) return last.offer
  const made = offer(tools, known)
  lastOffers.set(ports.registry, { tools, known, offer: made })
  return made
}

function isSame(left: readonly Tool[], right: readonly Tool[]): boolean {
  return left.length === right.length && left.every((tool, index) => tool === right[index])
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

/** The provider says it does not fit: its window is smaller than we were told. */
function shrunk(window: Window, messages: readonly ModelMessage[]): Window {
  return { ...window, tokens: Math.min(window.tokens, Math.ceil(estimateTokens(messages) * 0.7) + window.reserved) }
}

function pauseBefore(attempt: number, { retry_after_ms }: ModelFailure, random: number): number {
  const backoff = firstWait_ms * 2 ** (attempt - 1) * (0.5 + random)
  return Math.min(longestWait_ms, Math.max(backoff, retry_after_ms ?? 0))
}

function estimated(messages: readonly ModelMessage[], offered: OfferedTools, said: Turn): Usage {
  const answer: ModelMessage = { role: 'assistant', content: said.text + said.calls.map((call) => call.arguments).join('') }
  return {
    input_tokens: estimateTokens(messages, offered.tools),
    output_tokens: estimateTokens([answer]),
    cached_tokens: 0,
    estimated: true,
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.trim() === '' ? '{}' : text)
    return true
  } catch {
    return false
  }
}

/** Models that refused a picture since the runtime started. */
const blind = new Set<string>()

function sightOf(model: string): Sight {
  return blind.has(model) ? 'blind' : 'seeing'
}

function holdsPicture({ role, content }: ModelMessage): boolean {
  return role === 'user' && typeof content !== 'string'
}
