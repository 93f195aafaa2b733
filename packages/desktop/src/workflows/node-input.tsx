// What a node is given: as it was when it started, or as the definition has it.
import type { WorkflowSnapshot } from '@tandem/contract/command'
import type { WorkflowNode } from '@tandem/contract/workflow'
import { useCommand } from '../client/use-request.ts'
import { JsonTree } from '../result/json-tree.tsx'
import { parsedJson } from './parsed-json.ts'

interface Props {
  readonly run: WorkflowSnapshot
  readonly node: WorkflowNode
  readonly iteration: readonly number[]
}

export function NodeInput({ run: { workflow_run_id }, node, iteration }: Props) {
  const { state: asked } = useCommand('workflow_query', { workflow_run_id, node_id: node.id, iteration: [...iteration] })
  const input = asked.state === 'ready' ? asked.value.input : null
  return <JsonTree value={input === null ? nodeInput(node) : parsedJson(input)} />
}

/** Placeholders are not filled in. */
export function nodeInput(node: WorkflowNode): unknown {
  switch (node.kind) {
    case 'tool':
      return parsedJson(node.arguments)
    case 'agent':
      return node.prompt
    case 'workflow':
      return parsedJson(node.inputs)
    case 'approval':
      return node.message
    case 'question':
      return node.question
    case 'condition':
      return node.condition
    case 'wait':
      return { seconds: node.seconds }
    case 'transform':
      return { input: parsedJson(node.input), expression: node.expression }
    case 'for_each':
      return { items: node.items }
    case 'repeat':
      return { until: node.until, most_rounds: node.most_rounds }
  }
}
