// The examples of docs/workflows.md can be used as they are.
import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/schema'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { workflowEditorSchema } from './editor-schema.ts'
import { readWorkflowText } from './workflow-text.ts'

const document = readFileSync(new URL('../../../../../docs/workflows.md', import.meta.url), 'utf8')
const examples = [...document.matchAll(/```(?:yaml|json)\n(.*?)```/gs)].map(([, text = '']) => text)
const validator = Compile(workflowEditorSchema())

test('they are found', () => {
  expect(examples).toHaveLength(5)
})

test.each(examples)('%#', (text) => {
  const read = readWorkflowText(text)
  expect(read.ok ? [] : read.issues).toEqual([])
  expect(validator.Check(parse(text))).toBe(true)
})
