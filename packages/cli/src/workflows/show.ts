import type { CommandResult } from '@tandem/contract/command'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { json } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { approvalText } from './text.ts'
import { oneWorkflow, withWorkflow } from './workflow.ts'

export const showUsage = explainedUsage(
  'tandem workflows show WORKFLOW [--json]',
  'Shows a workflow as YAML that can be edited and saved, with its hash and whether it is approved on this device.',
)

export async function show(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, showUsage)
  if (!given.ok) return given.code
  const [wanted, ...more] = given.words
  if (wanted === undefined || wanted === '' || more.length > 0) return printUsage(oneWorkflow, showUsage)
  return await withWorkflow(wanted, async (client, { workflow_id }) => {
    const stored = await client.call('workflow_get', { workflow_id })
    if (!stored.ok) return refused(stored.error)
    if (given.values.json) {
      console.log(JSON.stringify(stored.value))
      return 0
    }
    const written = await client.call('workflow_write_text', { workflow_id, format: 'yaml' })
    if (!written.ok) return refused(written.error)
    console.log(head(stored.value.workflow))
    // A file gets the text as it is.
    process.stdout.write(process.stdout.isTTY ? escapeControls(written.value.text) : written.value.text)
    return 0
  })
}

/** As comments, so that the output is a workflow. */
function head(workflow: CommandResult<'workflow_get'>['workflow']): string {
  const { workflow_id, version, sha256 } = workflow
  return [`# id: ${workflow_id}`, `# version: ${version}, ${approvalText(workflow)}`, `# sha256: ${sha256}`].join('\n')
}
