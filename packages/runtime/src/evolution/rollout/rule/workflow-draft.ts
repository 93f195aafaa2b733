// The workflow of a routine: one node per step, with an input for every value that is given each time. Pure.
import { limits } from '@tandem/contract/limits'
import { canonicalJson } from '@tandem/contract/sync'
import { mayBeFilled, type WorkflowContent, type WorkflowInput, type WorkflowNode } from '@tandem/contract/workflow'
import { agentTools } from '../../../workflow/draft/draft.ts'
import type { EvidenceRun } from './evidence.ts'
import { exemplary, type Routine } from './routine.ts'
import { type SafeValues, safeValues } from './safe-values.ts'

export interface WorkflowDraft {
  readonly title: string
  readonly routine: Routine
  readonly runs: readonly EvidenceRun[]
  readonly shapes: readonly string[]
}

/** Null if a step needs a value that no placeholder may stand for, such as a command that differs. */
export function workflowContent({ title, routine, runs, shapes }: WorkflowDraft): WorkflowContent | null {
  const safe = safeValues(runs)
  const inputs: WorkflowInput[] = []
  const nodes: WorkflowNode[] = []
  for (const [at, call] of exemplary(runs, shapes).entries()) {
    // What only makes sense to an agent is no step of a workflow.
    if (agentTools.has(call.tool) || call.tool === 'ask_user') continue
    const given: Record<string, unknown> = {}
    for (const { name } of routine.steps[at]?.arguments ?? []) {
      const value = call.arguments[name]
      if (isFixed(value, safe)) given[name] = value
      else if (mayBeFilled(call.tool, name)) given[name] = inputFor(name, value, call.tool, inputs)
      else return null
    }
    nodes.push({
      id: unused(idOf(call.tool), new Set(nodes.map(({ id }) => id))),
      kind: 'tool',
      tool: call.tool,
      arguments: JSON.stringify(given),
    })
  }
  if (nodes.length === 0 || nodes.length > limits.workflow_nodes || inputs.length > 50) return null
  const edges = nodes.slice(1).map(({ id }, before) => ({ from: nodes[before]?.id ?? '', to: id }))
  const examples = routine.requests.map((words) => `“${words}”`).join(', ')
  const description = `A routine of yours, from ${routine.runs} runs.${examples === '' ? '' : ` For requests like ${examples}.`}`
  return { name: title.slice(0, 200), description: description.slice(0, 4_000), definition: { inputs, nodes, edges } }
}

/** The text of a version. The same workflow has the same text, whatever the order of its fields was. */
export function workflowVersionText({ name, description, definition }: WorkflowContent): string {
  return JSON.stringify(JSON.parse(canonicalJson({ name, ...(description === undefined ? {} : { description }), definition })), null, 2)
}

function isFixed(value: unknown, safe: SafeValues): boolean {
  return typeof value === 'string' && (safe.has(value) || safe.hasWhole(value))
}

/** Each value is an input of its own: whether two of them belong together is not known. */
function inputFor(argument: string, value: unknown, tool: string, inputs: WorkflowInput[]): string {
  const name = unused(idOf(argument), new Set(inputs.map((input) => input.name)))
  const type = typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'flag' : typeof value === 'string' ? 'text' : 'json'
  inputs.push({ name, type, description: `${idOf(argument)} of ${tool}`.slice(0, 200), required: true })
  return `{{inputs.${name}}}`
}

/** `fs.write` becomes `write`. */
function idOf(name: string): string {
  const last = name
    .slice(name.lastIndexOf('.') + 1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replace(/^[^a-z]+/, '')
  return last.slice(0, 50) || 'step'
}

function unused(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const one = number === 1 ? name : `${name}_${number}`
    if (!taken.has(one)) return one
  }
}
