// A workflow that does again what a run did: its calls in order, with what the user named as inputs, and what one call took from another
// as placeholders. It is a draft: nothing runs until a person has read and saved it.
import { limits } from '@tandem/contract/limits'
import { type ToolFamily, toolFamilies, toolSearch } from '@tandem/contract/tool'
import { mayBeFilled, templateParts, type WorkflowContent, type WorkflowInput, type WorkflowNode } from '@tandem/contract/workflow'
import { placeholderTo, textsOf } from './taken-values.ts'

export interface DraftedCall {
  readonly tool: string
  /** As it was made, after edits of the user; null if it is not on this device. */
  readonly arguments: Readonly<Record<string, unknown>> | null
  readonly has_succeeded: boolean
  readonly output: unknown
}

export interface DraftedRun {
  readonly title: string
  /** What the user wrote. */
  readonly request: string
  readonly workspace: string
  readonly calls: readonly DraftedCall[]
}

export interface Draft {
  readonly content: WorkflowContent
  readonly notes: readonly string[]
}

/** Tools that only make sense to an agent. */
const ofAgents: readonly ToolFamily[] = ['workflow', 'memory', 'cooperation', 'tasks']
export const agentTools: ReadonlySet<string> = new Set([
  ...ofAgents.flatMap((family) => toolFamilies[family]),
  'skill.load',
  'team.send',
  toolSearch,
])

type Omission = 'not_succeeded' | 'of_agents' | 'not_here' | 'placeholder' | 'repeated' | 'too_many'

const omissionTexts: Readonly<Record<Omission, (count: string) => string>> = {
  not_succeeded: (count) => `Left out ${count} that did not succeed.`,
  of_agents: (count) => `Left out ${count} that only an agent can use: todos, memories, skills, other agents and workflows.`,
  not_here: (count) => `Left out ${count} whose arguments are not on this device.`,
  placeholder: (count) => `Left out ${count} whose arguments contain {{…}}, which a workflow would replace.`,
  repeated: (count) => `Left out ${count} that repeated the call before.`,
  too_many: (count) => `Left out the last ${count}: a workflow has at most ${limits.workflow_nodes} nodes.`,
}

/** Null if none of the calls can be repeated by a workflow. */
export function draftOf({ title, request, workspace, calls }: DraftedRun): Draft | null {
  const nodes: WorkflowNode[] = []
  const inputs = new Map<string, WorkflowInput>()
  const made: { readonly id: string; readonly texts: ReadonlyMap<string, string> }[] = []
  const omitted = new Map<Omission, number>()
  const ids = new Set<string>()
  let previous = ''

  function omissionOf(call: DraftedCall): Omission | null {
    if (!call.has_succeeded) return 'not_succeeded'
    if (agentTools.has(call.tool)) return 'of_agents'
    if (call.arguments === null) return 'not_here'
    if (hasPlaceholder(call.arguments)) return 'placeholder'
    if (JSON.stringify([call.tool, call.arguments]) === previous) return 'repeated'
    return nodes.length >= limits.workflow_nodes ? 'too_many' : null
  }

  function taken(argument: string, text: string): string {
    const relative = text.startsWith(`${workspace}/`) ? text.slice(workspace.length + 1) : text === workspace ? '.' : text
    const earlier = placeholderTo(text, made)
    if (earlier !== null) return earlier
    if (!isNamed(request, text) && !isNamed(request, relative)) return relative
    const known = inputs.get(relative)
    if (known) return `{{inputs.${known.name}}}`
    const name = unused(nameOf(argument), new Set([...inputs.values()].map((input) => input.name)))
    const type = argument === 'path' || argument === 'from' || argument === 'to' ? 'file' : 'text'
    inputs.set(relative, { name, type, required: true, default_value: JSON.stringify(relative) })
    return `{{inputs.${name}}}`
  }

  for (const call of calls) {
    const omission = omissionOf(call)
    if (omission !== null || call.arguments === null) {
      if (omission !== null) omitted.set(omission, (omitted.get(omission) ?? 0) + 1)
      continue
    }
    previous = JSON.stringify([call.tool, call.arguments])
    const id = unused(nameOf(call.tool), ids)
    ids.add(id)
    nodes.push(call.tool === 'ask_user' ? questionNode(id, call.arguments) : toolNode(id, call.tool, call.arguments, taken))
    made.push({ id, texts: call.tool === 'ask_user' ? new Map() : textsOf(call.output) })
  }
  if (nodes.length === 0) return null
  const edges = nodes.slice(1).map(({ id }, before) => ({ from: nodes[before]?.id ?? '', to: id }))
  const notes = [...omitted].map(([why, count]) => omissionTexts[why](count === 1 ? '1 call' : `${count} calls`))
  if (inputs.size > 0) notes.push('Values that you named in your message are inputs, with what you wrote as their default values.')
  notes.push('The order is that of the run. Arguments that are not placeholders stay as they were.')
  const description = `Made from a run: ${request}`.replace(/\s+/g, ' ').slice(0, 500)
  return {
    content: { name: title.slice(0, 200) || 'New workflow', description, definition: { inputs: [...inputs.values()], nodes, edges } },
    notes,
  }
}

function toolNode(
  id: string,
  tool: string,
  given: Readonly<Record<string, unknown>>,
  taken: (argument: string, text: string) => string,
): WorkflowNode {
  const filled = (argument: string, value: unknown): unknown => {
    if (typeof value === 'string') return taken(argument, value)
    if (Array.isArray(value)) return value.map((item) => filled(argument, item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(argument, item)]))
  }
  const entries = Object.entries(given).map(([argument, value]) => [
    argument,
    mayBeFilled(tool, argument) ? filled(argument, value) : value,
  ])
  return { id, kind: 'tool', tool, arguments: JSON.stringify(Object.fromEntries(entries)) }
}

function questionNode(id: string, given: Readonly<Record<string, unknown>>): WorkflowNode {
  const options = Array.isArray(given.options) ? given.options : []
  const choices = options.flatMap(({ label }: { label?: unknown }) => (typeof label === 'string' ? [label] : []))
  return { id, kind: 'question', question: String(given.question ?? ''), ...(choices.length > 0 ? { choices } : {}) }
}

/** Whether the user's message contains this value as a word of its own: short values would be found by chance. */
function isNamed(request: string, text: string): boolean {
  if (text.length < 3 || text.length > 500 || text.includes('\n')) return false
  for (let at = request.indexOf(text); at >= 0; at = request.indexOf(text, at + 1)) {
    const [before = ' ', after = ' '] = [request[at - 1], request[at + text.length]]
    const rest = request.slice(at + text.length, at + text.length + 2)
    if (!/[\w/.-]/.test(before) && (!/[\w/.-]/.test(after) || /^[.](?:\s|$)/.test(rest))) return true
  }
  return false
}

function hasPlaceholder(value: unknown): boolean {
  if (typeof value === 'string') return templateParts(value).some((part) => !('text' in part))
  return typeof value === 'object' && value !== null && Object.values(value).some(hasPlaceholder)
}

/** `fs.write` becomes `write`. */
function nameOf(name: string): string {
  const last = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const word = last.replace(/[^a-z0-9_]+/g, '_').replace(/^[^a-z]+/, '')
  return (word || 'step').slice(0, 58)
}

function unused(name: string, used: ReadonlySet<string>): string {
  if (!used.has(name)) return name
  for (let number = 2; ; number += 1) if (!used.has(`${name}_${number}`)) return `${name}_${number}`
}
