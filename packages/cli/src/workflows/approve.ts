// `tandem workflows approve` and `disapprove`.
import type { CommandResult } from '@tandem/contract/command'
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { exitCodes } from '../run/exit-code.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { confirm } from '../terminal/confirm.ts'
import { flag, json } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { nameText } from './text.ts'
import { oneWorkflow, withWorkflow } from './workflow.ts'

export const approveUsage = explainedUsage(
  'tandem workflows approve WORKFLOW [--calls] [--yes] [--json]',
  'Shows a workflow and the calls of its tools, and approves this version for this device. It asks first; without a terminal it needs --yes.',
  '--calls: these calls need no further approval if their arguments are constant or inputs of yours.',
)
export const disapproveUsage = explainedUsage(
  'tandem workflows disapprove WORKFLOW [--yes] [--json]',
  'Withdraws the approval of a workflow: it cannot be started until you approve it again.',
)

type StoredWorkflow = CommandResult<'workflow_get'>['workflow']

export async function approve(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { calls: flag, yes: flag, json }, approveUsage)
  if (!given.ok) return given.code
  const [wanted, ...more] = given.words
  if (wanted === undefined || wanted === '' || more.length > 0) return printUsage(oneWorkflow, approveUsage)
  const { calls, yes } = given.values
  return await withWorkflow(wanted, async (client, { workflow_id }) => {
    const stored = await client.call('workflow_get', { workflow_id })
    if (!stored.ok) return refused(stored.error)
    const { workflow } = stored.value
    if (!yes) {
      const written = await client.call('workflow_write_text', { workflow_id, format: 'yaml' })
      if (!written.ok) return refused(written.error)
      console.error(shownText(written.value.text, workflow.definition))
      const code = await unlessSure(question(workflow, calls), 'approve', 'approved')
      if (code !== null) return code
    }
    // By its hash: a version that was saved in the meantime is refused.
    const { sha256 } = workflow
    const answer = await client.call('workflow_approve', { workflow_id, sha256, is_approved: true, covers_calls: calls })
    if (!answer.ok) return refused(answer.error)
    const done = `Approved ${nameText(workflow)}${calls ? ' with the calls of its tools' : ''}.`
    console.log(given.values.json ? JSON.stringify(answer.value) : done)
    return 0
  })
}

export async function disapprove(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { yes: flag, json }, disapproveUsage)
  if (!given.ok) return given.code
  const [wanted, ...more] = given.words
  if (wanted === undefined || wanted === '' || more.length > 0) return printUsage(oneWorkflow, disapproveUsage)
  return await withWorkflow(wanted, async (client, workflow) => {
    const { workflow_id, sha256 } = workflow
    if (!given.values.yes) {
      const code = await unlessSure(`Withdraw the approval of ${nameText(workflow)}?`, 'disapprove', 'changed')
      if (code !== null) return code
    }
    const answer = await client.call('workflow_approve', { workflow_id, sha256, is_approved: false })
    if (!answer.ok) return refused(answer.error)
    console.log(given.values.json ? JSON.stringify(answer.value) : `${nameText(workflow)} is no longer approved.`)
    return 0
  })
}

function question(workflow: StoredWorkflow, calls: boolean): string {
  return `Approve ${nameText(workflow)} for this device${calls ? ', with the calls of its tools' : ''}?`
}

/** The whole text, because the approval is for all of it, and then the calls. */
function shownText(text: string, definition: WorkflowDefinition): string {
  const calls = toolCalls(definition)
  const title = calls.length === 0 ? 'It calls no tools itself.' : 'The calls of its tools:'
  return [escapeControls(text.trimEnd()), '', title, ...calls.map((call) => `  ${escapeControls(call)}`)].join('\n')
}

function toolCalls({ nodes }: Pick<WorkflowDefinition, 'nodes'>): string[] {
  return nodes.flatMap((node) => {
    const own = node.kind === 'tool' ? [`${node.id}: ${node.tool} ${node.arguments}`] : []
    const undo = 'compensation' in node ? node.compensation : undefined
    return undo ? [...own, `${node.id}, to undo it: ${undo.tool} ${undo.arguments}`] : own
  })
}

/** Null if the user is sure; otherwise the exit code. */
async function unlessSure(text: string, command: string, done: string): Promise<number | null> {
  const answer = await confirm(text)
  if (answer === 'yes') return null
  console.error(`tandem: ${answer === null ? `without a terminal, ${command} needs --yes. Nothing was ${done}.` : `nothing was ${done}`}`)
  return answer === null ? exitCodes.usage : exitCodes.failed
}
