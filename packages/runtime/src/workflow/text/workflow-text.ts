// The text of a workflow, in YAML or JSON, as people and agents write it (docs/workflows.md).
import { checkWorkflow, type WorkflowContent, type WorkflowDefinition, type WorkflowIssue } from '@tandem/contract/workflow'
import { WorkflowContent as WorkflowContentSchema } from '@tandem/contract/workflow/schema'
import { Check } from 'typebox/value'
import { checkShape } from './check-shape.ts'
import { isRecord } from './json-field.ts'
import { parseJsonText } from './json-text.ts'
import { readableForm } from './readable-form.ts'
import { type DocumentIssue, type StoredForm, storedForm } from './stored-form.ts'
import { lineAndColumn, placeAt, plainOf, type TextNode, textLimits } from './text-node.ts'
import { yamlOf } from './yaml-output.ts'
import { parseYamlText } from './yaml-text.ts'

export interface TextIssue {
  /** JSON pointer into the document that the text contains. */
  readonly pointer: string
  /** Counted from 1; null if the mistake is not in one place. */
  readonly line: number | null
  readonly column: number | null
  /** Continues a sentence that begins with the name of the field, or with "the text". */
  readonly message: string
}

/** A device that has the other workflows and the tools can check more. */
export type CheckDefinition = (definition: WorkflowDefinition) => readonly WorkflowIssue[]

export type ReadWorkflow =
  | { readonly ok: true; readonly content: WorkflowContent }
  | { readonly ok: false; readonly issues: readonly TextIssue[] }

/**
 * Reads YAML or JSON; a text that starts with `{` is JSON. All mistakes are reported together: those of the syntax, or if there are none
 * those of the shape, or if there are none those of `checkWorkflow`.
 */
export function readWorkflowText(text: string, check: CheckDefinition = checkWorkflow): ReadWorkflow {
  if (text.length > textLimits.characters) {
    const message = `must have at most ${textLimits.characters} characters`
    return { ok: false, issues: [{ pointer: '', line: null, column: null, message }] }
  }
  const isJson = /^\uFEFF?\s*\{/.test(text)
  // JSON has no byte order mark; a space keeps the columns.
  const parsed = isJson ? parseJsonText(text.replace(/^\uFEFF/, ' ')) : parseYamlText(text)
  if (!parsed.ok) {
    return {
      ok: false,
      issues: parsed.problems.map(({ pointer, offset, message }) => ({ pointer, ...lineAndColumn(text, offset), message })),
    }
  }
  const found = contentOf(parsed.root, check)
  return 'content' in found ? { ok: true, content: found.content } : { ok: false, issues: placed(text, parsed.root, found.issues) }
}

/**
 * The readable form. Reading it again gives the same content, with JSON texts written as `JSON.stringify` does. A content with a JSON text
 * that the readable form cannot contain is written as it is stored.
 */
export function workflowText(content: WorkflowContent, format: 'yaml' | 'json'): string {
  const document = readableForm(content)
  return format === 'json' ? `${JSON.stringify(document, null, 2)}\n` : yamlOf(document)
}

type Found = { readonly content: WorkflowContent } | { readonly issues: readonly DocumentIssue[] }

function contentOf(root: TextNode, check: CheckDefinition): Found {
  const document = plainOf(root)
  if (!isRecord(document)) return { issues: [{ pointer: '', message: 'must be an object with `name` and `nodes`' }] }
  const stored = storedForm(document)
  const shape = [...stored.issues, ...checkShape(stored.content, stored.topFields).map((issue) => ofDocument(issue, stored, root))]
  const { content } = stored
  if (shape.length > 0 || !Check(WorkflowContentSchema, content)) return { issues: shape }
  const issues = check(content.definition)
    // Edges that are not in the text are wrong only because of the nodes, which are reported themselves.
    .filter(({ pointer }) => !(stored.ordered && pointer.startsWith('/edges')))
    .map(({ pointer, message }) => withinJson({ pointer: stored.base + pointer, message }, root))
  return issues.length === 0 ? { content } : { issues }
}

/** A mistake of the content as one of the document, in its words. */
function ofDocument({ pointer, message }: DocumentIssue, { base }: StoredForm, root: TextNode): DocumentIssue {
  const own = base === '' && pointer.startsWith('/definition/') ? pointer.slice('/definition'.length) : pointer
  const place = placeAt(root, own)?.node
  if (message === 'must be a string' && place?.form === 'scalar' && place.value !== null) {
    return { pointer: own, message: `must be text; write "${place.value}" in quotes` }
  }
  const asJson = base === '' && place !== undefined && place.form !== 'scalar' && message.endsWith('characters')
  return { pointer: own, message: asJson ? `${message} as JSON` : message }
}

/** `checkWorkflow` names the part of a JSON text in its message. In a readable document, the part has a pointer of its own. */
function withinJson(issue: DocumentIssue, root: TextNode): DocumentIssue {
  if (!issue.message.startsWith('/')) return issue
  for (let end = issue.message.indexOf(': '); end >= 0; end = issue.message.indexOf(': ', end + 1)) {
    const pointer = issue.pointer + issue.message.slice(0, end)
    if (placeAt(root, pointer)) return { pointer, message: issue.message.slice(end + 2) }
  }
  return issue
}

/** In the order of the text. What is missing has the place of what should contain it; an edge that is text has no parts. */
function placed(text: string, root: TextNode, issues: readonly DocumentIssue[]): TextIssue[] {
  return issues
    .map((issue) => ofEdgeText(issue, root))
    .map((issue) => {
      const parent = issue.pointer.slice(0, Math.max(issue.pointer.lastIndexOf('/'), 0))
      return { ...issue, offset: (placeAt(root, issue.pointer) ?? placeAt(root, parent))?.offset ?? root.offset }
    })
    .sort((one, other) => one.offset - other.offset)
    .slice(0, textLimits.issues)
    .map(({ pointer, offset, message }) => ({ pointer, ...lineAndColumn(text, offset), message }))
}

function ofEdgeText(issue: DocumentIssue, root: TextNode): DocumentIssue {
  const [edge, field] = /^\/edges\/\d+(?=\/(from|to|when)$)/.exec(issue.pointer) ?? []
  if (edge === undefined || placeAt(root, edge)?.node.form !== 'scalar') return issue
  return { pointer: edge, message: issue.message.startsWith('must ') ? `${field} ${issue.message}` : issue.message }
}
