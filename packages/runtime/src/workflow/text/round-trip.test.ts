// Whatever a valid workflow contains, its text gives the same workflow again.
import { checkWorkflow } from '@tandem/contract/workflow'
import { WorkflowContent as WorkflowContentSchema } from '@tandem/contract/workflow/schema'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { generatedWorkflow } from '../../../test/support/workflow/test-workflow.ts'
import { readWorkflowText, workflowText } from './workflow-text.ts'

test.each(['yaml', 'json'] as const)('%s', (format) => {
  fc.assert(
    fc.property(generatedWorkflow, (content) => {
      expect([Check(WorkflowContentSchema, content), checkWorkflow(content.definition)]).toEqual([true, []])
      const stored = Buffer.from(workflowText(content, format)).toString()
      expect(readWorkflowText(stored)).toEqual({ ok: true, content })
    }),
    { numRuns: 200 },
  )
})

test('no text makes the reader throw', () => {
  const pieces = [
    'name: a\n',
    'nodes:\n',
    '  - id: a\n',
    '    kind: wait\n',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ': ',
    '- ',
    '&a ',
    '*a',
    '!t ',
    '\n',
    '\t',
    '|',
    '#',
    '{{inputs.x}}',
    '<<',
    '__proto__',
  ]
  const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 30 })
  fc.assert(
    fc.property(text, (parts) => {
      const read = readWorkflowText(parts.join(''))
      expect(read.ok || read.issues.length > 0).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})
