import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { PolicyCandidate, PolicyCandidateValidation } from '../policy-candidate/index.ts'
import { sampleOf } from '../sample.ts'
import { type CommandParams, type CommandResult, commandAreas, commandErrors, commandNames, isCommandName, rpcMethods } from './index.ts'
import { commands, RpcError, RpcNotification, RpcSubscription, RpcUnsubscription, RuntimeFile, SubscribeParams } from './schema.ts'

const run_id = '01890a5d-ac96-774b-bcce-b302099a8057'

test('every name is in one area and has one schema', () => {
  expect(commandNames).toEqual([...new Set(commandNames)])
  expect(Object.keys(commands).toSorted()).toEqual(commandNames.toSorted())
  expect(Object.values(commandAreas).flat()).toEqual(commandNames)
})

test('a name is a command only if the table has it', () => {
  expect(isCommandName('memory_search')).toBe(true)
  expect(isCommandName('toString')).toBe(false)
})

test('every list takes a limit and a cursor, and returns a page', () => {
  const paged = commandNames.filter((name) => /(?:^|_)list(?:_|$)/.test(name))
  expect(paged).toHaveLength(47)
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
    ['to a question, as text', { kind: 'question', question_id: run_id, answer: { chosen: [], text: 'neither' } }, true],
    ['to a question, empty', { kind: 'question', question_id: run_id, answer: { chosen: [], text: null } }, false],
    ['to a question, with an approval answer', { kind: 'question', question_id: run_id, answer: 'once' }, false],
  ])('%s', (_title, answer, fits) => {
    expect(Check(params, { run_id, answer })).toBe(fits)
  })
})

test('a preview takes no conflict resolution, a restore requires one', () => {
  const { params } = commands.agent_run_restore_checkpoint
  const one = { run_id, checkpoint_id: run_id }
  expect(Check(params, { ...one, action: 'preview' })).toBe(true)
  expect(Check(params, { ...one, action: 'preview', on_conflict: 'keep' })).toBe(false)
  expect(Check(params, { ...one, action: 'restore' })).toBe(false)
  expect(Check(params, { ...one, action: 'restore', on_conflict: 'keep' })).toBe(true)
})

test('a candidate includes all of its validations', () => {
  fc.assert(
    fc.property(sampleOf(commands.agent_run_get_policy_candidate.result), (detail) => {
      expect(Object.keys(detail).toSorted()).toEqual(['candidate', 'validations'])
    }),
  )
})

describe('the loopback channel', () => {
  const records = { RpcError, RpcNotification, RpcSubscription, RpcUnsubscription, RuntimeFile, SubscribeParams }

  test.each(Object.entries(records))('%s survives serialization, and unknown fields are refused', (_name, schema) => {
    fc.assert(
      fc.property(sampleOf(schema as TSchema), (sample) => {
        const received: unknown = JSON.parse(JSON.stringify(sample))
        expect(received).toEqual(sample)
        expect(Errors(schema, received)).toEqual([])
        expect(Check(schema, { ...Object(received), approved: true })).toBe(false)
      }),
      { numRuns: 20 },
    )
  })

  test('no method of the channel has the name of a command', () => {
    expect(rpcMethods.filter((name) => isCommandName(name))).toEqual([])
  })

  test('the file of a runtime can name only loopback', () => {
    const file = { pid: 1, url: 'http://127.0.0.1:4000/', token: 'a'.repeat(43), started_at: '2026-01-01T00:00:00.000Z' }
    const urls = ['http://evil.test:4000/', 'http://127.0.0.1.evil.test:4000/', 'http://127.0.0.1:4000/rpc', 'https://127.0.0.1:4000/']
    expect([file, ...urls.map((url) => ({ ...file, url }))].map((one) => Check(RuntimeFile, one))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

test('a model key is accepted and never returned', () => {
  expect(Check(commands.runtime_set_settings.params, { model_key: 'sk-1' })).toBe(true)
  expect(JSON.stringify(commands.runtime_set_settings.result)).not.toContain('"model_key"')
  expect(JSON.stringify(commands.runtime_get_settings.result)).not.toContain('"model_key"')
})

test('a password is accepted and never returned, and neither is a token', () => {
  const { params } = commands.account_sign_in
  const known = { cloud_url: 'https://cloud.example.org', email: 'mara@example.org', password: 'four green lanterns', account: 'known' }
  expect(
    [known, { ...known, cloud_url: 'https://mara:x@cloud.example.org' }, { ...known, account: 'both' }].map((one) => Check(params, one)),
  ).toEqual([true, false, false])
  for (const name of commandAreas.cloud) expect(JSON.stringify(commands[name].result)).not.toMatch(/password|token/)
})

test('an API key is returned once, when it is created', () => {
  const showing = commandAreas.cloud.filter((name) => /tandem_key_/.test(JSON.stringify(commands[name].result)))
  expect(showing).toEqual(['account_key_create'])
})

test.each([
  ['nine characters', { current_password: 'x', new_password: 'ninechars' }, false],
  ['ten characters', { current_password: 'x', new_password: 'ten charac' }, true],
  ['no current password', { new_password: 'four green lanterns' }, false],
])('a new password of %s', (_title, params, fits) => {
  expect(Check(commands.account_change_password.params, params)).toBe(fits)
})

test.each([
  ['one scope', { name: 'Editor', scopes: ['gateway'] }, true],
  ['both scopes', { name: 'Editor', scopes: ['gateway', 'sync'] }, true],
  ['no scope', { name: 'Editor', scopes: [] }, false],
  ['a scope that does not exist', { name: 'Editor', scopes: ['everything'] }, false],
  ['no name', { name: '', scopes: ['sync'] }, false],
])('an API key with %s', (_title, params, fits) => {
  expect(Check(commands.account_key_create.params, params)).toBe(fits)
})

test('no parameter of a command approves a call, except the answer to what was shown, and what a person approves with a workflow', () => {
  const approving = commandNames.filter((name) => /"(is_approved|covers_calls|approval_id)":/.test(JSON.stringify(commands[name].params)))
  expect(approving).toEqual(['agent_run_resume', 'workflow_save', 'workflow_approve'])
})

test('a todo is changed by its id, and created by its title', () => {
  const { params } = commands.todo_update
  const edits = [{ id: 'a', state: 'completed' }, { title: 'new' }, { id: 'a' }, { state: 'completed' }, { id: 'a', state_ts: 'x' }]
  expect(edits.map((edit) => Check(params, { conversation_id: run_id, edits: [edit] }))).toEqual([true, true, true, false, false])
})

test('types follow the schemas', () => {
  expectTypeOf<CommandParams<'resume_agent_run'>>().toEqualTypeOf<{ run_id: string }>()
  expectTypeOf<CommandParams<'agent_run_resume'>['answer']['kind']>().toEqualTypeOf<'approval' | 'question'>()
  expectTypeOf<CommandResult<'agent_run_get_policy_candidate'>>().toEqualTypeOf<{
    candidate: PolicyCandidate
    validations: PolicyCandidateValidation[]
  }>()
})

test('every error has a message and a remedy', () => {
  for (const [code, { title, remedy }] of Object.entries(commandErrors)) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
    expect(title).toMatch(/^[A-Z].*[^.]$/)
    expect(remedy).toMatch(/^[A-Z].*\.$/)
  }
})
