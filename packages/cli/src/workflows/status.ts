// `tandem workflows status` and `output`.
import type { WorkflowRunNode, WorkflowSnapshot } from '@tandem/contract/command'
import type { WorkflowWait } from '@tandem/contract/workflow-run'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { isId, json, text } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { utcSecond } from '../terminal/time.ts'
import { durationText, jsonText, nameText, nodeText, runStateText } from './text.ts'
import { iterationOf, oneRun, roundProblem, runAndNode, runNodeOf } from './workflow-run.ts'

export const statusUsage = explainedUsage(
  'tandem workflows status RUN [--json]',
  'Shows the state of a workflow run and of its nodes, when they started, how long they took, and what they wait for.',
)
export const outputUsage = explainedUsage(
  'tandem workflows output RUN NODE [--round N] [--json]',
  'Prints the output of a node as JSON. --round: for a node in a loop, the round as the status shows it, such as 1 or 1.2.',
)

export async function status(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, statusUsage)
  if (!given.ok) return given.code
  const [workflow_run_id, ...more] = given.words
  if (!isId(workflow_run_id) || more.length > 0) return printUsage(oneRun, statusUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await client.call('workflow_snapshot', { workflow_run_id })
    if (!answer.ok) return refused(answer.error)
    console.log(given.values.json ? JSON.stringify(answer.value) : snapshotText(answer.value.run))
    return 0
  })
}

export async function output(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { round: text, json }, outputUsage)
  if (!given.ok) return given.code
  const place = runNodeOf(given.words)
  if (!place) return printUsage(runAndNode, outputUsage)
  const iteration = iterationOf(given.values.round)
  if (iteration === null) return printUsage(roundProblem, outputUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await client.call('workflow_query', { ...place, iteration })
    if (!answer.ok) return refused(answer.error)
    const { node, output: found } = answer.value
    if (given.values.json) {
      console.log(JSON.stringify(answer.value))
      return 0
    }
    if (found === null) {
      console.error(`tandem: ${nodeText(node)} has no output: it is ${node.state}`)
      return exitCodes.failed
    }
    console.log(jsonText(JSON.parse(found)))
    return 0
  })
}

function snapshotText(run: WorkflowSnapshot): string {
  const { workflow_run_id, started_at, nodes_left_out } = run
  return [
    table([
      ['workflow', nameText(run)],
      ['run', workflow_run_id],
      ['state', runStateText(run)],
      ['started', utcSecond(started_at)],
      ...(run.ended_at === null ? [] : [['took', durationText(run)]]),
    ]),
    '',
    table(nodeRows(run)),
    ...(nodes_left_out > 0 ? [`${counted(nodes_left_out, 'other node')} of earlier rounds ended.`] : []),
  ].join('\n')
}

/** In the order of the definition, with the nodes that nothing has happened at yet. */
function nodeRows({ nodes, definition }: WorkflowSnapshot): string[][] {
  const order = definition?.nodes.map(({ id }) => id) ?? [...new Set(nodes.map(({ node_id }) => node_id))]
  return order.flatMap((node_id) => {
    const own = nodes.filter((node) => node.node_id === node_id).toSorted(byRound)
    return own.length === 0 ? [[node_id, 'pending', '', '', '']] : own.map(nodeRow)
  })
}

function byRound(one: WorkflowRunNode, other: WorkflowRunNode): number {
  const at = one.iteration.findIndex((round, index) => round !== other.iteration[index])
  return at < 0 ? 0 : (one.iteration[at] ?? 0) - (other.iteration[at] ?? 0)
}

function nodeRow(node: WorkflowRunNode): string[] {
  const { state, outcome, started_at } = node
  const ended = outcome === null || outcome === 'succeeded' || outcome === state ? '' : ` (${outcome})`
  return [nodeText(node), `${state}${ended}`, started_at === null ? '' : utcSecond(started_at), durationText(node), reasonText(node)]
}

const waitTexts: Readonly<Record<WorkflowWait, string>> = {
  ...{ approval: 'an approval', question: 'an answer', person: 'a decision', time: 'a time', child: 'another run' },
}

function reasonText({ state, waits_for, until, reason, failure_contract, child_run_id }: WorkflowRunNode): string {
  if (state === 'failed') return singleLine(failure_contract?.details.message ?? '', 300)
  if (state === 'skipped') return singleLine(reason ?? '', 300)
  if (state !== 'waiting' || waits_for === null) return ''
  if (until !== null) return `waits until ${utcSecond(until)}`
  const other = child_run_id === null ? '' : ` ${child_run_id}`
  return `waits for ${waitTexts[waits_for]}${other}: ${singleLine(reason ?? '', 300)}`
}
