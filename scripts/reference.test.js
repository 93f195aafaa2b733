import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { referenceFile, referenceText, workflowSchemaFile, workflowSchemaText } from './reference.ts'

test('docs/reference.md matches the contract; npm run reference updates it', () => {
  expect(readFileSync(referenceFile, 'utf8')).toBe(referenceText())
})

test('docs/reference/workflow.schema.json matches the contract, too', () => {
  expect(readFileSync(workflowSchemaFile, 'utf8')).toBe(workflowSchemaText())
})

test('it marks what is not available yet, and shows which parameters are optional', () => {
  const lines = referenceText().split('\n')
  const lineOf = (name) => lines.find((line) => line.startsWith(`| \`${name}\``))
  expect([lineOf('shell.exec'), lineOf('knowledge'), lineOf('paused')]).toEqual([
    '| `shell.exec` | scripts | `required` | none | yes | yes | available |',
    expect.stringMatching(/not available yet \|$/),
    expect.stringContaining('`running`'),
  ])
  expect(lineOf('agent_run_list_checkpoints')).toMatch(/\| `run_id`.*\?`.* \| available \|$/)
})
