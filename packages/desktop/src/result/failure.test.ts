import type { FailureContract } from '@tandem/contract/failure'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Failure } from './failure.tsx'

const contract: FailureContract = {
  taxonomy: 'degraded_recovery',
  stage: 'policy_enforcement',
  source: 'checkpoint',
  reason_code: 'opaque_restore',
  recoverability: 'user_action',
  details: {
    message: 'the disk is full',
    remedy: 'Free up space.',
    facts: [
      { name: 'not_restored', value: 'a.txt' },
      { name: 'newer_name', value: 'b' },
    ],
  },
}

test('a failure is shown in sentences, and its names in words', () => {
  const text = renderToStaticMarkup(createElement(Failure, { contract })).replace(/(?:<[^>]*>)+/g, '|')
  expect(text).toBe(
    '|Restored, but a command may have had effects that could not be tracked.| The disk is full.|' +
      'How to fix|Free up space.|Where|checkpoint, policy enforcement|Error code|opaque_restore|Not restored|a.txt|newer name|b|',
  )
})
