import type { CommandResult, LocalRun } from '@tandem/contract/command'
import { runStates } from '@tandem/contract/run'
import { type WorkflowRunEvent, workflowEventLine } from '@tandem/contract/workflow-run'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { printRefusal } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { singleLine, stripControls } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'

const usage = joinUsages(
  explainedUsage(
    `tandem runs [--state ${runStates.join('|')}] [--limit N] [--json]`,
    'Lists the newest runs of this device with their ids.',
  ),
  explainedUsage('tandem runs --workflow WORKFLOW_RUN_ID [--json]', 'Lists the events of a workflow run.'),
)

/** `tandem runs`: the newest runs of this device, or the events of a workflow run. */
export async function runs(args: readonly string[]): Promise<number> {
  const given = parseArguments(
    args,
    {
      state: { type: 'string' },
      limit: { type: 'string', default: '20' },
      workflow: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
    usage,
  )
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, usage)
  const state = runStates.find((name) => name === given.values.state)
  if (given.values.state !== undefined && !state) return printUsage(`--state must be one of ${runStates.join(', ')}`, usage)
  const limit = Number(given.values.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) return printUsage('--limit must be a number from 1 to 200', usage)

  const { workflow, json } = given.values
  if (workflow !== undefined) return await withRuntimeClient(process.cwd(), (client) => workflowEvents(client, workflow, json))
  return await withRuntimeClient(process.cwd(), async (client) => {
    const listed = await client.call('agent_run_list', { limit, ...(state ? { state } : {}) })
    if (!listed.ok) {
      printRefusal(listed.error)
      return 1
    }
    const { items } = listed.value
    if (json) for (const run of items) console.log(JSON.stringify(run))
    else if (items.length === 0) console.log('There are no runs yet. Start one with tandem run "…".')
    else console.log(table(items.map(rowOf)))
    return 0
  })
}

async function workflowEvents(client: RuntimeClient, workflow_run_id: string, json: boolean): Promise<number> {
  let cursor: string | null = null
  let shown = 0
  do {
    const page: CommandAnswer<CommandResult<'workflow_run_list_events'>> = await client.call('workflow_run_list_events', {
      workflow_run_id,
      limit: 200,
      ...(cursor ? { cursor } : {}),
    })
    if (!page.ok) {
      printRefusal(page.error)
      return 1
    }
    for (const event of page.value.items) console.log(json ? JSON.stringify(event) : `${utcMinute(event.ts)}  ${eventText(event)}`)
    shown += page.value.items.length
    cursor = page.value.next_cursor
  } while (cursor)
  if (shown === 0 && !json) console.log(`Nothing is recorded for the workflow run ${stripControls(workflow_run_id)}.`)
  return 0
}

/** One line for the terminal: its names and reasons are untrusted. */
export function eventText(event: WorkflowRunEvent): string {
  return singleLine(workflowEventLine(event), 500)
}

function rowOf({ run_id, state, pause_reason, retry_at, updated_at, model, title, workspace }: LocalRun): string[] {
  const again = retry_at === null ? '' : `, next attempt at ${utcMinute(retry_at)}`
  // A run from another device has no folder here.
  const elsewhere = workspace === '' ? ' on another device' : ''
  return [run_id, `${state}${elsewhere}${pause_reason ? ` (${pause_reason}${again})` : ''}`, utcMinute(updated_at), model, title]
}
