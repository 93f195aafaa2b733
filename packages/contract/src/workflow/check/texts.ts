// Where a definition has templates, and what they may name there.
import type { WorkflowDefinition, WorkflowNode } from '../schema.ts'
import type { WorkflowGraph } from './graph.ts'

export interface TemplateText {
  readonly pointer: string
  /** `json`: JSON text in which all texts are templates. */
  readonly form: 'text' | 'json'
  readonly text: string
  /** Nodes whose output is known there. */
  readonly ended: ReadonlySet<string>
  /** Loops whose round is known there. */
  readonly loops: ReadonlySet<string>
  /** The tool whose arguments they are. */
  readonly tool?: string
}

type Field = Pick<TemplateText, 'form' | 'text' | 'tool'> & {
  readonly at: string
  readonly seen: 'before' | 'with_itself' | 'with_its_body'
}

export function templateTexts(definition: WorkflowDefinition, graph: WorkflowGraph): readonly TemplateText[] {
  const ofNodes = definition.nodes.flatMap((node, at) =>
    fieldsOf(node).map(({ at: field, seen, ...text }) => ({ pointer: `/nodes/${at}${field}`, ...text, ...knownAt(node, seen, graph) })),
  )
  const known = { ended: new Set(graph.body(undefined)), loops: new Set<string>() }
  const { output, outputs = [] } = definition
  return [
    ...ofNodes,
    ...(output === undefined ? [] : [{ pointer: '/output', form: 'text' as const, text: output, ...known }]),
    ...outputs.map(({ value }, at) => ({ pointer: `/outputs/${at}/value`, form: 'text' as const, text: value, ...known })),
  ]
}

function knownAt({ id }: WorkflowNode, seen: Field['seen'], graph: WorkflowGraph): Pick<TemplateText, 'ended' | 'loops'> {
  const ended = [...graph.endedBefore(id), ...(seen === 'with_itself' ? [id] : []), ...(seen === 'with_its_body' ? graph.body(id) : [])]
  return { ended: new Set(ended), loops: new Set([...graph.loopsAround(id), ...(seen === 'with_its_body' ? [id] : [])]) }
}

const field = (at: string, text: string | undefined, seen: Field['seen'] = 'before'): Field[] =>
  text === undefined ? [] : [{ at, form: 'text', text, seen }]

const json = (at: string, text: string, tool?: string, seen: Field['seen'] = 'before'): Field => ({
  ...{ at, form: 'json', text, seen },
  ...(tool === undefined ? {} : { tool }),
})

function fieldsOf(node: WorkflowNode): readonly Field[] {
  const undone = 'compensation' in node && node.compensation
  const undo = undone ? [json('/compensation/arguments', undone.arguments, undone.tool, 'with_itself')] : []
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
      return [...field('/items', node.items), ...field('/result', node.result, 'with_its_body')]
    case 'repeat': {
      const until = 'expression' in node.until ? null : node.until
      return [
        ...field('/until/left', until?.left, 'with_its_body'),
        ...field('/until/right', until?.right, 'with_its_body'),
        ...field('/result', node.result, 'with_its_body'),
      ]
    }
    case 'wait':
      return []
  }
}
