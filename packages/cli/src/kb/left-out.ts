// The files of a source that cannot be found, or only in part, by reason.
import { type DocumentProblem, type DocumentRow, documentProblemTexts } from '@tandem/contract/knowledge'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { counted } from '../terminal/quantity.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { documentProblemText } from './text.ts'

export async function problemFiles(client: Pick<RuntimeClient, 'call'>, source_id: string): Promise<CommandAnswer<DocumentRow[]>> {
  const all: DocumentRow[] = []
  let cursor: string | null = null
  do {
    const page: CommandAnswer<{ items: DocumentRow[]; next_cursor: string | null }> = await client.call('kb_list_files', {
      ...{ source_id, only_problems: true, limit: 200 },
      ...(cursor === null ? {} : { cursor }),
    })
    if (!page.ok) return page
    all.push(...page.value.items)
    cursor = page.value.next_cursor
  } while (cursor !== null)
  return { ok: true, value: all }
}

/** One line per reason, the most frequent first, with a file as an example. */
export function leftOutLines(files: readonly DocumentRow[]): string[] {
  const [inPart, whole] = [files.filter(({ passages }) => passages > 0), files.filter(({ passages }) => passages === 0)]
  return [
    ...(whole.length > 0 ? [`${counted(whole.length, 'file was', 'files were')} left out:`, ...reasonLines(whole)] : []),
    ...(inPart.length > 0 ? [`${counted(inPart.length, 'file was', 'files were')} read only in part:`, ...reasonLines(inPart)] : []),
  ]
}

function reasonLines(files: readonly DocumentRow[]): string[] {
  const byReason = Map.groupBy(files, ({ problem }) => problem)
  return [...byReason]
    .sort(([, left], [, right]) => right.length - left.length)
    .flatMap(([problem, [first, ...others]]) => (first ? [`  ${reasonLine(problem, first, others.length)}`] : []))
}

function reasonLine(problem: DocumentProblem | null, first: DocumentRow, others: number): string {
  const name = singleLine(first.name, 80)
  if (others === 0 || problem === null) return `${name}: ${documentProblemText(first)}`
  const { message, remedy } = documentProblemTexts[problem]
  return `${name} and ${counted(others, 'other')}: ${message} ${remedy}`
}
