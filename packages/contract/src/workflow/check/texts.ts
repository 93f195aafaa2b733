// Where a definition has templates, and what they may name there.
import type { WorkflowDefinition, WorkflowNode } from '../schema.ts'
import type { WorkflowGraph } from './graph.ts'
import { type KnownReferences, knownReferences } from './known-references.ts'

export interface TemplateText extends KnownReferences {
  readonly pointer: string
  /** `json`: JSON text in which all texts are templates. */
  readonly form: 'text' | 'json'
  readonly text: string
  /** The tool whose arguments they are. */
  readonly tool?: string
}

type Field = Pick<TemplateText, 'form' | 'text' | 'tool'> & { readonly at: string }

export function templateTexts(definition: WorkflowDefinition, graph: WorkflowGraph): readonly TemplateText[] {
  const ofNodes = definition.nodes.flatMap((node, at) =>
    fieldsOf(node).map(({ at: pointer, ...text }) => ({
      ...{ pointer: `/nodes/${at}${pointer}`, ...text },
      ...knownReferences(graph, { node: node.id, field: pointer.split('/')[1] ?? '' }),
    })),
  )
  const known = knownReferences(graph)
  const { output, outputs = [] } = definition
  return [
    ...ofNodes,
    ...(output === undefined ? [] : [{ pointer: '/output', form: 'text' as const, text: output, ...known }]),
    ...outputs.map(({ value }, at) => ({ pointer: `/outputs/${at}/value`, form: 'text' as const, text: value, ...known })),
  ]
}

const field = (at: string, text: string | undefined): Field[] => (text === undefined ? [] : [{ at, form: 'text', text }])

const json = (at: string, text: string, tool?: string): Field => ({ at, form: 'json', text, ...(tool === undefined ? {} : { tool }) })

function fieldsOf(node: WorkflowNode): readonly Field[] {
  const undone = 'compensation' in node && node.compensation
  const undo = undone ? [json('/compensation/arguments', undone.arguments, undone.tool)] : []
  switch (node.kind) {
    case 'tool':
      return [json('/arguments', node.arguments, node.tool), ...undo]
    case 'agent':
      return [...field('/prompt', node.prompt), ...undo]
    case 'workflow':
      return [json('/inputs', node.inputs), ...undo]
    case 'approval':
      return field('/message', node.message)
    case 'question':
      return field('/question', node.question)
    case 'condition':
      return [...field('/condition/left', node.condition.left), ...field('/condition/right', node.condition.right)]
    case 'transform':
      return [json('/input', node.input)]
    case 'for_each':
      return [...field('/items', node.items), ...field('/result', node.result)]
    case 'repeat': {
      const until = 'expression' in node.until ? null : node.until
      return [...field('/until/left', until?.left), ...field('/until/right', until?.right), ...field('/result', node.result)]
    }
    case 'wait':
      return []
  }
}
