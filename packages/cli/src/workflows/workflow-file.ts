// The file of a workflow, and the mistakes in it.
import { readFileSync } from 'node:fs'
import type { CommandResult } from '@tandem/contract/command'
import { systemErrorText } from '@tandem/contract/system-error'
import type { WorkflowContent } from '@tandem/contract/workflow'
import { exitCodes } from '../run/exit-code.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { escapeControls, singleLine } from '../terminal/terminal-text.ts'

export type ReadFile<Value> =
  | { readonly ok: true; readonly value: Value } /** Already reported. */
  | { readonly ok: false; readonly code: number }

type TextIssue = CommandResult<'workflow_read_text'>['issues'][number]

const mostCharacters = 1_000_000

/** `-` is standard input. */
export function readTextFile(file: string): ReadFile<string> {
  let content: Buffer
  try {
    content = readFileSync(file === '-' ? 0 : file)
  } catch (error) {
    return wrong(file, `cannot be read: ${systemErrorText(error)}`, 'Check the path of the file.')
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return wrong(file, 'is not text in UTF-8', 'Save it in UTF-8.')
  }
  if (text.trim() === '') return wrong(file, 'is empty', 'Specify a file that contains text.')
  if (text.length > mostCharacters)
    return wrong(file, `is longer than ${mostCharacters.toLocaleString('en-US')} characters`, 'Specify a shorter file.')
  return { ok: true, value: text }
}

/** All mistakes are reported, also those that only this device can know, such as a workflow that is missing. */
export async function readWorkflow(
  client: RuntimeClient,
  file: string,
  text: string,
  workflow_id?: string,
): Promise<ReadFile<WorkflowContent>> {
  const read = await client.call('workflow_read_text', { text })
  if (!read.ok) return { ok: false, code: refused(read.error) }
  const { content, issues } = read.value
  if (content === null) return mistakes(file, issues)
  const { definition } = content
  const checked = await client.call('workflow_check', { definition, ...(workflow_id === undefined ? {} : { workflow_id }) })
  if (!checked.ok) return { ok: false, code: refused(checked.error) }
  if (checked.value.issues.length === 0) return { ok: true, value: content }
  return mistakes(
    file,
    checked.value.issues.map((issue) => ({ ...issue, line: null, column: null })),
  )
}

function mistakes(file: string, issues: readonly TextIssue[]): ReadFile<never> {
  for (const issue of issues) console.error(issueText(file, issue))
  console.error(`tandem: ${nameOf(file)} has ${counted(issues.length, 'mistake')}`)
  return { ok: false, code: exitCodes.failed }
}

/** As editors and compilers write it, so that the place can be opened. */
function issueText(file: string, { pointer, line, column, message }: TextIssue): string {
  const place = line === null ? '' : `:${line}:${column ?? 1}`
  const what = pointer === '' ? 'the text' : pointer.slice(1)
  return `${file === '-' ? '-' : escapeControls(file)}${place} ${singleLine(`${what} ${message}`, 2_000)}`
}

export function nameOf(file: string): string {
  return file === '-' ? 'standard input' : escapeControls(file)
}

function wrong(file: string, message: string, remedy: string): ReadFile<never> {
  console.error(`tandem: ${nameOf(file)} ${message}`)
  console.error(`        ${remedy}`)
  return { ok: false, code: exitCodes.failed }
}
