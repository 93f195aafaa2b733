import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ToolResultCard } from '../store/thread.ts'
import { ResultBody } from './call-card.tsx'

const failed = {
  kind: 'ToolResult',
  tool: 'fs.edit',
  outcome: 'failed',
  output: { lines: [{ line: 3, text: 'similar' }], differs_in_space_at: null },
  truncated: false,
  failure_contract: {
    taxonomy: 'none',
    stage: 'tool_execution',
    source: 'fs.edit',
    reason_code: 'no_match',
    recoverability: 'user_action',
    details: { message: 'the text was not found' },
  },
} as ToolResultCard
const drawn = (result: ToolResultCard) => renderToStaticMarkup(createElement(ResultBody, { result }))

test('the JSON of a failure is closed below its description', () => {
  expect(drawn(failed)).toContain('The text was not found.')
  expect(drawn(failed)).toMatch(/<details class="group[^>]*><summary/)
  expect(drawn(failed)).not.toContain('differs_in_space_at')
})

test('a failure with a result of its tool shows it', () => {
  expect(
    drawn({
      ...failed,
      output: {
        path: 'a',
        replaced: [1],
        bytes: 1,
        sha256: 'a'.repeat(64),
        diff: '@@ -1 +1 @@\n-one\n+two',
        diff_truncated: false,
        lines_added: 1,
        lines_removed: 1,
      },
    }),
  ).toContain('+two')
})
