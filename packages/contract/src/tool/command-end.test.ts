import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endedCommand as ended } from '../../test/support/output-samples.ts'
import { toolOutcomes } from '../run/index.ts'
import { commandEnd, displayedOutcome } from './index.ts'

test.each([
  [ended, { kind: 'exited', code: 0 }, 'succeeded'],
  [{ ...ended, exit_code: 2 }, { kind: 'exited', code: 2 }, 'failed'],
  [{ ...ended, exit_code: null, signal: 'SIGKILL' }, { kind: 'killed', signal: 'SIGKILL' }, 'failed'],
  [{ ...ended, exit_code: null, signal: null }, { kind: 'killed', signal: null }, 'failed'],
  [{ ...ended, exit_code: null, signal: 'SIGTERM', timed_out: true }, { kind: 'timed_out' }, 'timed_out'],
  [{ ...ended, timed_out: true }, { kind: 'timed_out' }, 'timed_out'],
  [{ process_id: 'p', pid: 1, state: 'running' }, null, 'succeeded'],
  [{ exit_code: 2, of_an: 'unknown shape' }, null, 'succeeded'],
  ['exit_code', null, 'succeeded'],
  [null, null, 'succeeded'],
])('a command with the output %j', (output, end, outcome) => {
  for (const tool of ['shell.exec', 'script.run']) {
    expect([commandEnd(tool, output), displayedOutcome(tool, 'succeeded', output)]).toEqual([end, outcome])
  }
  expect([commandEnd('mcp.a.b', output), displayedOutcome('mcp.a.b', 'succeeded', output)]).toEqual([null, 'succeeded'])
})

test('only a success is shown as something else', () => {
  fc.assert(
    fc.property(fc.constantFrom(...toolOutcomes), fc.anything(), (outcome, output) => {
      const shown = displayedOutcome('shell.exec', outcome, output)
      expect(outcome === 'succeeded' || shown === outcome).toBe(true)
    }),
  )
})
