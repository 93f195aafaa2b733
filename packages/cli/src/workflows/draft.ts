import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { flag, isId } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls } from '../terminal/terminal-text.ts'

export const draftUsage = explainedUsage(
  'tandem workflows draft AGENT_RUN [--as-json]',
  'Prints the calls of a finished run of an agent as the text of a new workflow. Edit it, then use tandem workflows save FILE.',
)

export async function draft(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { 'as-json': flag }, draftUsage)
  if (!given.ok) return given.code
  const [run_id, ...more] = given.words
  if (!isId(run_id) || more.length > 0) return printUsage('name one run of an agent by its id: tandem runs lists them', draftUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const drafted = await client.call('workflow_draft', { run_id, format: given.values['as-json'] ? 'json' : 'yaml' })
    if (!drafted.ok) return refused(drafted.error)
    // A file gets the text as it is.
    process.stdout.write(process.stdout.isTTY ? escapeControls(drafted.value.text) : drafted.value.text)
    // Not part of the text, which may be written to a file.
    for (const note of drafted.value.notes) console.error(note)
    return 0
  })
}
