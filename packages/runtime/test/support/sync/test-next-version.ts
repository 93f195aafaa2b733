// A conversation as the next version of Tandem might write it: fields, kinds of steps and events, and names that this one does not know.
import type { Change, ChangePayload, EntityType } from '@tandem/contract/sync'

export const ids = {
  run: uuid(1),
  conversation: uuid(2),
  message: uuid(3),
  answer: uuid(4),
  child: uuid(5),
  workflow_run: uuid(6),
  agent: 'agent',
} as const

const ts = '2026-03-01T08:00:00.000Z'
const strange = { of_next_version: { deep: [1, null, 'x'] } }
const usage = { input_tokens: 1, output_tokens: 2, cached_tokens: 0, estimated: false, ...strange }
const failure_contract = {
  taxonomy: 'none',
  stage: 'dreaming',
  source: 'dream',
  reason_code: 'woke_up',
  recoverability: 'retryable',
  details: { message: 'It woke up.', ...strange },
  ...strange,
}

/** The steps in order. The fourth to last has an unknown kind, the last an unknown reason. */
const steps: readonly ChangePayload[] = [
  {
    kind: 'run.started',
    title: 'Next',
    model: 'm',
    sandbox_mode: 'workspace',
    message_id: ids.message,
    parent_run_id: ids.child,
    spawned_by_call_id: 'c0',
    workflow_run_id: ids.workflow_run,
    role_text: 'A reviewer.',
    ...strange,
  },
  { kind: 'tool.call', call_id: 'c1', tool: 'fs.read', arguments: '{"path":"a"}', ...strange },
  { kind: 'tool.result', call_id: 'c1', outcome: 'failed', output: { lines: [1] }, truncated: false, failure_contract, ...strange },
  { kind: 'wait.started', wait_id: 'w1', for: 'child', subject_id: ids.child, until: null, ...strange },
  { kind: 'child.started', child_run_id: ids.child, child_agent_id: 'other', call_id: null, title: 'Look it up' },
  { kind: 'team.message', team_message_id: uuid(20), from_run_id: ids.child, to_run_id: null, text: 'Found it.' },
  { kind: 'child.ended', child_run_id: ids.child, state: 'completed', usage, failure_contract: null },
  { kind: 'wait.ended', wait_id: 'w1', outcome: 'completed' },
  { kind: 'merge.applied', child_run_id: ids.child, call_id: null, changed_paths: 2, conflicts: 0 },
  { kind: 'team.vote', call_id: 'c9', votes: [{ for: 'a' }], message_id: null, ...strange },
  { kind: 'model.completed', turn: 'seven' },
  { kind: 'conversation.pinned', pinned: true },
  { kind: 'run.paused', reason: 'weekend', ...strange },
]

const events: readonly ChangePayload[] = [
  { kind: 'started', name: 'Release', owner_agent_id: 'a1', definition_sha256: '0'.repeat(64), ...strange },
  { kind: 'node.started', node_id: 'n1', attempt: 1, iteration: [2], call_id: 'c2' },
  { kind: 'node.waiting', node_id: 'n1', waits_for: 'person', reason: 'a person' },
  { kind: 'node.completed', node_id: 'n1', attempt: 1, outcome: 'succeeded', output: '{}', output_file_id: uuid(21) },
  { kind: 'node.failed', node_id: 'n2', attempt: 1, failure_contract },
  { kind: 'node.reset', node_id: 'n2' },
  { kind: 'node.compensated', node_id: 'n1' },
  { kind: 'node.dreamt', node_id: 'n3', of: 'sheep', ...strange },
  { kind: 'state', name: 'Release', state: 'completed' },
]

export function changesOfNextVersion(): readonly Change[] {
  const call = steps[1] ?? {}
  const result = steps[2] ?? {}
  return [
    change('agents', ids.agent, {
      name: 'Mara',
      description: '',
      identity: { role: 'helper', tone: null, ...strange },
      instructions: '',
      model: null,
      temperature: null,
      max_turns: 10,
      sandbox_mode: 'workspace',
      avatar: null,
      archived: false,
      delegates_to: ['other'],
      budget: { tokens: 1_000, ...strange },
      created_at: ts,
      ...strange,
    }),
    change('todos', ids.conversation, { todos: [{ id: 't1', title: 'Paint', state: 'pending', state_ts: ts, ...strange }] }),
    ...steps.map((step, seq) =>
      change('agent_run_steps', uuid(100 + seq), {
        step_id: uuid(100 + seq),
        run_id: ids.run,
        conversation_id: ids.conversation,
        agent_id: ids.agent,
        device_id: 'next',
        seq,
        ts,
        ...step,
      }),
    ),
    change('tool_calls', 'c1', {
      call_id: 'c1',
      run_id: ids.run,
      conversation_id: ids.conversation,
      tool: call.tool,
      arguments: call.arguments,
      outcome: result.outcome,
      output: result.output,
      truncated: result.truncated,
      failure_contract,
      checkpoint_id: null,
      requested_at: ts,
      settled_at: ts,
      ...strange,
    }),
    change('messages', ids.message, {
      ...message(ids.message, null, 'user', 'Look it up.'),
      author: 'oracle',
      attachments: [{ file_id: uuid(22), name: 'a', media_type: 'text/plain', size: 1, ...strange }],
      ...strange,
    }),
    change('messages', ids.answer, {
      ...message(ids.answer, ids.run, 'assistant', 'Done.'),
      author: 'agent',
      parent_message_id: ids.message,
    }),
    ...events.map((event, seq) =>
      change('workflow_run_events', uuid(200 + seq), {
        event_id: uuid(200 + seq),
        workflow_run_id: ids.workflow_run,
        workflow_id: uuid(7),
        run_id: ids.run,
        device_id: 'next',
        seq,
        ts,
        ...event,
      }),
    ),
  ]
}

function message(message_id: string, run_id: string | null, role: string, text: string): ChangePayload {
  return { message_id, conversation_id: ids.conversation, agent_id: ids.agent, run_id, role, text, attachments: [], created_at: ts }
}

function change(entity_type: EntityType, entity_id: string, payload: ChangePayload): Change {
  return { entity_type, entity_id, op: 'upsert', version: 1, updated_at: ts, source_ts: ts, payload }
}

function uuid(number: number): string {
  return `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`
}
