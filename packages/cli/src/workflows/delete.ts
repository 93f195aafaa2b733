import { exitCodes } from '../run/exit-code.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { confirm } from '../terminal/confirm.ts'
import { flag, json } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { nameText } from './text.ts'
import { oneWorkflow, withWorkflow } from './workflow.ts'

export const deleteUsage = explainedUsage(
  'tandem workflows delete WORKFLOW [--yes] [--json]',
  'Deletes a workflow. Its runs are kept, and those that have started continue. It asks first; without a terminal it needs --yes.',
)

export async function deleteWorkflow(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { yes: flag, json }, deleteUsage)
  if (!given.ok) return given.code
  const [wanted, ...more] = given.words
  if (wanted === undefined || wanted === '' || more.length > 0) return printUsage(oneWorkflow, deleteUsage)
  return await withWorkflow(wanted, async (client, workflow) => {
    const sure = given.values.yes ? 'yes' : await confirm(`Delete the workflow ${nameText(workflow)}?`)
    if (sure !== 'yes') {
      console.error(`tandem: ${sure === null ? 'without a terminal, delete needs --yes. Nothing was deleted.' : 'nothing was deleted'}`)
      return sure === null ? exitCodes.usage : exitCodes.failed
    }
    const answer = await client.call('workflow_delete', { workflow_id: workflow.workflow_id })
    if (!answer.ok) return refused(answer.error)
    console.log(given.values.json ? JSON.stringify(answer.value) : `Deleted ${nameText(workflow)}.`)
    return 0
  })
}
