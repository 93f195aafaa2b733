import type { DocumentPosition, KnowledgePassage } from '@tandem/contract/knowledge'
import { documentFormatNames } from '@tandem/contract/knowledge'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { json } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { styled } from '../terminal/style.ts'
import { table } from '../terminal/table.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'
import { sourceWord } from './source.ts'

export const showUsage = explainedUsage(
  'tandem kb show PASSAGE [--json]',
  'Shows a passage as it is now, marked with >, with the text around it. PASSAGE is an id from tandem kb search.',
)

export async function show(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json }, showUsage)
  if (!given.ok) return given.code
  const [passage_id, ...more] = given.words
  if (passage_id === undefined || passage_id === '' || more.length > 0)
    return printUsage('specify one passage by its id. Find passages with tandem kb search QUERY', showUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const answer = await client.call('kb_passage', { passage_id })
    if (!answer.ok) return refused(answer.error)
    console.log(given.values.json ? JSON.stringify(answer.value) : passageText(answer.value.passage))
    return 0
  })
}

export function passageText(passage: KnowledgePassage, out: NodeJS.WriteStream = process.stdout): string {
  const { citation, source_id, source_name, path, url, format, position, outdated } = passage
  const place = path ?? url
  const source = sourceWord({ source_id, name: source_name })
  return [
    styled('bold', escapeControls(citation), out),
    table([
      ['source', singleLine(source_name, 120)],
      ...(place === null ? [] : [[url === null ? 'file' : 'page', escapeControls(place)]]),
      ['format', documentFormatNames[format]],
      ['place', positionText(position)],
    ]),
    ...(outdated ? [`The file has changed since it was read. To read it again: tandem kb reindex ${source}`] : []),
    '',
    ...passageLines(passage, out),
  ].join('\n')
}

function positionText({ first_line, last_line, page, headings, paragraph }: DocumentPosition): string {
  const lines = first_line === null ? [] : [first_line === last_line ? `line ${first_line}` : `lines ${first_line} to ${last_line}`]
  return [
    ...(page === null ? [] : [`page ${page}`]),
    ...lines,
    ...(headings.length === 0 ? [] : [singleLine(headings.join(' > '), 200)]),
    ...(paragraph === null ? [] : [`paragraph ${paragraph}`]),
  ].join(', ')
}

/** With line numbers, if the file has lines. */
function passageLines({ before, text, after, from_line }: KnowledgePassage, out: NodeJS.WriteStream): string[] {
  const [begin, end] = [before.length, before.length + text.trimEnd().length]
  const lines = `${before}${text}${after}`.replace(/\n$/, '').split('\n')
  const width = from_line === null ? 0 : String(from_line + lines.length - 1).length
  let at = 0
  return lines.map((line, index) => {
    const isMarked = at < end && at + line.length >= begin
    at += line.length + 1
    const number = from_line === null ? '' : `${String(from_line + index).padStart(width)}  `
    const shown = `${isMarked ? '>' : ' '} ${number}${escapeControls(line.replace(/\r$/, ''))}`.trimEnd()
    return isMarked ? shown : styled('dim', shown, out)
  })
}
