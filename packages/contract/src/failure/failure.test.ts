import { expect, test } from 'vitest'
import { classifyFailure, failureStages } from './index.ts'

test.each([
  [{ stage: 'policy_enforcement' }, 'policy_failure'],
  [{ stage: 'sandbox_enforcement' }, 'sandbox_failure'],
  [{ stage: 'tool_execution', blocked_by_sandbox: true }, 'sandbox_failure'],
  [{ stage: 'tool_execution' }, 'none'],
  [{ stage: 'restore', opaque_restore: true }, 'degraded_recovery'],
  [{ stage: 'restore' }, 'none'],
  [{ stage: 'resume' }, 'resume_failure'],
] as const)('%o is %s', (cause, taxonomy) => {
  expect(classifyFailure(cause)).toBe(taxonomy)
})

test('every stage that is not in the table is `none`', () => {
  const named = ['policy_enforcement', 'sandbox_enforcement', 'resume']
  for (const stage of failureStages) if (!named.includes(stage)) expect(classifyFailure({ stage })).toBe('none')
})
