// The placeholders that a text can contain: only those whose value is known at that point of the workflow.
import { knownReferences, nodeOutcomes, type WorkflowOutcome } from '@tandem/contract/workflow'
import { workflowWords } from '../../strings/workflows.ts'
import type { Suggestion } from './suggestion.ts'
import type { TextPath } from './text-outline.ts'
import type { WorkflowOutline } from './workflow-outline.ts'

export function suggestedPlaceholders(path: TextPath, outline: WorkflowOutline): readonly Suggestion[] {
  const [list, index, field] = path
  const graph = outline.graph()
  const isInNode = list === 'nodes' && typeof index === 'number'
  const node = isInNode ? outline.valueAt(['nodes', index, 'id']) : ''
  const { ended, loops } = knownReferences(graph, isInNode ? { node, field: String(field) } : undefined)
  const outputs = [...ended].flatMap((id) => {
    const kind = graph.node(id)?.kind
    if (!kind) return []
    const outcomes: readonly WorkflowOutcome[] = nodeOutcomes[kind]
    return [
      { name: `nodes.${id}.output`, detail: kind },
      ...(outcomes.includes('failed') ? [{ name: `nodes.${id}.error`, detail: kind }] : []),
    ]
  })
  const rounds = [...loops].flatMap((id) => {
    const kind = graph.node(id)?.kind ?? ''
    return [...(kind === 'for_each' ? [{ name: `loops.${id}.item`, detail: kind }] : []), { name: `loops.${id}.index`, detail: kind }]
  })
  const inputs = outline.inputNames().map((name) => ({ name: `inputs.${name}`, detail: workflowWords.editor.input }))
  const isError = ({ name }: { readonly name: string }) => name.endsWith('.error')
  return [...inputs, ...rounds, ...outputs.filter((one) => !isError(one)), ...outputs.filter(isError)].map(({ name, detail }) => ({
    label: `{{${name}}}`,
    detail,
  }))
}
