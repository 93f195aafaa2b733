import { workflowNodeKinds } from '@tandem/contract/workflow'
import fc from 'fast-check'
import { Compile } from 'typebox/schema'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { generatedWorkflow } from '../../../test/support/workflow/test-workflow.ts'
import { type EditorSchema, workflowEditorSchema } from './editor-schema.ts'
import { readWorkflowText, workflowText } from './workflow-text.ts'

const schema = workflowEditorSchema()
const validator = Compile(schema)
const isValid = (text: string) => validator.Check(parse(text))

test('it accepts every workflow that is written', () => {
  fc.assert(
    fc.property(generatedWorkflow, (content) => {
      expect(isValid(workflowText(content, 'yaml'))).toBe(true)
    }),
    { numRuns: 100 },
  )
})

const read = '{ id: read, kind: tool, tool: fs.read, arguments: { path: a } }'
const valid = `name: A
inputs: [{ name: x, type: json, required: false, default_value: [1] }]
nodes:
  - ${read}
  - { id: again, kind: repeat, until: { expression: "true" }, most_rounds: 2 }
  - { id: full, kind: condition, within: again, condition: { left: a, comparison: exists } }
  - { id: all, kind: tool, within: again, tool: fs.read, arguments: "{{nodes.read.output}}" }
edges: [read -> again, { from: full, to: all, when: true }]
`

test('it refuses what the reader refuses', () => {
  expect([isValid(valid), readWorkflowText(valid).ok]).toEqual([true, true])
  const changes: readonly (readonly [string, string])[] = [
    ['name: A', 'title: A'],
    ['kind: tool', 'kind: step'],
    ['tool: fs.read', 'tool: 1'],
    ['arguments: { path: a }', 'args: { path: a }'],
    ['arguments: { path: a }', 'arguments: \'{"path":"a"}\''],
    ['arguments: { path: a }', 'arguments: [a]'],
    ['id: read', 'id: Read'],
    ['type: json', 'type: list'],
    ['required: false', 'required: no'],
    ['comparison: exists', 'comparison: is'],
    ['expression: "true"', 'expression: ""'],
    ['most_rounds: 2', 'most_rounds: many'],
    ['read -> again', 'read, again'],
    ['when: true', 'when: maybe'],
    ['left: a', 'left: 1'],
  ]
  for (const [from, to] of changes) {
    const text = valid.replace(from, to)
    expect([to, isValid(text), readWorkflowText(text).ok]).toEqual([to, false, false])
  }
})

test('it describes every field, has one form per kind and refers to nothing else', () => {
  const without = fieldsOf(schema, '').filter(([, { description }]) => !description || /undefined|\.\./.test(description))
  expect(without).toEqual([])
  const forms = schema.properties?.nodes?.items as { oneOf: EditorSchema[] } | undefined
  expect(forms?.oneOf.map(({ properties }) => properties?.kind?.const)).toEqual(workflowNodeKinds)
  expect(JSON.stringify(schema)).not.toContain('$ref')
})

/** All fields with their paths. */
function fieldsOf(part: unknown, path: string): [string, EditorSchema][] {
  if (typeof part !== 'object' || part === null) return []
  const { properties, ...rest } = part as EditorSchema
  const own = Object.entries(properties ?? {}).map(([name, field]): [string, EditorSchema] => [`${path}/${name}`, field])
  return [
    ...own,
    ...own.flatMap(([name, field]) => fieldsOf(field, name)),
    ...Object.values(rest).flatMap((value) => fieldsOf(value, path)),
  ]
}
