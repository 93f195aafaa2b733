// The words of a workflow definition.

/** How each kind of node can end. An edge follows one of these, or `succeeded` by default. */
export const nodeOutcomes = {
  tool: ['succeeded', 'failed'],
  agent: ['succeeded', 'failed'],
  workflow: ['succeeded', 'failed'],
  approval: ['approved', 'denied'],
  question: ['succeeded', 'failed'],
  condition: ['true', 'false'],
  wait: ['succeeded', 'failed'],
  transform: ['succeeded', 'failed'],
  for_each: ['succeeded', 'failed'],
  repeat: ['succeeded', 'failed'],
} as const satisfies Record<string, readonly string[]>

export type WorkflowNodeKind = keyof typeof nodeOutcomes
export type WorkflowOutcome = (typeof nodeOutcomes)[WorkflowNodeKind][number]

export const workflowNodeKinds = Object.keys(nodeOutcomes) as WorkflowNodeKind[]
export const workflowOutcomes = ['succeeded', 'failed', 'approved', 'denied', 'true', 'false'] as const satisfies readonly WorkflowOutcome[]

/** Kinds whose nodes contain others. */
export const loopKinds = ['for_each', 'repeat'] as const satisfies readonly WorkflowNodeKind[]
export type LoopKind = (typeof loopKinds)[number]

export function isLoop<Node extends { readonly kind: WorkflowNodeKind }>(node: Node): node is Extract<Node, { readonly kind: LoopKind }> {
  return (loopKinds as readonly string[]).includes(node.kind)
}

/** What users give and get: a `file` is a path. */
export const workflowValueTypes = ['text', 'number', 'flag', 'json', 'file'] as const
export type WorkflowValueType = (typeof workflowValueTypes)[number]

export const comparisons = ['equals', 'not_equals', 'contains', 'matches', 'greater', 'less', 'exists', 'empty'] as const
export type Comparison = (typeof comparisons)[number]

export const joins = ['all', 'any'] as const
export const failureReactions = ['stop', 'continue'] as const
