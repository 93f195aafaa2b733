import fc from 'fast-check'
import { Errors } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { endedCommand } from '../../test/support/output-samples.ts'
import type { FailureContract } from '../failure/index.ts'
import type { RunStep } from '../run/index.ts'
import { type Card, cardKinds, projectCards } from './index.ts'
import { Card as CardSchema } from './schema.ts'

const id = (name: string) => `00000000-0000-7000-8000-${name.padStart(12, '0')}`
const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: false }
const failure: FailureContract = {
  taxonomy: 'sandbox_failure',
  stage: 'tool_execution',
  source: 'shell.exec',
  reason_code: 'write_denied',
  recoverability: 'user_action',
  details: { message: 'no' },
}
const approval = {
  approval_id: id('a1'),
  call_id: 'c1',
  tool: 'fs.write',
  arguments: '{"path":"a"}',
  working_directory: null,
  fingerprint: '0'.repeat(64),
  touches: ['a'],
  protected: ['a'],
  unprotected: [],
  remembers: [],
  warnings: [],
  choices: ['once', 'no'] as ('once' | 'no')[],
}

const resume = {
  run_id: id('1'),
  resumed_from: 'restore' as const,
  checkpoint_id: null,
  cursor_seq: 3,
  pending_calls: [],
  pending_approvals: [],
  pending_question: null,
  policy_rechecked: true,
}

type StepBody<Step = RunStep> = Step extends RunStep
  ? Omit<Step, 'step_id' | 'run_id' | 'conversation_id' | 'agent_id' | 'device_id' | 'seq' | 'ts'>
  : never

/** Steps of one run, numbered from 1. */
function journal(...bodies: StepBody[]): RunStep[] {
  return bodies.map(
    (body, index) =>
      ({
        step_id: id(`50${index}`),
        run_id: id('1'),
        conversation_id: id('2'),
        agent_id: 'agent',
        device_id: 'laptop',
        seq: index + 1,
        ts: `2026-01-01T00:00:0${index % 10}.000Z`,
        ...body,
      }) as RunStep,
  )
}

const whole = journal(
  { kind: 'run.started', title: 'Tidy up', model: 'demo/scripted', sandbox_mode: 'workspace', message_id: id('3') },
  { kind: 'thinking', thinking_id: 't', text: 'Hm', complete: false },
  { kind: 'thinking', thinking_id: 't', text: 'Hm, yes.', complete: true },
  { kind: 'todos.changed', todos: [{ id: '1', title: 'look', state: 'pending', state_ts: '2026-01-01T00:00:00.000Z' }] },
  { kind: 'tool.call', call_id: 'c1', tool: 'fs.write', arguments: '{"path":"a"}' },
  { kind: 'approval.requested', approval },
  { kind: 'run.paused', reason: 'approval' },
  { kind: 'approval.answered', approval_id: id('a1'), call_id: 'c1', answer: 'once', reason: null, edited_arguments: '{"path":"b"}' },
  { kind: 'checkpoint.created', checkpoint_id: id('c'), restore_kind: 'filesystem_snapshot', call_id: 'c1' },
  { kind: 'tool.started', call_id: 'c1' },
  { kind: 'tool.result', call_id: 'c1', outcome: 'failed', output: { bytes: 0 }, truncated: false, failure_contract: failure },
  { kind: 'context.compacted', tokens_before: 900, tokens_after: 100, summary: 'short' },
  { kind: 'mcp.status', server_id: 'files', name: 'Files', state: 'connected', message: null, heartbeat_at: null },
  { kind: 'workflow.status', workflow_run_id: id('9'), name: 'Nightly', state: 'running', nodes_done: 1, nodes_total: 2 },
  {
    kind: 'question.asked',
    question: { question_id: id('7'), call_id: 'c2', question: 'Which?', options: [], multiple: false, allows_text: true },
  },
  { kind: 'question.answered', question_id: id('7'), answer: { chosen: [], text: 'the blue one' } },
  { kind: 'run.failed', usage, failure_contract: failure },
)

describe('a run as cards', () => {
  const cards = projectCards(whole)
  const find = <Kind extends Card['kind']>(kind: Kind) => cards.find((card): card is Extract<Card, { kind: Kind }> => card.kind === kind)

  test('has a card of every kind', () => {
    expect([...new Set(cards.map((card) => card.kind))].sort()).toEqual([...cardKinds].sort())
  })

  test('matches the schema', () => {
    for (const card of cards) expect([...Errors(CardSchema, card)]).toEqual([])
  })

  test('settles the call, with the arguments it ran with', () => {
    expect(find('ToolCall')).toMatchObject({ state: 'failed', arguments: '{"path":"b"}', checkpoint_id: id('c'), approval, seq: 5 })
    expect(find('ToolResult')).toMatchObject({ tool: 'fs.write', outcome: 'failed', failure_contract: failure, seq: 11 })
  })

  test('keeps the position of a card', () => {
    expect(find('Thinking')).toMatchObject({ text: 'Hm, yes.', complete: true, seq: 2 })
  })

  test('shows how the run ended, and why', () => {
    expect(find('RunStatus')).toMatchObject({ state: 'failed', pause_reason: null, title: 'Tidy up', device_id: 'laptop' })
    expect(find('Error')).toMatchObject({ failure_contract: failure })
    expect(find('QuestionCard')).toMatchObject({ answer: { text: 'the blue one' } })
  })

  test('does not depend on the order of its steps, or on duplicates', () => {
    const step = fc.constantFrom(...whole)
    fc.assert(
      fc.property(fc.shuffledSubarray(whole, { minLength: whole.length }), fc.array(step), (steps, repeated) => {
        expect(projectCards([...steps, ...repeated])).toEqual(cards)
      }),
    )
  })

  test('grows with its steps: no card moves or disappears', () => {
    for (let length = 1; length < whole.length; length += 1) {
      const place = (steps: RunStep[]) => projectCards(steps).map((card) => [card.card_id, card.seq])
      expect(place(whole.slice(0, length + 1)).slice(0, place(whole.slice(0, length)).length)).toEqual(place(whole.slice(0, length)))
    }
  })
})

test('each answer to an approval is shown on the call', () => {
  const upTo = (answer: 'once' | 'this_run' | 'always' | 'no') =>
    projectCards(
      journal(
        { kind: 'tool.call', call_id: 'c1', tool: 'fs.write', arguments: '{}' },
        { kind: 'approval.requested', approval },
        {
          kind: 'approval.answered',
          approval_id: id('a1'),
          call_id: 'c1',
          answer,
          reason: answer === 'no' ? 'not there' : null,
          edited_arguments: null,
        },
      ),
    )[0]
  expect(upTo('no')).toMatchObject({ state: 'denied', denial_reason: 'not there', arguments: '{}' })
  for (const answer of ['once', 'this_run', 'always'] as const)
    expect(upTo(answer)).toMatchObject({ state: 'approved', denial_reason: null })
})

test.each([
  [0, 'succeeded'],
  [1, 'failed'],
])('a command that exits with %i is shown as %s', (exit_code, shown) => {
  const output = { ...endedCommand, exit_code }
  const cards = projectCards(
    journal(
      { kind: 'run.started', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null },
      { kind: 'tool.call', call_id: 'c1', tool: 'shell.exec', arguments: '{"command":"make"}' },
      { kind: 'tool.result', call_id: 'c1', outcome: 'succeeded', output, truncated: false, failure_contract: null },
    ),
  )
  expect(cards.slice(1)).toMatchObject([
    { kind: 'ToolCall', state: shown },
    { kind: 'ToolResult', outcome: shown },
  ])
})

describe('a restore', () => {
  const upTo = journal(
    { kind: 'run.started', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null },
    { kind: 'todos.changed', todos: [] },
    { kind: 'tool.call', call_id: 'c1', tool: 'fs.write', arguments: '{"path":"a"}' },
  )
  const after = journal(
    ...Array.from({ length: 3 }, (): StepBody => ({ kind: 'message.completed', message_id: id('9') })),
    { kind: 'tool.started', call_id: 'c1' },
    { kind: 'tool.result', call_id: 'c1', outcome: 'succeeded', output: 1, truncated: false, failure_contract: null },
    { kind: 'todos.changed', todos: [{ id: '1', title: 'look', state: 'completed', state_ts: '2026-01-01T00:00:00.000Z' }] },
    { kind: 'run.completed', usage },
    { kind: 'checkpoint.restored', checkpoint_id: id('c'), cursor_seq: 3, set_aside_message_ids: [], failure_contract: null },
  ).slice(3)

  test('returns every card to its earlier state, sets aside what came later, and deletes nothing', () => {
    const cards = projectCards([...upTo, ...after])
    expect(cards.map((card) => [card.card_id, card.set_aside])).toEqual([
      [`run:${id('1')}`, false],
      [`todos:${id('1')}`, false],
      ['call:c1', false],
      ['result:c1@8', true],
    ])
    expect(cards[0]).toMatchObject({ kind: 'RunStatus', state: 'paused', pause_reason: 'restore' })
    expect(cards[1]).toMatchObject({ kind: 'TodoCard', todos: [] })
    expect(cards[2]).toMatchObject({ kind: 'ToolCall', state: 'requested' })
  })

  test('allows the same call to run again', () => {
    const again = journal(
      ...Array.from({ length: 8 }, (): StepBody => ({ kind: 'message.completed', message_id: id('9') })),
      { kind: 'run.resumed', resume_contract: resume },
      { kind: 'tool.result', call_id: 'c1', outcome: 'failed', output: 2, truncated: false, failure_contract: failure },
    ).slice(8)
    const cards = projectCards([...upTo, ...after, ...again])
    expect(cards.filter((card) => card.kind === 'ToolResult').map((card) => [card.card_id, card.set_aside, card.outcome])).toEqual([
      ['result:c1@8', true, 'succeeded'],
      ['result:c1', false, 'failed'],
    ])
    expect(cards[0]).toMatchObject({ state: 'running' })
  })

  test('is the state at its cursor, whatever was reverted before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: whole.length }), fc.integer({ min: 1, max: whole.length + 1 }), (first, second) => {
        const restore = (seq: number, cursor_seq: number): RunStep => ({
          ...(whole[0] as RunStep),
          step_id: id(`77${seq}`),
          seq,
          kind: 'checkpoint.restored',
          checkpoint_id: id('c'),
          cursor_seq,
          set_aside_message_ids: [],
          failure_contract: null,
        })
        const steps = [...whole, restore(whole.length + 1, first), restore(whole.length + 2, second)]
        const living = (some: RunStep[]) => projectCards(some).filter((card) => !card.set_aside && card.kind !== 'RunStatus')
        const cursor = second === whole.length + 1 ? first : second
        expect(living(steps)).toEqual(living(whole.filter((step) => step.seq <= cursor)))
        expect(projectCards(steps).length).toBeGreaterThanOrEqual(projectCards(whole).length)
      }),
    )
  })
})

test('a long run with many restores is projected without reprocessing it for each restore', () => {
  const turns = 20_000
  const steps = Array.from({ length: turns }, (_, index): StepBody => {
    if (index === 0) return { kind: 'run.started', title: 'Long', model: 'demo/scripted', sandbox_mode: 'workspace', message_id: null }
    if (index % 4_000 === 0)
      return {
        kind: 'checkpoint.restored',
        checkpoint_id: id('c'),
        cursor_seq: index - 1_000,
        set_aside_message_ids: [],
        failure_contract: null,
      }
    return { kind: 'thinking', thinking_id: `t${index}`, text: 'Hm', complete: true }
  })
  const cards = projectCards(journal(...steps))
  const aside = cards.filter(({ set_aside }) => set_aside).length
  // Four restores, each of which reverted the thousand steps before it.
  expect({ cards: cards.length, aside }).toEqual({ cards: turns - 4, aside: 4 * 1_000 })
})
