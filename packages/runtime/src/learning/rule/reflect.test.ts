import { describe, expect, test } from 'vitest'
import { type TestCall, testContract, testRunFacts } from '../../../test/support/learning/test-run-facts.ts'
import { type Cause, reflect } from './reflect.ts'
import type { RunFacts } from './run-facts.ts'

const cause: Cause = {
  ...{ summary: 'A file or folder does not exist.', stage: 'tool_execution', taxonomy: 'none', tool: 'shell.exec', program: 'cat' },
  ...{ because: 'because a file or folder does not exist', repaired: false, helped: null, runs: 1 },
}
const write: TestCall = { tool: 'fs.write', arguments: { path: 'a' } }
const read: TestCall = { tool: 'fs.read', arguments: { path: 'a' } }
const steps = [read, write, read, write]

function learned(calls: readonly TestCall[], more: Partial<RunFacts> = {}, root: Cause | null = null) {
  return reflect(testRunFacts('run', calls, more), 'success', { root, repaired: null })
}

describe('what is missing: the first rule that applies', () => {
  test.each<[string, ReturnType<typeof learned>, object | null]>([
    [
      'a policy that refuses the same in three runs',
      learned([], { corrected: true }, { ...cause, taxonomy: 'policy_failure', runs: 3 }),
      { gap_kind: 'policy_gap', rationale: 'The policy refused it in 3 runs.' },
    ],
    ['a policy that refused it in two runs', learned([], {}, { ...cause, taxonomy: 'policy_failure', runs: 2 }), null],
    [
      'a correction',
      learned(steps, { corrected: true }, { ...cause, runs: 3 }),
      { gap_kind: 'knowledge_gap', rationale: 'You corrected what the run said or did.' },
    ],
    [
      'a failure in three runs',
      learned([], {}, { ...cause, runs: 3 }),
      { gap_kind: 'skill_gap', rationale: 'The same failure occurred in 3 runs.' },
    ],
    ['a failure in two runs', learned([], {}, { ...cause, runs: 2 }), null],
    ['one that was repaired', learned([], {}, { ...cause, runs: 3, repaired: true }), null],
    ['steps that could be a workflow', learned(steps), { gap_kind: 'workflow_gap', rationale: 'Its steps could run as a workflow.' }],
    ['nothing', learned([read]), null],
  ])('%s', (_name, { recommended_skill_gap_analysis }, gap) => {
    expect(recommended_skill_gap_analysis).toEqual(gap)
  })
})

describe('a workflow', () => {
  test('is recommended with the steps that succeeded', () => {
    const failed: TestCall = { ...read, failure_contract: testContract('not_found') }
    expect(learned([failed, ...steps]).recommended_workflow_extraction).toEqual({
      title: 'Make a workflow from this run',
      rationale: '4 steps succeeded, 2 of them could change files, and you did not object to any.',
      tools: ['fs.read', 'fs.write', 'fs.read', 'fs.write'],
      step_ids: ['run-1', 'run-2', 'run-3', 'run-4'],
    })
  })

  test.each<[string, ReturnType<typeof learned>]>([
    ['three steps', learned(steps.slice(1))],
    ['steps that only read', learned([read, read, read, read])],
    ['a step that a restore undid', reflect(undone(), 'success', { root: null, repaired: null })],
    ['a run that no person asked for', learned(steps, { asked_by_person: false })],
    ['a run that did not go well', reflect(testRunFacts('run', steps), 'partial', { root: null, repaired: null })],
  ])('is not recommended for %s', (_name, { recommended_workflow_extraction }) => {
    expect(recommended_workflow_extraction).toBeNull()
  })
})

function undone(): RunFacts {
  const facts = testRunFacts('run', steps)
  return { ...facts, calls: facts.calls.map((call, at) => ({ ...call, undone: at === 0 })) }
}

describe('the root cause, if no failure is one', () => {
  test.each<[string, ReturnType<typeof learned>]>([
    ['You canceled the run.', learned([], { trigger: 'canceled' })],
    ['You restored an earlier point.', learned([], { restores: 1 })],
    ['You corrected the result.', learned([], { corrected: true })],
    [
      'Some calls failed, but the run did not need them or repaired them.',
      learned([{ ...read, failure_contract: testContract('not_found') }]),
    ],
    ['Nothing failed.', learned([read])],
  ])('%s', (text, { root_cause, affected_subsystem }) => {
    expect([root_cause, affected_subsystem]).toEqual([text, 'none'])
  })
})

test('a lesson needs to say when it applies, and something that helped', () => {
  const lesson = (repaired: Cause) => reflect(testRunFacts('run', []), 'success', { root: null, repaired }).recommended_memory_writeback
  expect([lesson(cause), lesson({ ...cause, because: null, helped: 'Ran touch.' })]).toEqual([null, null])
  expect(lesson({ ...cause, helped: 'Ran touch.', runs: 2 })).toEqual({
    memory_kind: 'semantic',
    content: 'When cat fails because a file or folder does not exist: Ran touch.',
    confidence: expect.closeTo(0.6),
  })
})
