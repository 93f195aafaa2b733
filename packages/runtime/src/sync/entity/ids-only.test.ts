import type { RunStep, ToolCall } from '@tandem/contract/run'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callWithIds, idsIn, stepWithIds } from './ids-only.ts'

test.each<[string, unknown, unknown]>([
  ['an id', { memory_id: 'm1', text: 'secret' }, { memory_id: 'm1' }],
  ['ids in a list', { ids: ['a', 'b'], texts: ['secret'] }, { ids: ['a', 'b'] }],
  ['nested ids, in their structure', { found: [{ id: 'a', text: 'x' }, { text: 'y' }] }, { found: [{ id: 'a' }] }],
  ['a text in place of an id', { id: 'a sentence that says something' }, null],
  ['a number in place of an id', { id: 7 }, null],
  ['in a list of ids, only valid ones', { ids: ['a', 'not one', 7] }, { ids: ['a'] }],
  ['a field whose name only resembles one', { said: 'secret', grid: 'secret', idea: 'secret' }, null],
  ['a key that is content', { by_topic: { 'my secret': { id: 'm1' } }, 'the whole secret_id': 'x' }, null],
  ['no object', 'secret', null],
  ['nothing', null, null],
])('%s', (_what, value, kept) => {
  expect(idsIn(value)).toEqual(kept)
})

test('whatever a value contains, only fields that are ids by name and format are left', () => {
  const value = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.constant('an-id'),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.constantFrom('id', 'ids', 'memory_id', 'text', 'nested', 'word_ids'), fc.string()), tie('json'), {
        maxKeys: 4,
      }),
    ),
  })).json
  const texts = (kept: unknown): unknown[] => {
    if (Array.isArray(kept)) return kept.flatMap(texts)
    if (typeof kept === 'object' && kept !== null) return Object.entries(kept).flatMap(([name, field]) => [name, ...texts(field)])
    return kept === null ? [] : [kept]
  }
  fc.assert(
    fc.property(value, (given) => {
      for (const text of texts(idsIn(given))) expect(text).toMatch(/^[\w.:-]{1,200}$/)
      // Applying it again changes nothing.
      expect(idsIn(idsIn(given))).toEqual(idsIn(given))
    }),
  )
})

const place = { step_id: 's', run_id: 'r', conversation_id: 'c', agent_id: 'a', device_id: 'd', seq: 1, ts: '2026-03-01T09:00:00.000Z' }
const failure = {
  taxonomy: 'tool_failure' as const,
  stage: 'tool_execution' as const,
  source: 'memory.add',
  reason_code: 'too_long',
  recoverability: 'retryable' as const,
  details: { message: 'SECRET is too long', subject: 'SECRET', remedy: 'Shorten SECRET' },
}
const secret = '{"text":"SECRET","memory_id":"m1"}'

test.each<[string, object]>([
  ['a call', { kind: 'tool.call', call_id: 'x', tool: 'memory.add', arguments: secret, arguments_file_id: 'f' }],
  ['a call whose arguments are not JSON', { kind: 'tool.call', call_id: 'x', tool: 'memory.add', arguments: 'SECRET' }],
  [
    'its result',
    {
      kind: 'tool.result',
      call_id: 'x',
      outcome: 'failed',
      output: JSON.parse(secret),
      output_file_id: 'f',
      truncated: true,
      failure_contract: failure,
    },
  ],
  [
    'its approval',
    {
      kind: 'approval.requested',
      approval: {
        ...{ approval_id: 'p', call_id: 'x', tool: 'memory.add', arguments: secret, working_directory: null, fingerprint: 'f' },
        ...{ touches: ['SECRET'], protected: ['SECRET'], unprotected: ['SECRET'], remembers: [{ kind: 'tool' }] },
        ...{ warnings: ['SECRET'], notes: ['SECRET'], choices: ['once'], arguments_file_id: 'f' },
      },
    },
  ],
  ['the answer', { kind: 'approval.answered', approval_id: 'p', call_id: 'x', answer: 'once', reason: 'SECRET', edited_arguments: secret }],
])('%s is sent without its content', (_what, step) => {
  const leaves = JSON.stringify(stepWithIds({ ...place, ...step } as RunStep))
  expect(leaves).not.toMatch(/SECRET|"(?:arguments|output)_file_id"/)
  expect(leaves).toContain('"x"')
})

test('other steps, and the record of the call, keep their content', () => {
  const paused = { ...place, kind: 'run.paused', reason: 'user' } as RunStep
  expect(stepWithIds(paused)).toBe(paused)
  const call = {
    call_id: 'x',
    arguments: '{"memory_id":"m1"}',
    output: JSON.parse(secret),
    output_file_id: 'f',
    truncated: true,
    failure_contract: failure,
  }
  const leaves = callWithIds(call as unknown as ToolCall)
  expect(leaves).toMatchObject({ arguments: '{"memory_id":"m1"}', output: { memory_id: 'm1' }, truncated: false })
  expect(JSON.stringify(leaves)).not.toMatch(/SECRET|output_file_id/)
})
