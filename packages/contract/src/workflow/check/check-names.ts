import type { WorkflowDefinition } from '../schema.ts'
import type { WorkflowIssue } from './issue.ts'

export function checkNames({ nodes, inputs, outputs = [] }: WorkflowDefinition): WorkflowIssue[] {
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)
  return [
    ...repeated(nodes.map(({ id }) => id)).map((at) => ({ pointer: `/nodes/${at}/id`, message: 'another node has this id' })),
    ...repeated(names(inputs)).map((at) => ({ pointer: `/inputs/${at}/name`, message: 'another input has this name' })),
    ...repeated(names(outputs)).map((at) => ({ pointer: `/outputs/${at}/name`, message: 'another output has this name' })),
  ]
}

/** The places of names that occurred before. */
function repeated(names: readonly string[]): number[] {
  const seen = new Set<string>()
  return names.flatMap((name, at) => {
    if (seen.has(name)) return [at]
    seen.add(name)
    return []
  })
}
