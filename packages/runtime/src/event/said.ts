// An event that tells of a step says much that the step says already. That is kept once, with the step, and put back when the event is read.
import type { EventData, EventName } from '@tandem/contract/event'

/** What an event has in common with its step, or with the run of it, under the same names. */
const saidByStep = {
  run_started: ['title', 'device_id', 'model', 'sandbox_mode'],
  run_paused: ['reason'],
  run_resumed: ['resume_contract'],
  run_completed: ['usage'],
  run_failed: ['usage'],
  run_canceled: ['usage', 'reason'],
  model_call_started: ['model', 'turn', 'message_count', 'tool_count'],
  model_call_completed: ['model', 'turn', 'usage', 'finish_reason', 'first_token_ms', 'duration_ms'],
  tool_call_requested: ['call_id', 'tool'],
  tool_call_started: ['call_id', 'tool', 'checkpoint_id'],
  tool_call_completed: ['call_id', 'tool', 'duration_ms'],
  tool_call_failed: ['call_id', 'tool', 'duration_ms'],
  approval_answered: ['call_id', 'tool', 'approval_id', 'answer', 'waited_ms'],
  question_answered: ['call_id', 'question_id', 'waited_ms'],
} as const satisfies { readonly [Name in EventName]?: readonly (keyof EventData<Name>)[] }

type Facts = Readonly<Record<string, unknown>>

/** What is left to keep when `said` is kept elsewhere. */
export function unsaid(name: EventName, data: Facts, said: Facts): Facts {
  const common = new Set(commonTo(name).filter((field) => JSON.stringify(data[field]) === JSON.stringify(said[field])))
  return Object.fromEntries(Object.entries(data).filter(([field]) => !common.has(field)))
}

/** The event's data as it was told. */
export function withSaid(name: EventName, kept: Facts, said: Facts): Facts {
  const missing = commonTo(name).filter((field) => !(field in kept) && said[field] !== undefined)
  return { ...Object.fromEntries(missing.map((field) => [field, said[field]])), ...kept }
}

function commonTo(name: EventName): readonly string[] {
  return Object.hasOwn(saidByStep, name) ? saidByStep[name as keyof typeof saidByStep] : []
}
