// Follows a run until it ends or waits for a user who is not here.
import type { LocalRun } from '@tandem/contract/command'
import { isTerminalRunState, type PauseReason, type RunStep } from '@tandem/contract/run'
import type { RuntimeClient, RunUpdate, SubscriptionPosition } from '../runtime-client/runtime-client.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { exitCodeOf, exitCodes } from './exit-code.ts'
import type { Printer } from './printer.ts'
import type { Responder, ResumeAnswer } from './responder.ts'

export interface FollowOptions {
  readonly client: RuntimeClient
  readonly run: LocalRun
  readonly printer: Printer
  readonly person: Responder
  /** Earlier steps are not shown again. */
  readonly from: SubscriptionPosition
  /** Aborted when the run is being canceled: its end is awaited. */
  readonly canceled: AbortSignal
  /** Aborted when this program exits: the run stays paused until it is resumed later. */
  readonly left: AbortSignal
  /** If the run waits for the user, how to resume it later is printed. */
  onPaused(run: LocalRun): void
}

/** The last relevant step of the run. */
type Turn = { readonly kind: 'paused'; readonly reason: PauseReason } | { readonly kind: 'ended' } | { readonly kind: 'lost' }

export async function followRun({ client, run, printer, person, from, canceled, left, onPaused }: FollowOptions): Promise<number> {
  const turns = openQueue<Turn>()
  const over = AbortSignal.any([canceled, left])
  await client.follow(run.run_id, from, (news: RunUpdate) => {
    printer.news(news)
    if (news.kind === 'lost') turns.add({ kind: 'lost' })
    if (news.kind === 'step') turnOf(news.step, turns.add)
  })
  for (;;) {
    const turn = await turns.next()
    printer.settle()
    if (turn.kind === 'lost') return exitCodes.failed
    if (turn.kind === 'paused' && (await goesOn(client, run.run_id, turn.reason, person, over))) continue
    await client.settled(run.run_id)
    const now = await client.call('agent_run_get', { run_id: run.run_id })
    if (!now.ok) {
      printRefusal(now.error)
      return exitCodes.failed
    }
    const { state } = now.value.run
    // It was paused, and answered elsewhere in the meantime; or it is being canceled.
    if (state === 'running' || (canceled.aborted && !isTerminalRunState(state))) continue
    if (state === 'paused') onPaused(now.value.run)
    return exitCodeOf(now.value.run.state, now.value.run.pause_reason)
  }
}

function turnOf(step: RunStep, add: (turn: Turn) => void): void {
  if (step.kind === 'run.paused') add({ kind: 'paused', reason: step.reason })
  if (step.kind === 'run.completed' || step.kind === 'run.failed' || step.kind === 'run.canceled') add({ kind: 'ended' })
}

/** Asks the user what the run waits for. False if it stays paused. Once it is canceled or left, nothing is approved. */
async function goesOn(client: RuntimeClient, run_id: string, reason: PauseReason, person: Responder, over: AbortSignal): Promise<boolean> {
  if (over.aborted) return false
  if (reason !== 'approval' && reason !== 'question') return false
  const answer = await requestAnswer(client, run_id, person)
  if (answer === null || over.aborted) return false
  const resumed = await client.call('agent_run_resume', { run_id, answer })
  if (resumed.ok) return true
  // Answered elsewhere in the meantime: the following steps show how it continues.
  if (resumed.error.code === 'nothing_pending' || resumed.error.code === 'transition_refused' || resumed.error.code === 'run_busy')
    return true
  printRefusal(resumed.error)
  return false
}

export async function requestAnswer(client: RuntimeClient, run_id: string, person: Responder): Promise<ResumeAnswer | null> {
  const approvals = await client.call('approval_list', { run_id })
  const [approval] = approvals.ok ? approvals.value.items : []
  if (approval) return await person.approve(approval.approval)
  const questions = await client.call('question_list', { run_id })
  const [question] = questions.ok ? questions.value.items : []
  return question ? await person.answer(question.question) : null
}

interface Queue<Item> {
  add(item: Item): void
  next(): Promise<Item>
}

function openQueue<Item>(): Queue<Item> {
  const items: Item[] = []
  const waiting: ((item: Item) => void)[] = []
  return {
    add(item) {
      const waits = waiting.shift()
      if (waits) waits(item)
      else items.push(item)
    },
    next() {
      const item = items.shift()
      return item === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(item)
    },
  }
}
