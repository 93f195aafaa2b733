// Follows a workflow run until it ends or waits for a user who is not here.
import type { CommandError, LocalRun } from '@tandem/contract/command'
import { isTerminalRunState } from '@tandem/contract/run'
import { isTerminalWorkflowState, type WorkflowRunEvent } from '@tandem/contract/workflow-run'
import type { Responder } from '../run/responder.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { openEventReader } from './event-reader.ts'
import { answerPrompt, type Prompt, promptsOf } from './prompts.ts'
import { type OpenRun, openRuns } from './run-tree.ts'

export interface WorkflowFollowing {
  readonly client: RuntimeClient
  readonly workflow_run_id: string
  /** The run that makes its calls. */
  readonly run_id: string
  /** Earlier events are not shown again. */
  readonly after_seq?: number
  readonly person: Responder
  /** Aborted when the run is being canceled: its end is awaited. */
  readonly canceled: AbortSignal
  /** Aborted when this program exits: the run stays paused. */
  readonly left: AbortSignal
  onEvent(event: WorkflowRunEvent): void
}

export type FollowedEnd =
  | { readonly is: 'ended'; readonly run: LocalRun }
  /** `prompts` need an answer; `stuck` are paused for another reason. */
  | { readonly is: 'paused'; readonly run: LocalRun; readonly prompts: readonly Prompt[]; readonly stuck: readonly OpenRun[] }
  | { readonly is: 'lost'; readonly error: CommandError | null }

/** Not every event is a step of the run. */
const look_ms = 1_000

export async function followWorkflowRun(following: WorkflowFollowing): Promise<FollowedEnd> {
  const { client, workflow_run_id, run_id, person, canceled, left, onEvent } = following
  const over = AbortSignal.any([canceled, left])
  const news = openNews()
  const events = openEventReader(client, workflow_run_id, { after_seq: following.after_seq })
  const heard = new Set<string>()
  const unanswered = new Set<string>()
  const continued = new Set<string>()
  let isLost = false
  /** It has ended, but its effects may still have to be undone. */
  let isEnding = false

  async function hear(one: string): Promise<void> {
    if (heard.has(one)) return
    heard.add(one)
    await client.follow(one, { after_seq: -1 }, ({ kind }) => {
      if (kind === 'lost') isLost = true
      if (kind === 'lost' || kind === 'step') news.tell()
    })
  }

  await hear(run_id)
  for (;;) {
    if (isLost) return { is: 'lost', error: null }
    const found = await look(client, workflow_run_id, run_id, news.isQuiet())
    const written = await events()
    if (!written.ok) return { is: 'lost', error: written.error }
    for (const event of written.value) {
      if (event.kind === 'state') isEnding = isTerminalWorkflowState(event.state)
      onEvent(event)
    }
    if (!found.ok) return { is: 'lost', error: found.error }
    const runs = found.value
    const [own] = runs
    if (!own) return { is: 'lost', error: null }
    if (isTerminalRunState(own.run.state)) {
      await client.settled(run_id)
      return { is: 'ended', run: own.run }
    }
    for (const { run } of runs) await hear(run.run_id)
    const prompts = await promptsOf(client, runs)
    const prompt = over.aborted ? undefined : prompts.find(({ id }) => !unanswered.has(id))
    if (prompt) {
      const answer = await prompt.ask(person)
      const isAnswered = answer !== null && !over.aborted && (await answerPrompt(client, prompt, answer))
      if (!isAnswered) unanswered.add(prompt.id)
      continue
    }
    if (client.kind === 'own' && !over.aborted && (await continueDue(client, runs, continued))) continue
    const isCanceling = canceled.aborted && !isEnding
    if (left.aborted ? own.run.state === 'paused' : !isCanceling && !goesOn(runs, client.kind)) {
      await client.settled(run_id)
      const stuck = runs.filter(({ run }) => isStuck(run, client.kind))
      return { is: 'paused', run: stuck.find(({ run }) => run.pause_reason === 'model')?.run ?? own.run, prompts, stuck }
    }
    await news.next(look_ms)
  }
}

/** While its own run makes calls, the others are looked at only now and then: for a long workflow that takes time. */
async function look(client: RuntimeClient, workflow_run_id: string, run_id: string, isQuiet: boolean): Promise<CommandAnswer<OpenRun[]>> {
  if (isQuiet) return await openRuns(client, workflow_run_id)
  const own = await client.call('agent_run_get', { run_id })
  if (!own.ok) return own
  if (own.value.run.state === 'paused') return await openRuns(client, workflow_run_id)
  return { ok: true, value: [{ run: own.value.run, workflow_run_id, parent_run_id: null }] }
}

/** A runtime that ends with this command does not continue paused runs by itself. */
async function continueDue(client: RuntimeClient, runs: readonly OpenRun[], continued: Set<string>): Promise<boolean> {
  for (const { run, workflow_run_id } of runs) {
    const { run_id, state, retry_at } = run
    if (workflow_run_id === null || state !== 'paused' || retry_at === null || Date.parse(retry_at) > Date.now()) continue
    if (continued.has(`${run_id} ${retry_at}`)) continue
    continued.add(`${run_id} ${retry_at}`)
    await client.settled(run_id)
    const resumed = await client.call('resume_agent_run', { run_id })
    if (resumed.ok) return true
  }
  return false
}

function goesOn(runs: readonly OpenRun[], kind: RuntimeClient['kind']): boolean {
  const [own] = runs
  if (own && isStuck(own.run, kind)) return false
  return runs.some(({ run }) => run.state === 'running' || (run.state === 'paused' && (continuesByItself(run, kind) || isWoken(run, runs))))
}

/** What it waited for has ended, so it continues in a moment. */
function isWoken({ run_id, pause_reason }: LocalRun, runs: readonly OpenRun[]): boolean {
  return pause_reason === 'child' && !runs.some(({ run, parent_run_id }) => parent_run_id === run_id && !isTerminalRunState(run.state))
}

function continuesByItself({ pause_reason, retry_at }: LocalRun, kind: RuntimeClient['kind']): boolean {
  if (pause_reason === 'time') return true
  return retry_at !== null && kind === 'attached'
}

/** Paused, and neither by a prompt nor by something that ends by itself. */
function isStuck(run: LocalRun, kind: RuntimeClient['kind']): boolean {
  if (run.state !== 'paused' || continuesByItself(run, kind)) return false
  const { pause_reason } = run
  return pause_reason !== 'approval' && pause_reason !== 'question' && pause_reason !== 'child' && pause_reason !== 'workflow'
}

interface News {
  tell(): void
  /** Whether nothing was told since the last `next`, or nothing for a while. */
  isQuiet(): boolean
  next(most_ms: number): Promise<void>
}

function openNews(): News {
  let pending = false
  let quiet = true
  let last = performance.now()
  let wake: (() => void) | null = null
  return {
    tell() {
      pending = true
      wake?.()
    },
    isQuiet() {
      const isDue = quiet || performance.now() - last > look_ms
      if (isDue) last = performance.now()
      return isDue
    },
    async next(most_ms) {
      quiet = false
      if (!pending) {
        quiet = await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(true), most_ms)
          wake = () => {
            clearTimeout(timer)
            resolve(false)
          }
        })
        wake = null
      }
      pending = false
    },
  }
}
