import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { exitCodes } from '../run/exit-code.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { confirm } from '../terminal/confirm.ts'
import { flag, json } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { withSource } from './change.ts'
import { oneSource } from './source.ts'
import { nameText, originText, sizesText } from './text.ts'

export const removeUsage = explainedUsage(
  'tandem kb remove SOURCE [--yes] [--json]',
  'Removes a source and everything that was read from it. Its files are not touched. It asks first; without a terminal it needs --yes.',
)

export async function remove(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { yes: flag, json }, removeUsage)
  if (!given.ok) return given.code
  const [wanted, ...more] = given.words
  if (wanted === undefined || wanted === '' || more.length > 0) return printUsage(oneSource, removeUsage)
  return await withSource(wanted, async (client, source) => {
    if (!given.values.yes) {
      const code = await unlessSure(source)
      if (code !== null) return code
    }
    const answer = await client.call('kb_remove', { source_id: source.source_id })
    if (!answer.ok) return refused(answer.error)
    console.log(given.values.json ? JSON.stringify(answer.value) : `Removed ${nameText(source)}.`)
    return 0
  })
}

/** Null if the user is sure; otherwise the exit code. */
async function unlessSure(source: KnowledgeSource): Promise<number | null> {
  console.error(`${nameText(source)}: ${sizesText(source)}, from ${originText(source.origin)}`)
  console.error(kept[source.origin.kind])
  const answer = await confirm(`Remove ${nameText(source)} from the knowledge base?`)
  if (answer === 'yes') return null
  console.error(`tandem: ${answer === null ? 'without a terminal, remove needs --yes. Nothing was removed.' : 'nothing was removed'}`)
  return answer === null ? exitCodes.usage : exitCodes.failed
}

const kept: Record<KnowledgeSource['origin']['kind'], string> = {
  file: 'The file itself is not touched.',
  folder: 'The files themselves are not touched.',
  url: 'The copy of the page is deleted.',
  text: 'The text is stored only in the knowledge base. This cannot be undone.',
}
