import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { cutSample, mcpSamples, outputSamples } from '../../../test/support/output-samples.ts'
import { isBuilt } from '../../built/index.ts'
import { toReadSchema } from '../../entity/index.ts'
import { QuestionAnswer } from '../../run/schema.ts'
import { sampleOf } from '../../sample.ts'
import { todoStates } from '../../sync/schema.ts'
import { builtinToolNames } from '../index.ts'
import { AskUserOutput, McpOutput, outputSummary, readOutput, TodosOutput, TruncatedOutput, toolOutputs } from './index.ts'
import { matcherOf } from './matcher.ts'

interface OutputCase {
  readonly tool: string
  /** The result of `readOutput`. */
  readonly as: string
  readonly schema: TSchema
  readonly samples: readonly { readonly output: object; readonly summary: string }[]
}

const names = Object.keys(toolOutputs) as (keyof typeof toolOutputs)[]
const rows: readonly OutputCase[] = [
  ...names.map((tool) => ({ tool, as: tool, schema: toolOutputs[tool], samples: outputSamples[tool] })),
  { tool: 'mcp.weather.today', as: 'mcp', schema: McpOutput, samples: mcpSamples },
  { tool: 'fs.read', as: 'cut', schema: TruncatedOutput, samples: [cutSample] },
]

/** The same value with a field of the next version in each of its objects. */
function later(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(later)
  if (typeof value !== 'object' || value === null) return value
  return { ...Object.fromEntries(Object.entries(value).map(([name, field]) => [name, later(field)])), of_next_version: 'new' }
}

test('every tool that is built has an output', () => {
  const built = builtinToolNames.filter((tool) => isBuilt('tools', tool))
  expect(names.toSorted()).toEqual([...built, 'ask_user', 'skill.load', 'team.send', 'tool.search'].toSorted())
})

test.each(rows)('$as: its samples match, and with fields of the next version too', ({ tool, as, schema, samples }) => {
  const strict = Compile(schema)
  for (const { output } of samples) {
    expect([...strict.Errors(output)]).toEqual([])
    expect(readOutput(tool, output)).toEqual({ tool: as, output })
    const newer = later(output) as object
    // Header names are listed separately, and so are open schemas.
    expect(strict.Check(newer)).toBe(false)
    expect(readOutput(tool, newer)).toEqual({ tool: as, output: newer })
  }
})

test.each(rows)('$as: a sample without one of its fields, or with another value in it, does not match', ({ tool, schema, samples }) => {
  const strict = Compile(schema)
  let refused = 0
  for (const { output } of samples) {
    for (const name of Object.keys(output)) {
      const { [name]: _left, ...without } = output as Record<string, unknown>
      for (const wrong of [without, { ...output, [name]: { not: 'this' } }]) {
        if (strict.Check(wrong)) continue
        expect(readOutput(tool, wrong)).toEqual({ tool: null, output: wrong })
        refused += 1
      }
    }
  }
  expect(refused).toBeGreaterThan(0)
})

test.each(rows)('$as: each sample has its summary', ({ tool, samples }) => {
  expect(samples.map(({ output }) => outputSummary(tool, output))).toEqual(samples.map(({ summary }) => summary))
})

test.each(rows)('$as: every matching value has a one-line summary', ({ tool, as, schema }) => {
  fc.assert(
    fc.property(sampleOf(schema), (output) => {
      expect(readOutput(tool, output).tool).toBe(as)
      const line = outputSummary(tool, output)
      expect([line.includes('\n'), line.length <= 200]).toEqual([false, true])
    }),
    { numRuns: 50 },
  )
})

test.each(rows)('$as: our check and that of TypeBox agree', ({ schema }) => {
  const open = toReadSchema(schema) as TSchema
  const [ours, theirs] = [matcherOf(open), Compile(open)]
  const values = fc.oneof(sampleOf(schema).chain(damaged), fc.jsonValue())
  fc.assert(
    fc.property(values, (value) => {
      expect(ours(value)).toBe(theirs.Check(value))
    }),
    { numRuns: 200 },
  )
})

/** The value with one part of it replaced by something else, at any depth. */
function damaged(value: unknown): fc.Arbitrary<unknown> {
  const other = fc.oneof(fc.jsonValue(), fc.constantFrom('', -1, 1.5, null, 'A'.repeat(64), 'text', 'x'.repeat(501)))
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return other
  const withPart = (name: string, part: unknown) =>
    Array.isArray(value) ? value.map((item, index) => (String(index) === name ? part : item)) : { ...value, [name]: part }
  const inside = fc
    .constantFrom(...Object.keys(value))
    .chain((name) => damaged((value as Record<string, unknown>)[name]).map((part) => withPart(name, part)))
  return fc.oneof({ weight: 4, arbitrary: inside }, { weight: 1, arbitrary: other })
}

test('any JSON of any tool can be read and summarized', () => {
  const tools = fc.oneof(fc.constantFrom(...rows.map(({ tool }) => tool), 'constructor', '__proto__', 'workflow.start'), fc.string())
  fc.assert(
    fc.property(tools, fc.jsonValue(), (tool, output) => {
      expect(readOutput(tool, output).output).toBe(output)
      expect(outputSummary(tool, output).length).toBeLessThanOrEqual(200)
    }),
  )
})

test.each([
  ['plain words\nand more', 'plain words'],
  [null, ''],
  [3, '3'],
  [{ any: ['thing'] }, '{"any":["thing"]}'],
  ['x'.repeat(300), `${'x'.repeat(199)}…`],
])('%j of an unknown tool', (output, line) => {
  expect([readOutput('plugin.do', output), outputSummary('plugin.do', output)]).toEqual([{ tool: null, output }, line])
})

test('the same value as the result of another tool is read again', () => {
  const output = { path: 'a', entries: 1 }
  expect(readOutput('fs.delete', output).tool).toBe('fs.delete')
  expect(readOutput('fs.list', output).tool).toBe(null)
  expect(readOutput('fs.delete', output).tool).toBe('fs.delete')
})

test('copies made for the bundle of the window equal the originals of the contract', () => {
  expect(AskUserOutput).toEqual(QuestionAnswer)
  expect(TodosOutput.properties.todos.items.properties.state).toMatchObject({ enum: todoStates })
})

test('a keyword or a type that is not checked is an error', () => {
  expect(() => matcherOf({ type: 'string', format: 'uri' } as object)).toThrow('format')
  expect(() => matcherOf({ type: 'number' })).toThrow('number')
})
