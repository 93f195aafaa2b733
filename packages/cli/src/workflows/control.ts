// `tandem workflows pause`, `cancel` and `skip`.
import type { CommandParams } from '@tandem/contract/command'
import { type WorkflowOutcome, workflowOutcomes } from '@tandem/contract/workflow'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { isId, json, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { nameText, runStateText } from './text.ts'
import { iterationOf, oneRun, roundProblem, runAndNode, runNodeOf } from './workflow-run.ts'

export const pauseUsage = explainedUsage('tandem workflows pause RUN [--json]', 'Pauses a workflow run.')
export const cancelUsage = explainedUsage(
  'tandem workflows cancel RUN [--reason TEXT] [--json]',
  'Cancels a workflow run. Nodes that define how their effect is undone are undone, the last one first.',
)
export const skipUsage = explainedUsage(
  `tandem workflows skip RUN NODE --reason TEXT [--round N] [--outcome ${workflowOutcomes.join('|')}] [--json]`,
  'Skips a node that has not started, waits or failed. The workflow continues as if it had ended with the outcome; the default is succeeded.',
  '--round: for a node in a loop, the round as the status shows it, such as 1 or 1.2.',
)

export async function pause(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, pauseUsage)
  if (!given.ok) return given.code
  const [workflow_run_id, ...more] = given.words
  if (!isId(workflow_run_id) || more.length > 0) return printUsage(oneRun, pauseUsage)
  return await control({ workflow_run_id, action: 'pause' }, given.values.json)
}

export async function cancel(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { reason: text, json }, cancelUsage)
  if (!given.ok) return given.code
  const [workflow_run_id, ...more] = given.words
  if (!isId(workflow_run_id) || more.length > 0) return printUsage(oneRun, cancelUsage)
  const { reason } = given.values
  if (reason?.trim() === '') return printUsage('--reason must not be empty', cancelUsage)
  return await control({ workflow_run_id, action: 'cancel', ...(reason === undefined ? {} : { reason }) }, given.values.json)
}

export async function skip(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { reason: text, round: text, outcome: text, json }, skipUsage)
  if (!given.ok) return given.code
  const { reason, round, outcome: wanted } = given.values
  const place = runNodeOf(given.words)
  if (!place) return printUsage(runAndNode, skipUsage)
  if (reason === undefined || reason.trim() === '') return printUsage('say why with --reason', skipUsage)
  const iteration = iterationOf(round)
  if (iteration === null) return printUsage(roundProblem, skipUsage)
  const outcome = workflowOutcomes.find((one): one is WorkflowOutcome => one === wanted)
  if (wanted !== undefined && !outcome) return printUsage(`--outcome must be one of ${workflowOutcomes.join(', ')}`, skipUsage)
  return await control({ ...place, action: 'skip', iteration, reason, ...(outcome ? { outcome } : {}) }, given.values.json)
}

async function control(params: CommandParams<'workflow_control'>, asJson: boolean): Promise<number> {
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await client.call('workflow_control', params)
    if (!answer.ok) return refused(answer.error)
    const { run } = answer.value
    console.log(asJson ? JSON.stringify(answer.value) : `${nameText(run)}: ${runStateText(run)}`)
    // A runtime that ends with this command does not continue it.
    if (!asJson && params.action === 'skip' && client.kind === 'own' && run.ended_at === null)
      console.error(`To continue it: tandem workflows resume ${run.workflow_run_id}`)
    return 0
  })
}
