// One turn of the model: the request, attempts until it responds, and the response, recorded in one transaction.
import type { Agent } from '@tandem/contract/agent'
import type { FailureContract } from '@tandem/contract/failure'
import type { Usage } from '@tandem/contract/run'
import { sleep, timestamp } from '../../clock/clock.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import type { InjectedSkills, LayerNames } from '../../journal/step.ts'
import type { ContextWindow } from '../../model/context-window.ts'
import type { ModelFailure } from '../../model/failure.ts'
import type { ModelMessage } from '../../model/message.ts'
import type { Model, TurnOutcome } from '../../model/model.ts'
import type { Turn } from '../../model/turn.ts'
import type { OfferedTools } from '../../pipeline/registry.ts'
import type { ActiveRun } from '../active-run.ts'
import { agentGone, emptyResponses, modelFailed, noModel, responseTruncated, tooManyTurns } from '../failures.ts'
import type { LoopPorts, RunTools } from '../ports.ts'
import type { RunProgress } from '../run-progress.ts'
import { skillsOverBudget, writeStatus } from '../status-messages.ts'
import type { StopSignals } from '../stops.ts'
import { atStage } from '../stops.ts'
import { callModel, type ModelCallResult } from './ask-model.ts'
import { compactConversation } from './compact-conversation.ts'
import { offerOf } from './offered-tools.ts'
import { recordTurn } from './record-turn.ts'
import { openReservedTokens, type ReservedTokens } from './reserved-tokens.ts'
import { imageUrl } from './result-images.ts'
import { renderSections } from './sections.ts'
import { keepInterruptedText } from './streamed-text.ts'
import { correction, estimateTokens } from './tokens.ts'
import type { Sight } from './transcript.ts'
import { type PlannedRequest, planRequest, type TurnRequestFacts } from './turn-request.ts'
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
  type ModelUnavailable,
  type Narrowing,
  notCompacted,
  type Planning,
  planned,
  type ReadyToSend,
  retryIn,
  type TurnEnd,
  type TurnFailed,
  type TurnInProgress,
  type TurnOverBudget,
  type TurnSpace,
  type TurnState,
  type TurnTaken,
  type WaitingToRetry,
} from './turn-state.ts'

const mostEmpty = 3
const mostCut = 3

export async function takeTurn(ports: LoopPorts, activeRun: ActiveRun, stops: StopSignals, tools: RunTools): Promise<TurnEnd> {
  // What was shown of an interrupted response is part of what the model gets next.
  keepInterruptedText(activeRun.run(), ports, activeRun.append)
  const setting = settingOf(ports, activeRun, stops, tools)
  if ('at' in setting) return setting
  try {
    let state: TurnState = await begin(setting)
    while (!isEnd(state)) state = await next(setting, state)
    return state
  } finally {
    setting.reserved.release()
  }
}

/** What stays the same during a turn. */
interface TurnSetting {
  readonly ports: LoopPorts
  readonly activeRun: ActiveRun
  readonly stops: StopSignals
  readonly offered: OfferedTools
  readonly layers: LayerNames
  readonly canaries: readonly string[]
  readonly run: RunRecord
  readonly agent: Agent
  readonly model: Model
  readonly servedWindow: () => Promise<ContextWindow>
  /** Its number in the run. */
  readonly turn: number
  readonly today: string
  /** What the calls of the model in this turn may cost. */
  readonly reserved: ReservedTokens
}

/** Or why no turn can be taken. */
function settingOf(
  ports: LoopPorts,
  activeRun: ActiveRun,
  stops: StopSignals,
  tools: RunTools,
): TurnSetting | TurnFailed | ModelUnavailable {
  const run = activeRun.run()
  const progress = activeRun.progress()
  const agent = ports.agent(run.agent_id)
  const serving = ports.modelFor(run.model)
  if (!agent) return { at: 'unanswered', failure: agentGone(run.agent_id, 'model_call') }
  if (!serving) return { at: 'unanswered', failure: noModel(run.model) }
  const failure = lastTurnTaken(run, progress, agent)
  if (failure) return { at: 'failed', failure }
  const turn = progress.modelOpen ? progress.turn : progress.turn + 1
  const today = timestamp(ports.store.clock.now()).slice(0, 10)
  const [offered, { layers, canaries }] = [offerOf(ports, tools), tools]
  const reserved = openReservedTokens(ports, run)
  const serves = { model: serving.model, servedWindow: () => serving.window() }
  return { ports, activeRun, stops, offered, layers, canaries, run, agent, ...serves, turn, today, reserved }
}

/** Why the run cannot take another turn, whatever its model would respond; null if it can. */
function lastTurnTaken({ model }: RunRecord, { empty, cut, modelOpen, turn }: RunProgress, { max_turns }: Agent): FailureContract | null {
  if (empty >= mostEmpty) return emptyResponses(model, empty)
  if (cut >= mostCut) return responseTruncated(model)
  return !modelOpen && turn >= max_turns ? tooManyTurns(max_turns) : null
}

export function canTakeTurn(ports: Pick<LoopPorts, 'agent'>, activeRun: Pick<ActiveRun, 'run' | 'progress'>): boolean {
  const agent = ports.agent(activeRun.run().agent_id)
  return !agent || lastTurnTaken(activeRun.run(), activeRun.progress(), agent) === null
}

async function begin({ ports, run, model, servedWindow }: TurnSetting): Promise<Planning> {
  const window = atMost(await servedWindow(), ports.memory.contextTokensOf(model, run.model))
  const sections = await renderSections(ports.promptSections(), run, window, ports.log)
  return { at: 'planning', space: { model: run.model, window, sections, roomMade: 0 } }
}

async function next(setting: TurnSetting, state: TurnInProgress): Promise<TurnState> {
  switch (state.at) {
    case 'planning':
      return planned(state, plan(setting, state.space))
    case 'making_room':
      return await compactFirst(setting, state)
    case 'ready':
      return recordCall(setting, state)
    case 'asking':
      return await ask(setting, state)
    case 'waiting':
      return await wait(setting, state)
    case 'leaving_out_pictures':
      return askedAgain(state, plan(setting, state.space))
    case 'narrowing':
      return await narrow(setting, state)
  }
}

function plan(setting: TurnSetting, { sections, window }: TurnSpace): PlannedRequest {
  const { ports, activeRun, offered, run, agent, today } = setting
  const { workspace, sandbox_mode, model } = run
  const prompt: TurnRequestFacts['prompt'] = { agent, workspace, sandbox_mode, platform: process.platform, today, sections }
  const { memory } = ports
  const learnt = { sight: sightOf(setting, window), factor: memory.factorOf(run.run_id) }
  const imageOf = (file_id: string) => imageUrl(ports.attachment?.(file_id))
  return planRequest({
    prompt,
    entries: activeRun.transcript.entries(),
    model,
    ...learnt,
    imageOf,
    nudge: nudge(activeRun),
    offered,
    window,
  })
}

/** The user's setting, then what the server of the model reports, then whether the model has refused an image. */
function sightOf({ ports, run }: Pick<TurnSetting, 'ports' | 'run'>, { images }: Pick<ContextWindow, 'images'>): Sight {
  const setting = ports.imagesToModels?.() ?? 'auto'
  if (setting !== 'auto') return setting === 'always' ? 'seeing' : 'blind'
  return images === false ? 'blind' : ports.memory.sightOf(run.model)
}

async function compactFirst(setting: TurnSetting, state: Compacting): Promise<TurnState> {
  const over = overBudget(setting, summaryTokens(state.space, state.request))
  if (over) return over
  return (await hasRoom(setting, state.space, state.request)) ? compacted(state) : notCompacted(state)
}

/** What a summary of the conversation can cost at most. */
function summaryTokens({ window }: TurnSpace, { taken }: PlannedRequest): number {
  return Math.min(taken, window.tokens - window.reserved) + window.reserved
}

/** Sets aside what the next call of the model may cost, in place of what was set aside for the last one. Null if there is enough. */
function overBudget({ reserved }: Pick<TurnSetting, 'reserved'>, tokens: number): TurnOverBudget | null {
  const failure = reserved.take(tokens)
  return failure && { at: 'over_budget', failure }
}

function hasRoom(
  { ports, activeRun, model, stops }: TurnSetting,
  { window, roomMade }: TurnSpace,
  { room }: PlannedRequest,
): Promise<boolean> {
  return atStage('compaction', () => compactConversation(ports, activeRun, model, { window, room }, roomMade, stops.model))
}

function recordCall(setting: TurnSetting, state: ReadyToSend): CallingModel | TurnOverBudget {
  const { ports, activeRun, run, layers, canaries, turn, reserved } = setting
  const { request, space } = state
  const over = overBudget({ reserved }, request.tokens + space.window.reserved)
  if (over) return over
  const counts = { message_count: request.messages.length, tool_count: request.tools.length }
  const applied = canaries.length > 0 ? { canaries } : {}
  const here = { ...counts, policy_layers: layers, ...applied, ...space.sections.here }
  ports.beforeModelCall?.(run)
  ports.store.relaxed(() => {
    tellSkillsLeftOut(ports, run, here.skills)
    activeRun.append({ kind: 'model.called', model: run.model, turn }, here)
  })
  ports.crashPoint('model_called')
  return called(state)
}

async function ask(setting: TurnSetting, state: CallingModel): Promise<TurnState> {
  const { ports, activeRun, run, agent, model, stops } = setting
  const { messages, tools } = state.request
  const { temperature } = agent
  const asked = await callModel(ports, activeRun, model, { model: run.model, messages, tools, temperature, signal: stops.model })
  const { outcome } = asked
  return outcome.ok ? await record(setting, state, asked, outcome) : failing(setting, state, asked, outcome.failure)
}

type Answered = Extract<TurnOutcome, { ok: true }>

async function record(
  setting: TurnSetting,
  { request }: CallingModel,
  asked: ModelCallResult,
  { turn: said, left_out }: Answered,
): Promise<TurnTaken> {
  const { ports, activeRun, offered, run, turn } = setting
  const { keeper, times } = asked
  const usage = said.usage ?? estimated(request, said)
  if (said.usage) ports.memory.learnFactor(run.run_id, correction(request.tokens, usage.input_tokens))
  if (left_out.includes('tools') && request.tools.length > 0) tellWithoutTools(ports, run)
  await recordTurn(ports, activeRun, offered, { turn, said, usage, times, keeper })
  ports.crashPoint('turn_recorded')
  return { at: 'taken' }
}

function failing(
  { ports, run, model, turn }: TurnSetting,
  state: CallingModel,
  { times }: ModelCallResult,
  failure: ModelFailure,
): TurnState {
  const { memory, events } = ports
  const after = afterFailure(state, failure, { sight: memory.sightOf(run.model), random: ports.random() })
  if (after.at === 'leaving_out_pictures') memory.learnBlind(run.model)
  if (after.at === 'narrowing' && failure.context_tokens !== null) memory.learnContextTokens(model, run.model, failure.context_tokens)
  const { attempt } = state
  const { duration_ms } = times
  const retry_in_ms = retryIn(after)
  const data = { model: run.model, turn, attempt, will_retry: retry_in_ms !== null, retry_in_ms, duration_ms }
  events.emit('model_call_failed', { run }, data, modelFailed(run.model, failure))
  return after
}

async function wait({ ports, stops }: TurnSetting, state: WaitingToRetry): Promise<CallingModel> {
  await sleep(ports.store.clock, state.pause_ms, stops.model)
  return askedAgain(state, state.request)
}

async function narrow(setting: TurnSetting, state: Narrowing): Promise<CallingModel | TurnFailed | TurnOverBudget> {
  const { ports, run } = setting
  const sections = await renderSections(ports.promptSections(), run, state.window, ports.log)
  const space = { ...state.space, window: state.window, sections }
  const refused = plan(setting, space)
  const over = overBudget(setting, summaryTokens(space, refused))
  if (over) return over
  const compaction = (await hasRoom(setting, space, refused)) ? 'made' : 'in_vain'
  const after = afterNarrowing(state, { sections, request: plan(setting, space), compaction })
  if (after.at === 'failed') return after
  return overBudget(setting, after.request.tokens + after.space.window.reserved) ?? after
}

function tellWithoutTools({ journal, memory }: LoopPorts, run: RunRecord): void {
  if (memory.knowsWithoutTools(run.run_id)) return
  memory.learnWithoutTools(run.run_id)
  writeStatus(journal, run, { kind: 'no_tools', model: run.model })
}

/** Once, until something else is left out. */
function tellSkillsLeftOut({ journal }: LoopPorts, run: RunRecord, given: InjectedSkills | undefined): void {
  const skills = skillsOverBudget(given)
  if (skills.length === 0) return
  const before = skillsOverBudget(journal.steps(run.run_id).findLast(({ here }) => here.skills)?.here.skills)
  if (JSON.stringify(before) !== JSON.stringify(skills)) writeStatus(journal, run, { kind: 'skills_left_out', skills })
}

/** Sent only to the model, if its last response was not usable. */
function nudge(activeRun: ActiveRun): ModelMessage[] {
  const { empty, cut } = activeRun.progress()
  if (cut > 0)
    return [{ role: 'user', content: 'Your response was truncated at its limit. Continue from where it stopped, in smaller parts.' }]
  if (empty > 0) return [{ role: 'user', content: 'Your last response was empty. Continue with the work, or say that it is done.' }]
  return []
}

function estimated({ tokens }: PlannedRequest, said: Turn): Usage {
  const answer: ModelMessage = { role: 'assistant', content: said.text + said.calls.map((call) => call.arguments).join('') }
  return { input_tokens: tokens, output_tokens: estimateTokens([answer]), cached_tokens: 0, estimated: true }
}
