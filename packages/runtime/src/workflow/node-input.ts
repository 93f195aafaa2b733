// What a node was given, with its placeholders filled in. What they refer to does not change any more, so it need not be stored.
import { filled, filledJson, type WorkflowNode } from '@tandem/contract/workflow'
import { itemsOf, type KnownValues, lookUp } from './rule/look-up.ts'

export function nodeInput(node: WorkflowNode, iteration: readonly number[], values: KnownValues): unknown {
  const look = lookUp(values, iteration)
  const json = (text: string) => filledJson(JSON.parse(text), look)
  switch (node.kind) {
    case 'tool':
      return json(node.arguments)
    case 'agent':
      return filled(node.prompt, look)
    case 'workflow':
      return json(node.inputs)
    case 'approval':
      return filled(node.message, look)
    case 'question':
      return filled(node.question, look)
    case 'condition': {
      const { left, comparison, right } = node.condition
      return { left: filled(left, look), comparison, ...(right === undefined ? {} : { right: filled(right, look) }) }
    }
    case 'wait':
      return { seconds: node.seconds }
    case 'transform':
      return { input: json(node.input), expression: node.expression }
    case 'for_each':
      return { items: itemsOf(node.items, look) }
    case 'repeat':
      return { until: node.until, most_rounds: node.most_rounds }
  }
}
