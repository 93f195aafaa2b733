import type { FailureContract } from '@tandem/contract/failure'
import { expect, test } from 'vitest'
import { failureText } from './failure-text.ts'

const contract = (reason_code: string, message: string, recoverability: FailureContract['recoverability']): FailureContract => ({
  ...{ taxonomy: 'none', stage: 'tool_execution', source: 'fs.read', reason_code, recoverability },
  details: { message, remedy: 'List the folder.' },
})

test.each([
  [contract('denied_by_user', 'the user denied the call', 'terminal'), 'You denied this call.'],
  [contract('denied_by_user', 'the user denied the call: not today', 'terminal'), 'You denied this call: Not today.'],
  [contract('not_found', 'a.md does not exist', 'retryable'), 'a.md does not exist.'],
  [contract('not_found', 'a.md does not exist', 'user_action'), 'a.md does not exist. List the folder.'],
])('%j', (failure_contract, text) => {
  expect(failureText({ failure_contract })).toBe(text)
})
