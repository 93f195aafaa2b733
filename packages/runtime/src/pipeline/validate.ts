// The arguments a model sent and the result a tool returned, checked against the tool's schemas. Compiled once per tool.
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
  const validator = validatorOf(tool.input)
  if (validator.Check(input)) return { ok: true, input }
  const problems = validationText(validator.Errors(input), 'the arguments', 5)
  return wrong(tool, 'invalid_arguments', `the arguments of ${tool.name} are not valid: ${problems}`)
}

/** What in a result does not match the output schema of its tool; null when all of it does. */
export function outputProblem(tool: Pick<Tool, 'output'>, output: unknown): string | null {
  const validator = validatorOf(tool.output)
  return validator.Check(output) ? null : validationText(validator.Errors(output), 'the result', 5)
}

/** Told of a result that does not match the schema of its tool. */
export type Mismatch = (tool: string, problem: string) => void

/** Such a result is a bug of the tool. The tests set the variable, and fail; for a user the log has a line, and the result counts as it is. */
export function openMismatch(log: (line: string) => void, isStrict = process.env.TANDEM_STRICT_RESULTS === '1'): Mismatch {
  return (tool, problem) => {
    const line = `the result of ${tool} does not match its output schema: ${problem}`
    if (isStrict) throw new Error(line)
    log(line)
  }
}

function validatorOf(schema: TSchema): Validator {
  const validator = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, validator)
  return validator
}

function wrong(tool: Tool, reason_code: string, message: string): Validated {
  const remedy = 'Send the arguments again as one JSON object that matches the schema of the tool.'
  return {
    ok: false,
    failure: failureContract('tool_validation', { source: tool.name, reason_code, message, remedy, recoverability: 'retryable' }),
  }
}
