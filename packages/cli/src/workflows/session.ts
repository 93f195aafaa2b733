// What `tandem workflows start`, `resume` and `retry` share once there is a workflow run.
import type { WorkflowRunEvent } from '@tandem/contract/workflow-run'
import { eventText } from '../command/runs.ts'
import { exitCodeOf, exitCodes } from '../run/exit-code.ts'
import { cancelOnInterrupt } from '../run/interrupt.ts'
import { autoApproveOnce } from '../run/responder.ts'
import { chooseResponder } from '../run/run-session.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { flag, json } from '../terminal/options.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { styled } from '../terminal/style.ts'
import { type FollowedEnd, followWorkflowRun } from './follow.ts'
import { jsonText } from './text.ts'

export const sessionOptions = { yes: flag, detach: flag, json } as const

export interface SessionOptions {
  readonly json: boolean
  readonly yes: boolean
  /** Inputs were read from standard input, so no one can answer there. */
  readonly inputTaken: boolean
}

/** `after_seq`: events up to this one were shown earlier. */
export interface FollowedRun {
  readonly workflow_run_id: string
  readonly run_id: string
  readonly after_seq?: number
}

export async function followInTerminal(client: RuntimeClient, run: FollowedRun, manner: SessionOptions): Promise<number> {
  const { canceled, left, release } = cancelOnInterrupt(client, run.run_id)
  try {
    const person = manner.yes ? autoApproveOnce : chooseResponder(manner, AbortSignal.any([canceled, left]))
    const onEvent = manner.json ? printJson : printLine
    const end = await followWorkflowRun({ client, ...run, person, canceled, left, onEvent })
    return await reportEnd(client, run, end, manner)
  } finally {
    release()
  }
}

/** Null if it may go on without this command; otherwise the exit code. */
export function unlessResident({ kind }: RuntimeClient): number | null {
  if (kind === 'attached') return null
  console.error('tandem: --detach needs a running Tandem: without one, the workflow would stop when this command ends')
  console.error('        Run tandem start first.')
  return exitCodes.failed
}

function printJson(event: WorkflowRunEvent): void {
  console.log(JSON.stringify({ type: 'event', event }))
}

/** Pauses for an agent or a time are only in the history. */
function printLine(event: WorkflowRunEvent): void {
  if (event.kind === 'state' && (event.state === 'running' || event.state === 'paused' || event.state === 'completed')) return
  const isFailure = event.kind === 'node.failed' || (event.kind === 'state' && event.state === 'failed')
  console.error(styled(isFailure ? 'red' : event.kind === 'node.waiting' ? 'yellow' : 'dim', eventText(event)))
}

async function reportEnd(
  client: RuntimeClient,
  { workflow_run_id }: FollowedRun,
  end: FollowedEnd,
  manner: SessionOptions,
): Promise<number> {
  if (end.is === 'lost') {
    if (end.error) printRefusal(end.error)
    else console.error(`tandem: the connection was closed. To continue: tandem workflows resume ${workflow_run_id}`)
    return exitCodes.failed
  }
  const snapshot = await client.call('workflow_snapshot', { workflow_run_id })
  if (!snapshot.ok) {
    printRefusal(snapshot.error)
    return exitCodes.failed
  }
  const { run } = snapshot.value
  if (manner.json) console.log(JSON.stringify({ type: 'end', run }))
  else if (run.result !== null) console.log(jsonText(JSON.parse(run.result)))
  else if (end.is === 'paused') explainPause(workflow_run_id, end, manner)
  else if (run.state === 'failed') console.error(`To run what failed again: tandem workflows retry ${workflow_run_id}`)
  return exitCodeOf(end.run.state, end.run.pause_reason)
}

function explainPause(workflow_run_id: string, { prompts, stuck }: Extract<FollowedEnd, { is: 'paused' }>, { yes }: SessionOptions): void {
  if (yes && prompts.some(({ kind }) => kind === 'approval'))
    console.error('--yes did not approve a call, because it has a warning. Read the warning and answer yourself.')
  const isAsking = prompts.length > 0
  console.error(
    `The workflow is paused${isAsking ? ': it needs your answer' : ''}. To continue it${isAsking ? ' and answer in a terminal' : ''}:`,
  )
  console.error(`  tandem workflows resume ${workflow_run_id}`)
  if (isAsking) console.error('To answer without a terminal:')
  const answers = prompts.map(({ run_id, kind }) => `  tandem resume ${run_id} --answer ${kind === 'approval' ? 'once' : '"…"'}`)
  for (const line of new Set(answers)) console.error(line)
  const others = stuck.filter((one) => one.workflow_run_id !== workflow_run_id)
  if (others.length > 0) console.error('These runs that it waits for are paused:')
  for (const other of others)
    console.error(`  tandem ${other.workflow_run_id === null ? `resume ${other.run.run_id}` : `workflows resume ${other.workflow_run_id}`}`)
}
