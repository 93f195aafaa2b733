import fc from 'fast-check'
import { Check } from 'typebox/value'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { PolicyCandidate, PolicyCandidateValidation } from '../policy-candidate/index.ts'
import { sampleOf } from '../sample.ts'
import { type CommandParams, type CommandResult, commandAreas, commandErrors, commandNames, isCommandName } from './index.ts'
import { commands } from './schema.ts'

const run_id = '01890a5d-ac96-774b-bcce-b302099a8057'

test('every name stands in one area and has one schema', () => {
  expect(commandNames).toEqual([...new Set(commandNames)])
  expect(Object.keys(commands).toSorted()).toEqual(commandNames.toSorted())
  expect(Object.values(commandAreas).flat()).toEqual(commandNames)
})

test('a name is a command only if the table has it', () => {
  expect(isCommandName('memory_search')).toBe(true)
  expect(isCommandName('toString')).toBe(false)
})

test('every list takes a limit and a cursor, and answers with a page', () => {
  const paged = commandNames.filter((name) => name.includes('_list_') || name.startsWith('list_'))
  expect(paged).toHaveLength(9)
  for (const name of paged) {
    const { params, result } = commands[name]
    expect(Object.keys('properties' in params ? params.properties : {})).toEqual(expect.arrayContaining(['limit', 'cursor']))
    expect(Object.keys('properties' in result ? result.properties : {})).toEqual(['items', 'next_cursor'])
  }
})

describe('an answer', () => {
  const { params } = commands.agent_run_resume
  const approval = { kind: 'approval', approval_id: run_id, fingerprint: 'a'.repeat(64) }

  test.each([
    ['yes, once', { ...approval, answer: 'once' }, true],
    ['yes, with other arguments', { ...approval, answer: 'this_run', edited_arguments: '{}' }, true],
    ['no, and why', { ...approval, answer: 'no', reason: 'the wrong file' }, true],
    ['no without a reason', { ...approval, answer: 'no' }, false],
    ['no with other arguments', { ...approval, answer: 'no', reason: 'x', edited_arguments: '{}' }, false],
    ['to a question', { kind: 'question', question_id: run_id, answer: { chosen: ['a'], text: null } }, true],
    ['to a question, in words', { kind: 'question', question_id: run_id, answer: { chosen: [], text: 'neither' } }, true],
    ['to a question, saying nothing', { kind: 'question', question_id: run_id, answer: { chosen: [], text: null } }, false],
    ['to a question, with a decision', { kind: 'question', question_id: run_id, answer: 'once' }, false],
  ])('%s', (_title, answer, fits) => {
    expect(Check(params, { run_id, answer })).toBe(fits)
  })
})

test('a preview decides nothing about conflicts, a restore must', () => {
  const { params } = commands.agent_run_restore_checkpoint
  const one = { run_id, checkpoint_id: run_id }
  expect(Check(params, { ...one, action: 'preview' })).toBe(true)
  expect(Check(params, { ...one, action: 'preview', on_conflict: 'keep' })).toBe(false)
  expect(Check(params, { ...one, action: 'restore' })).toBe(false)
  expect(Check(params, { ...one, action: 'restore', on_conflict: 'keep' })).toBe(true)
})

test('a candidate comes with all of its validations', () => {
  fc.assert(
    fc.property(sampleOf(commands.agent_run_get_policy_candidate.result), (detail) => {
      expect(Object.keys(detail).toSorted()).toEqual(['candidate', 'validations'])
    }),
  )
})

test('types follow the schemas', () => {
  expectTypeOf<CommandParams<'resume_agent_run'>>().toEqualTypeOf<{ run_id: string }>()
  expectTypeOf<CommandParams<'agent_run_resume'>['answer']['kind']>().toEqualTypeOf<'approval' | 'question'>()
  expectTypeOf<CommandResult<'agent_run_get_policy_candidate'>>().toEqualTypeOf<{
    candidate: PolicyCandidate
    validations: PolicyCandidateValidation[]
  }>()
})

test('every error says what it is and what to do', () => {
  for (const [code, { title, remedy }] of Object.entries(commandErrors)) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
    expect(title).toMatch(/^[A-Z].*[^.]$/)
    expect(remedy).toMatch(/^[A-Z].*\.$/)
  }
})
