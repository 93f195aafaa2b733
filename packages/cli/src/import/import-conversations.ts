import type { CommandError, ImportOutcome } from '@tandem/contract/command'
import { type ImportedConversation, importSourceNames, parseExport } from '@tandem/contract/import'
import { findAgent } from '../command/agents.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls } from '../terminal/terminal-text.ts'
import { readExport } from './export-file.ts'

const usage = explainedUsage(
  'tandem import-conversations FILE [--agent NAME] [--for-memory]',
  'Adds conversations that you exported from ChatGPT or Claude. FILE: the zip file of the export, or its conversations.json. Importing a file again adds only what is new.',
  '--agent: the agent that continues them; the default agent otherwise. --for-memory: memories may be made from what you wrote in them.',
)

const shownProblems = 20
/** `tandem import-conversations`. */
export async function importConversations(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: { type: 'string' }, 'for-memory': { type: 'boolean', default: false } }, usage)
  if (!given.ok) return given.code
  const [file, ...more] = given.words
  if (file === undefined) return printUsage('specify the file', usage)
  if (more.length > 0) return printUsage(`unexpected argument "${more[0]}"`, usage)
  const read = await readExport(file)
  const parsed = read.ok ? parseExport(read.value) : read
  if (!parsed.ok) {
    console.error(`tandem: ${escapeControls(parsed.message)}. ${parsed.remedy}`)
    return 1
  }
  const { agent, 'for-memory': for_memory } = given.values
  return await withRuntimeClient(process.cwd(), async (client) => {
    const found = agent === undefined ? null : await findAgent(client, agent)
    if (found && !found.ok) return refused(found.error)
    const of = { for_memory, ...(found ? { agent_id: found.value.agent_id } : {}) }
    const counts = { added: 0, known: 0, grown: 0, copied: 0 }
    const problems: string[] = []
    for (const one of parsed.conversations) {
      const answer = await client.call('conversation_import', { ...paramsOf(one), ...of })
      if (!answer.ok && !isOfOne(answer.error)) {
        console.error(`tandem: the import stopped at "${escapeControls(one.title)}". Import the file again: nothing is added twice.`)
        return refused(answer.error)
      }
      if (!answer.ok) problems.push(`${one.title}: ${answer.error.message}`)
      else counts[answer.value.outcome] += 1
    }
    console.log(summary(counts, importSourceNames[parsed.source]))
    problems.push(...parsed.problems)
    for (const problem of problems.slice(0, shownProblems)) console.error(`tandem: ${escapeControls(problem)}`)
    if (problems.length > shownProblems) console.error(`tandem: and ${counted(problems.length - shownProblems, 'more problem')}`)
    return 0
  })
}

function summary({ added, known, grown, copied }: Readonly<Record<ImportOutcome, number>>, from: string): string {
  const parts = [
    `Imported ${counted(added + copied, 'conversation')} from ${from}`,
    ...(known === 0 ? [] : [`${known.toLocaleString('en-US')} ${known === 1 ? 'was' : 'were'} imported before`]),
    ...(grown === 0 ? [] : [`newer messages were added to ${counted(grown, 'conversation')}`]),
  ]
  if (copied === 0) return `${parts.join(', ')}.`
  const separate = `${counted(copied, 'newer export')} became a separate conversation, because you continued the imported one.`
  return `${parts.join(', ')}.\n${separate}`
}

/** Whether only this conversation is refused. */
function isOfOne({ code }: CommandError): boolean {
  return code === 'invalid_params'
}

function paramsOf({ created_at, updated_at, messages, ...rest }: ImportedConversation) {
  const time = (at: number) => new Date(at).toISOString()
  return {
    ...rest,
    created_at: time(created_at),
    updated_at: time(updated_at),
    messages: messages.map((message) => ({ ...message, created_at: time(message.created_at) })),
  }
}
