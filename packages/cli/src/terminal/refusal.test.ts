import { expect, test } from 'vitest'
import { codeText } from './refusal.ts'

test.each([
  [['runs'], {}, ''],
  [['runs', '--json'], {}, ' (not_found)'],
  [['run', '--', '--json'], {}, ''],
  [['command', 'agent_run_get', '{}'], {}, ' (not_found)'],
  [['runs'], { TANDEM_DEBUG: '1' }, ' (not_found)'],
])('with %j and %j, the code is shown as "%s"', (args, environment, text) => {
  expect(codeText('not_found', { args, environment })).toBe(text)
})
