import { valueProblem, type WorkflowDefinition } from '@tandem/contract/workflow'

export interface InputIssue {
  readonly name: string
  readonly message: string
}

export type WorkflowInputs = Readonly<Record<string, unknown>>

export type CheckedInputs =
  | { readonly ok: true; readonly inputs: WorkflowInputs }
  | { readonly ok: false; readonly issues: readonly InputIssue[] }

/** What a run starts with: what was given, and the defaults of what was not. */
export function checkInputs({ inputs }: Pick<WorkflowDefinition, 'inputs'>, given: WorkflowInputs): CheckedInputs {
  const names = new Set(inputs.map(({ name }) => name))
  const list = [...names].join(', ')
  const unknown = Object.keys(given)
    .filter((name) => !names.has(name))
    .map((name) => ({ name, message: list === '' ? 'the workflow has no inputs' : `there is no such input; the inputs are ${list}` }))
  const wrong = inputs.flatMap(({ name, type, required, default_value }) => {
    if (Object.hasOwn(given, name)) {
      const problem = valueProblem(type, given[name])
      return problem === null ? [] : [{ name, message: problem }]
    }
    return required && default_value === undefined ? [{ name, message: 'is required' }] : []
  })
  const issues = [...unknown, ...wrong]
  if (issues.length > 0) return { ok: false, issues }
  const values = inputs.map(({ name, default_value }) => {
    if (Object.hasOwn(given, name)) return [name, given[name]] as const
    return [name, default_value === undefined ? null : JSON.parse(default_value)] as const
  })
  return { ok: true, inputs: Object.fromEntries(values) }
}

/** An object in JSON; null if it is anything else. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
