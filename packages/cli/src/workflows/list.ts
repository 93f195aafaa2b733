// `tandem workflows list` and `runs`.
import type { ListedWorkflow, ListedWorkflowRun } from '@tandem/contract/command'
import { workflowRunStates } from '@tandem/contract/workflow-run'
import { listed } from '../command/listing.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { json, limitOf, limitProblem, text } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { utcMinute } from '../terminal/time.ts'
import { approvalText, durationText, nameText, runStateText } from './text.ts'
import { findWorkflow } from './workflow.ts'

export const listUsage = explainedUsage(
  'tandem workflows [list] [--limit N] [--json]',
  'Lists the workflows by name, with their last run and whether they are approved on this device.',
)
export const runsUsage = explainedUsage(
  `tandem workflows runs [WORKFLOW] [--state ${workflowRunStates.join('|')}] [--limit N] [--json]`,
  'Lists the runs of a workflow, or of all workflows, newest first.',
)

const none = 'There are no workflows yet. Write one as described in docs/workflows.md, and save it with tandem workflows save FILE.'

export async function list(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { limit: { type: 'string', default: '200' }, json }, listUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, listUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, listUsage)
  return await withRuntimeClient(process.cwd(), (client) =>
    listed<ListedWorkflow>({
      ...{ limit, json: given.values.json, none },
      page: (paging) => client.call('workflow_list', paging),
      rows: async (items) => items.map(workflowRow),
    }),
  )
}

export async function runs(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { state: text, limit: { type: 'string', default: '20' }, json }, runsUsage)
  if (!given.ok) return given.code
  const [wanted, ...more] = given.words
  if (wanted === '' || more.length > 0) return printUsage('specify at most one workflow, by its name or id', runsUsage)
  const state = workflowRunStates.find((name) => name === given.values.state)
  if (given.values.state !== undefined && !state) return printUsage(`--state must be one of ${workflowRunStates.join(', ')}`, runsUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, runsUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const workflow = wanted === undefined ? null : await findWorkflow(client, wanted)
    if (workflow && !workflow.ok) return refused(workflow.error)
    const filter = { ...(workflow ? { workflow_id: workflow.value.workflow_id } : {}), ...(state ? { state } : {}) }
    return await listed<ListedWorkflowRun>({
      ...{ limit, json: given.values.json },
      none: state ? `No workflow run is ${state}.` : 'There are no workflow runs yet. Start one with tandem workflows start WORKFLOW.',
      page: (paging) => client.call('workflow_run_list', { ...filter, ...paging }),
      rows: async (items) => items.map(runRow),
    })
  })
}

function workflowRow(workflow: ListedWorkflow): string[] {
  const { workflow_id, node_count, last_run } = workflow
  const last = last_run === null ? 'never run' : `${last_run.state}, started ${utcMinute(last_run.started_at)}`
  return [workflow_id, nameText(workflow), counted(node_count, 'node'), approvalText(workflow), last]
}

function runRow(run: ListedWorkflowRun): string[] {
  return [run.workflow_run_id, nameText(run), utcMinute(run.started_at), durationText(run), runStateText(run)]
}
