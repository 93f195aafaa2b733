import type { WorkflowNode } from '@tandem/contract/workflow'
import { parsedJson } from './parsed-json.ts'

/** What a node is given, as the definition has it: placeholders are not filled in. */
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
