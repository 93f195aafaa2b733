// The inputs of a workflow, as they are typed on the command line.
import { valueProblem, type WorkflowInput } from '@tandem/contract/workflow'

export type WorkflowValues = Readonly<Record<string, unknown>>

export type ParsedInputs = { readonly ok: true; readonly values: WorkflowValues } | { readonly ok: false; readonly problem: string }

/** `said` are words such as `name=value`; they replace those of `file`. */
export function parseInputs(inputs: readonly WorkflowInput[], said: readonly string[], file: WorkflowValues = {}): ParsedInputs {
  const values = new Map<string, unknown>(Object.entries(file))
  const seen = new Set<string>()
  for (const word of said) {
    const end = word.indexOf('=')
    if (end < 1) return wrong(`--input must be NAME=VALUE, not "${word}"`)
    const name = word.slice(0, end)
    if (seen.has(name)) return wrong(`--input ${name} is specified twice`)
    seen.add(name)
    const input = inputs.find((one) => one.name === name)
    if (!input) return wrong(`--input ${name}: ${noInput(inputs)}`)
    const value = parsedValue(input, word.slice(end + 1))
    if ('problem' in value) return wrong(`--input ${name} ${value.problem}`)
    values.set(name, value.value)
  }
  for (const name of Object.keys(file)) {
    const input = inputs.find((one) => one.name === name)
    if (!input) return wrong(`--inputs: "${name}": ${noInput(inputs)}`)
    const problem = valueProblem(input.type, values.get(name))
    if (problem !== null) return wrong(`--inputs: "${name}" ${problem}`)
  }
  const missing = inputs.filter(({ name, required, default_value }) => required && default_value === undefined && !values.has(name))
  if (missing.length > 0) return wrong(`these inputs are required: ${missing.map(inputText).join(', ')}`)
  return { ok: true, values: Object.fromEntries(values) }
}

type ParsedValue = { readonly value: unknown } | { readonly problem: string }

function parsedValue({ type }: WorkflowInput, text: string): ParsedValue {
  switch (type) {
    case 'text':
    case 'file':
      return { value: text }
    case 'number': {
      const value = text.trim() === '' ? Number.NaN : Number(text)
      return Number.isFinite(value) ? { value } : { problem: `must be a number, not "${text}"` }
    }
    case 'flag':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { problem: `must be true or false, not "${text}"` }
    case 'json':
      try {
        return { value: JSON.parse(text) }
      } catch {
        return { problem: 'must be valid JSON' }
      }
  }
}

function noInput(inputs: readonly WorkflowInput[]): string {
  if (inputs.length === 0) return 'the workflow has no inputs'
  return `there is no such input. The inputs are ${inputs.map(inputText).join(', ')}`
}

function inputText({ name, type }: WorkflowInput): string {
  return `${name} (${type})`
}

function wrong(problem: string): ParsedInputs {
  return { ok: false, problem }
}
