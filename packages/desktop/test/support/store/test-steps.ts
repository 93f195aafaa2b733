// Short builders for the steps of a run.
import type { RunStep } from '@tandem/contract/run'

export type StepBody = RunStep extends infer Step
  ? Step extends RunStep
    ? Omit<Step, 'step_id' | 'run_id' | 'conversation_id' | 'agent_id' | 'device_id' | 'seq' | 'ts'>
    : never
  : never

export const ids = { run: 'run-1', conversation: 'conversation-1', user: 'message-0', said: 'message-1' }

export function stepsOf(...bodies: readonly StepBody[]): RunStep[] {
  return bodies.map(
    (body, seq) =>
      ({
        step_id: `step-${seq}`,
        run_id: ids.run,
        conversation_id: ids.conversation,
        agent_id: 'agent',
        device_id: 'laptop',
        seq,
        ts: `2026-01-01T00:00:${String(seq).padStart(2, '0')}.000Z`,
        ...body,
      }) as RunStep,
  )
}

const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: false }

/** A run that thinks, calls a tool, answers and ends. */
export const wholeRun = stepsOf(
  { kind: 'run.started', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: ids.user },
  { kind: 'thinking', thinking_id: 't1', text: 'Hm.', complete: true },
  { kind: 'tool.call', call_id: 'c1', tool: 'fs.read', arguments: '{}' },
  { kind: 'tool.started', call_id: 'c1' },
  { kind: 'tool.result', call_id: 'c1', outcome: 'succeeded', output: 'x', truncated: false, failure_contract: null },
  { kind: 'message.completed', message_id: ids.said },
  { kind: 'run.completed', usage },
)
