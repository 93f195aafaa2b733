// Follows a run until it ends or waits for a user who is not here.
import type { LocalRun } from '@tandem/contract/command'
import { isTerminalRunState, type PauseReason, type RunStep } from '@tandem/contract/run'
import type { TeamMember } from '@tandem/contract/team'
import type { RuntimeClient, RunUpdate, SubscriptionPosition } from '../runtime-client/runtime-client.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { isAskingReason } from './asking.ts'
import { exitCodeOf, exitCodes } from './exit-code.ts'
import type { FollowedMember } from './member-printer.ts'
import type { Printer } from './printer.ts'
import { requestAnswer } from './request-answer.ts'
import type { AskingMember, Responder } from './responder.ts'

export interface FollowOptions {
  readonly client: RuntimeClient
  readonly run: LocalRun
  readonly printer: Printer
  readonly person: Responder
  /** Earlier steps are not shown again. */
  readonly from: SubscriptionPosition
  /** The earlier steps: they name the members that it has started. */
  readonly before: readonly RunStep[]
  /** Aborted when the run is being canceled: its end is awaited. */
  readonly canceled: AbortSignal
  /** Aborted when this program exits: the run stays paused until it is resumed later. */
  readonly left: AbortSignal
  /** If the run waits for the user, how to resume it later is printed. */
  onPaused(run: LocalRun, team: readonly TeamMember[]): void
}

/** What needs attention: of the run itself, or of one of its members. */
type Turn =
  | { readonly kind: 'paused'; readonly reason: PauseReason }
  | { readonly kind: 'member'; readonly run_id: string; readonly asks: boolean }
  | { readonly kind: 'ended' }
  | { readonly kind: 'lost' }

export async function followRun(following: FollowOptions): Promise<number> {
  const { client, run, printer, person, from, before, canceled, left, onPaused } = following
  const turns = openQueue<Turn>()
  const over = AbortSignal.any([canceled, left])
  const output = openOutput()
  const hearMember = memberListener(client, {
    onStep: (member, step) => output.write(() => printer.member(member, step)),
    onTurn: turns.add,
  })
  for (const step of before) hearMember(step, 1)
  let isFollowed = true
  await client.follow(run.run_id, from, (news: RunUpdate) => {
    // What is learned from the run is reported after its end.
    if (!isFollowed) return
    output.write(() => printer.news(news))
    if (news.kind === 'lost') turns.add({ kind: 'lost' })
    if (news.kind !== 'step') return
    turnOf(news.step, turns.add)
    hearMember(news.step, 1)
  })
  /** Nothing else is printed between a question and its answer. */
  const asking = async (asked: Asked): Promise<boolean> => {
    if (over.aborted) return false
    return await output.held(() => goesOn(client, asked, person, over))
  }
  const end = (code: number): number => {
    isFollowed = false
    return code
  }
  for (;;) {
    const turn = await turns.next()
    printer.settle()
    if (turn.kind === 'lost') return end(exitCodes.failed)
    if (turn.kind === 'paused' && isAskingReason(turn.reason) && (await asking({ run_id: run.run_id }))) continue
    if (turn.kind === 'member' && turn.asks && (await asking(await asMember(client, turn.run_id)))) continue
    if (turn.kind === 'member' && (await isRunning(client, run.run_id))) continue
    await client.settled(run.run_id)
    const now = await client.call('agent_run_get', { run_id: run.run_id })
    if (!now.ok) {
      printRefusal(now.error)
      return end(exitCodes.failed)
    }
    const { state, pause_reason } = now.value.run
    // It was paused, and answered elsewhere in the meantime; or it is being canceled.
    if (state === 'running' || (canceled.aborted && !isTerminalRunState(state))) continue
    const team = state === 'paused' && pause_reason === 'child' ? await membersOf(client, run.run_id) : []
    if (!left.aborted && teamGoesOn(team, client.kind)) continue
    if (state === 'paused') onPaused(now.value.run, team)
    return end(exitCodeOf(state, pause_reason))
  }
}

async function isRunning(client: RuntimeClient, run_id: string): Promise<boolean> {
  const answer = await client.call('agent_run_get', { run_id })
  return answer.ok && answer.value.run.state === 'running'
}

function turnOf(step: RunStep, add: (turn: Turn) => void): void {
  if (step.kind === 'run.paused') add({ kind: 'paused', reason: step.reason })
  if (step.kind === 'run.completed' || step.kind === 'run.failed' || step.kind === 'run.canceled') add({ kind: 'ended' })
}

const stops: ReadonlySet<RunStep['kind']> = new Set(['run.paused', 'run.completed', 'run.failed', 'run.canceled'])

interface MemberEvents {
  onStep(member: FollowedMember, step: RunStep): void
  onTurn(turn: Turn): void
}

/** Returns a function that follows the runs that a step has started, and in turn those that they start. */
function memberListener(client: RuntimeClient, { onStep, onTurn }: MemberEvents): (step: RunStep, depth: number) => void {
  const heard = new Set<string>()
  const begun = new Date().toISOString()
  const hear = (step: RunStep, depth: number): void => {
    if (step.kind !== 'child.started' || heard.has(step.child_run_id)) return
    const member = { run_id: step.child_run_id, title: step.title, depth }
    heard.add(member.run_id)
    const listen = (news: RunUpdate): void => {
      if (news.kind === 'lost') onTurn({ kind: 'lost' })
      if (news.kind !== 'step') return
      const { step: next } = news
      // What happened before this command is not shown again.
      if (next.ts >= begun) onStep(member, next)
      hear(next, depth + 1)
      const asks = next.kind === 'run.paused' && isAskingReason(next.reason)
      if (stops.has(next.kind)) onTurn({ kind: 'member', run_id: member.run_id, asks })
    }
    client.follow(member.run_id, { after_seq: -1 }, listen).catch((error: unknown) => {
      console.error(`tandem: ${String(error)}`)
    })
  }
  return hear
}

async function membersOf(client: RuntimeClient, run_id: string): Promise<readonly TeamMember[]> {
  const answer = await client.call('team_get', { run_id })
  return answer.ok ? answer.value.team.members.filter((member) => member.run_id !== run_id) : []
}

/** Whether a member still works, or all have ended, so that the run continues in a moment. */
function teamGoesOn(members: readonly TeamMember[], kind: RuntimeClient['kind']): boolean {
  if (members.length === 0) return false
  if (members.every(({ state }) => isTerminalRunState(state))) return true
  return members.some(
    ({ state, pause_reason }) => state === 'running' || pause_reason === 'time' || (pause_reason === 'model' && kind === 'attached'),
  )
}

interface Asked {
  readonly run_id: string
  /** Absent if the followed run itself asks. */
  readonly by?: AskingMember
}

async function asMember(client: RuntimeClient, run_id: string): Promise<Asked> {
  const answer = await client.call('team_get', { run_id })
  const by = answer.ok ? answer.value.team.members.find((member) => member.run_id === run_id) : undefined
  return { run_id, ...(by ? { by } : {}) }
}

/** Asks the user what the run waits for. False if it stays paused. Once it is canceled or left, nothing is approved. */
async function goesOn(client: RuntimeClient, { run_id, by }: Asked, person: Responder, over: AbortSignal): Promise<boolean> {
  const answer = await requestAnswer(client, run_id, person, by)
  if (answer === 'elsewhere') return true
  if (answer === null || over.aborted) return false
  const resumed = await client.call('agent_run_resume', { run_id, answer })
  if (resumed.ok) return true
  // Answered elsewhere in the meantime: the following steps show how it continues.
  if (resumed.error.code === 'nothing_pending' || resumed.error.code === 'transition_refused' || resumed.error.code === 'run_busy')
    return true
  printRefusal(resumed.error)
  return false
}

/** Output that can be held back for a while. */
function openOutput(): { write(print: () => void): void; held<Value>(work: () => Promise<Value>): Promise<Value> } {
  const waiting: (() => void)[] = []
  let isHeld = false
  return {
    write(print) {
      if (isHeld) waiting.push(print)
      else print()
    },
    async held(work) {
      isHeld = true
      try {
        return await work()
      } finally {
        isHeld = false
        for (const print of waiting.splice(0)) print()
      }
    },
  }
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
