// The arguments a model sent, checked against the tool's schema. Compiled once per tool.
import type { FailureContract } from '@tandem/contract/failure'
import { validationText } from '@tandem/contract/validation'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { failureContract } from '../call/outcome.ts'
import type { Tool } from '../call/tool.ts'

type Validated = { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly failure: FailureContract }

const compiled = new WeakMap<TSchema, Validator>()

export async function validated(tool: Tool, text: string): Promise<Validated> {
  let input: unknown
  try {
    // Models send nothing for a tool without arguments.
    input = JSON.parse(text.trim() === '' ? '{}' : text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return wrong(tool, 'malformed_arguments', `the arguments of ${tool.name} are not valid JSON: ${why}`)
  }
  const validator = compiled.get(tool.input) ?? Compile(tool.input)
  compiled.set(tool.input, validator)
  if (validator.Check(input)) return { ok: true, input }
  const problems = validationText(validator.Errors(input), 'the arguments', 5)
  return wrong(tool, 'invalid_arguments', `the arguments of ${tool.name} are not valid: ${problems}`)
}

function wrong(tool: Tool, reason_code: string, message: string): Validated {
  const remedy = 'Send the arguments again as one JSON object that matches the schema of the tool.'
  return {
    ok: false,
    failure: failureContract('tool_validation', { source: tool.name, reason_code, message, remedy, recoverability: 'retryable' }),
  }
}
