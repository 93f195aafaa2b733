// `--output-schema`: the final answer as JSON that matches a JSON Schema.
import { readFileSync } from 'node:fs'
import { systemErrorText } from '@tandem/contract/system-error'

export interface OutputSchema {
  /** As JSON, for the model. */
  readonly text: string
  check(value: unknown): readonly string[]
}

export type ReadSchema = { readonly schema: OutputSchema } | { readonly complaint: string }

export async function readOutputSchema(path: string): Promise<ReadSchema> {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    return { complaint: `${path} cannot be read: ${systemErrorText(error)}` }
  }
  return await parseOutputSchema(content, path)
}

export async function parseOutputSchema(content: string, path: string): Promise<ReadSchema> {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return { complaint: `${path} is not valid JSON` }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { complaint: `${path} is not a JSON Schema` }
  try {
    // Loaded only when it is needed: every run starts faster.
    const { Compile } = await import('typebox/schema')
    const compiled = Compile(value)
    return {
      schema: {
        text: JSON.stringify(value),
        check(answer) {
          const [isGood, errors] = compiled.Errors(answer)
          return isGood ? [] : errors.map(({ instancePath, message }) => `${instancePath || 'the answer'} ${message}`)
        },
      },
    }
  } catch (error) {
    return { complaint: `${path} is not a JSON Schema: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Added to the task. */
export function schemaRequest({ text }: OutputSchema): string {
  return `When you are done, answer with JSON only, without any other text. It must match this JSON Schema:\n${text}`
}

export function correctionRequest(problems: readonly string[]): string {
  return `Your answer does not match the JSON Schema: ${problems.slice(0, 20).join('; ')}. Answer again with JSON only, without any other text.`
}

export type CheckedAnswer = { readonly json: string } | { readonly problems: readonly string[] }

/** Models like to put JSON into a code block: its content counts. */
export function checkAnswer(answer: string, schema: OutputSchema): CheckedAnswer {
  const text = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/.exec(answer.trim())?.[1] ?? answer
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problems: ['it is not valid JSON'] }
  }
  const problems = schema.check(value)
  return problems.length === 0 ? { json: JSON.stringify(value) } : { problems }
}
