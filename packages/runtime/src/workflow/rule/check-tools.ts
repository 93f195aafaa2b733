// Whether the calls of a workflow fit the tools of this device. Placeholders may become anything, so only what is written out is checked.
import { fieldErrors, unknownField } from '@tandem/contract/validation'
import { templateParts, type WorkflowDefinition, type WorkflowIssue } from '@tandem/contract/workflow'
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'

/** The schema of a tool's arguments; undefined if there is no such tool. */
export type ArgumentsOf = (tool: string) => TSchema | undefined

export function checkTools({ nodes }: WorkflowDefinition, argumentsOf: ArgumentsOf): WorkflowIssue[] {
  return nodes.flatMap((node, index) => [
    ...(node.kind === 'tool' ? checkCall(`/nodes/${index}`, node, argumentsOf) : []),
    ...('compensation' in node && node.compensation ? checkCall(`/nodes/${index}/compensation`, node.compensation, argumentsOf) : []),
  ])
}

function checkCall(
  pointer: string,
  { tool, arguments: text }: { readonly tool: string; readonly arguments: string },
  argumentsOf: ArgumentsOf,
): WorkflowIssue[] {
  const schema = argumentsOf(tool)
  // The server of a tool may be switched off at the moment.
  if (!schema) return tool.startsWith('mcp.') ? [] : [{ pointer: `${pointer}/tool`, message: `there is no tool ${tool}` }]
  const given = parsed(text)
  if (given === undefined) return []
  return fieldErrors(Errors(schema, given))
    .filter((error) => error.message === unknownField || !hasTemplate(at(given, error.pointer)))
    .map((error) => ({ pointer: `${pointer}/arguments`, message: `${error.pointer === '' ? '' : `${error.pointer}: `}${error.message}` }))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Reported as such.
    return undefined
  }
}

/** Undefined for what is missing. */
function at(value: unknown, pointer: string): unknown {
  let current = value
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as Readonly<Record<string, unknown>>)[name]
  }
  return current
}

/** Not in the names of fields, which are written out. */
function hasTemplate(value: unknown): boolean {
  if (typeof value === 'string') return templateParts(value).some((part) => !('text' in part))
  return typeof value === 'object' && value !== null && Object.values(value).some(hasTemplate)
}
