import { eventText } from '../command/runs.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { isId, json, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { utcSecond } from '../terminal/time.ts'
import { openEventReader } from './event-reader.ts'
import { isNode, oneRun } from './workflow-run.ts'

export const historyUsage = explainedUsage(
  'tandem workflows history RUN [--node NODE] [--json]',
  'Lists everything that happened in a workflow run, or at one of its nodes, oldest first.',
)

export async function history(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { node: text, json }, historyUsage)
  if (!given.ok) return given.code
  const [workflow_run_id, ...more] = given.words
  if (!isId(workflow_run_id) || more.length > 0) return printUsage(oneRun, historyUsage)
  const { node } = given.values
  if (node !== undefined && !isNode(node)) return printUsage('--node must be the name of a node', historyUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const known = await client.call('workflow_snapshot', { workflow_run_id })
    if (!known.ok) return refused(known.error)
    const events = await openEventReader(client, workflow_run_id, { node_id: node })()
    if (!events.ok) return refused(events.error)
    for (const event of events.value) console.log(given.values.json ? JSON.stringify(event) : `${utcSecond(event.ts)}  ${eventText(event)}`)
    if (events.value.length === 0 && !given.values.json) console.log(`Nothing has happened at node ${node}.`)
    return 0
  })
}
