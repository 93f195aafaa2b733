import { expect, test } from 'vitest'
import { canBeWorkflow } from './make-workflow.tsx'

test('a workflow is offered only for runs that can become one', () => {
  const cases = [
    { state: 'running', turns: 3 },
    { state: 'paused', turns: 3 },
    { state: 'completed', turns: 1 },
    { state: 'completed', turns: 2 },
    { state: 'completed' },
    // Its first turn may have made calls.
    { state: 'canceled', turns: 1 },
    { state: 'failed', turns: 1 },
  ] as const
  expect(cases.map(canBeWorkflow)).toEqual([false, false, false, true, true, true, true])
})
