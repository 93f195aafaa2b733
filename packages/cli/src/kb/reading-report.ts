// What a user sees after sources were read.
import type { CommandError } from '@tandem/contract/command'
import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { exitCodes } from '../run/exit-code.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { refused } from '../terminal/refusal.ts'
import { leftOutLines, problemFiles } from './left-out.ts'
import type { ReadingEnd } from './reading.ts'
import { sourceWord } from './source.ts'
import { nameText, problemText, sizesText } from './text.ts'

interface ReportOptions {
  /** Prints the sources in the shape of the command. */
  readonly json: ((sources: readonly KnowledgeSource[]) => unknown) | null
}

/** Exit code 1 if a source could not be read, 130 if the user stopped it. */
export async function reportReading(
  client: Pick<RuntimeClient, 'kind' | 'call'>,
  asked: readonly KnowledgeSource[],
  end: ReadingEnd,
  { json }: ReportOptions,
): Promise<number> {
  if (end.is === 'refused') return refused(end.error)
  if (end.is === 'left') {
    console.error(leftText(client.kind, asked))
    return exitCodes.canceled
  }
  if (json) console.log(JSON.stringify(json(end.sources)))
  for (const source of end.sources) {
    if (source.state === 'failed' && source.problem) refused(failureOf(source, source.problem))
    else if (!json) console.log((await endLines(client, source)).join('\n'))
  }
  if (end.isInterrupted) return exitCodes.canceled
  return end.sources.every(({ state }) => state === 'ready') ? 0 : exitCodes.failed
}

/** What happens to sources whose end is not awaited. */
export function leftText(kind: RuntimeClient['kind'], sources: readonly KnowledgeSource[]): string {
  const [only, ...others] = sources
  const name = only && others.length === 0 ? nameText(only) : `${sources.length} sources`
  if (kind === 'own') return `Tandem is not running: it reads ${name} when you run tandem start.`
  const cancel = only && others.length === 0 ? ` To stop it: tandem kb cancel ${sourceWord(only)}.` : ''
  return `Tandem continues to read ${name}. To see its progress: tandem kb list.${cancel}`
}

function failureOf(source: KnowledgeSource, { message, remedy }: NonNullable<KnowledgeSource['problem']>): CommandError {
  return { code: 'not_available', message: `${nameText(source)} could not be read. ${message}`, remedy }
}

async function endLines(client: Pick<RuntimeClient, 'call'>, source: KnowledgeSource): Promise<string[]> {
  const canceled = source.state === 'canceled' ? [`  Reading was canceled. To continue: tandem kb reindex ${sourceWord(source)}`] : []
  return [
    `${nameText(source)}: ${sizesText(source)}.`,
    ...[...canceled, ...(source.problem ? [problemText(source.problem)] : [])],
    ...(await problemLines(client, source)),
  ]
}

async function problemLines(client: Pick<RuntimeClient, 'call'>, source: KnowledgeSource): Promise<string[]> {
  const files = await problemFiles(client, source.source_id)
  if (!files.ok) return source.left_out === 0 ? [] : [`The files that were left out cannot be listed: ${files.error.message}`]
  if (files.value.length === 0) return []
  return [...leftOutLines(files.value), `To list these files: tandem kb files ${sourceWord(source)} --problems`]
}
