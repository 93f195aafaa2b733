// `tandem kb list` and `files`.
import { type DocumentRow, documentFormatNames, type KnowledgeSource } from '@tandem/contract/knowledge'
import { type AgentNames, agentNames } from '../command/agents.ts'
import { listed } from '../command/listing.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { flag, json, limitOf, limitProblem } from '../terminal/options.ts'
import { counted, sizeText } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { utcMinute } from '../terminal/time.ts'
import { ownerText } from './owner.ts'
import { findSource, oneSource } from './source.ts'
import { documentProblemText, nameText, originText, problemText, sizesText, stateText } from './text.ts'

export const listUsage = explainedUsage(
  'tandem kb [list] [--limit N] [--json]',
  'Lists the sources, oldest first, with their state and size.',
)
export const filesUsage = explainedUsage(
  'tandem kb files SOURCE [--problems] [--limit N] [--json]',
  'Lists the files of a source, with the reason for each one that cannot be searched. --problems: only these.',
)

export const nothingAdded = 'The knowledge base is empty. Add a file, a folder or a web page with tandem kb add PATH|URL.'

export async function list(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { limit: { type: 'string', default: '200' }, json }, listUsage)
  if (!given.ok) return given.code
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, listUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, listUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const problems: string[] = []
    const code = await listed<KnowledgeSource>({
      ...{ limit, json: given.values.json, none: nothingAdded },
      page: (paging) => client.call('kb_list', paging),
      async rows(items) {
        const names = await agentNames(client)
        problems.push(...items.flatMap((source) => (source.problem ? [`${nameText(source)}: ${problemText(source.problem)}`] : [])))
        return items.map((source) => sourceRow(source, names))
      },
    })
    if (problems.length > 0) console.log(['', ...problems].join('\n'))
    return code
  })
}

export async function files(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { problems: flag, limit: { type: 'string', default: '1000' }, json }, filesUsage)
  if (!given.ok) return given.code
  const [wanted, ...more] = given.words
  if (wanted === undefined || wanted === '' || more.length > 0) return printUsage(oneSource, filesUsage)
  const limit = limitOf(given.values.limit)
  if (limit === null) return printUsage(limitProblem, filesUsage)
  const { problems: only_problems } = given.values
  return await withRuntimeClient(process.cwd(), async (client) => {
    const source = await findSource(client, wanted)
    if (!source.ok) return refused(source.error)
    const { source_id } = source.value
    return await listed<DocumentRow>({
      ...{ limit, json: given.values.json },
      none: only_problems ? `All files of ${nameText(source.value)} can be searched.` : `${nameText(source.value)} has no files.`,
      page: (paging) => client.call('kb_list_files', { source_id, ...(only_problems ? { only_problems } : {}), ...paging }),
      rows: async (items) => items.map(fileRow),
    })
  })
}

function sourceRow(source: KnowledgeSource, names: AgentNames): string[] {
  const { source_id, origin, owner, left_out, checked_at } = source
  return [
    source_id,
    nameText(source),
    stateText(source),
    `${sizesText(source)}${left_out > 0 ? `, ${left_out.toLocaleString('en-US')} left out` : ''}`,
    ownerText(owner, names),
    originText(origin),
    checked_at === null ? 'never checked' : `checked ${utcMinute(checked_at)}`,
  ]
}

function fileRow(file: DocumentRow): string[] {
  const { name, format, bytes, passages, problem } = file
  return [
    singleLine(name, 200),
    format === null ? '' : documentFormatNames[format],
    sizeText(bytes),
    problem !== null && passages === 0 ? 'left out' : counted(passages, 'passage'),
    documentProblemText(file),
  ]
}
