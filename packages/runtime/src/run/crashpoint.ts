// The crash points of a run. Tests kill the process there; in the product they do nothing.
import { reachCrashpoint } from '../store/crash-hook.ts'

export const crashpoints = [
  'run_started',
  'model_called',
  'text_kept',
  'turn_recorded',
  'approval_requested',
  'approval_answered',
  'question_asked',
  'question_answered',
  'wait_started',
  'wait_ended',
  'checkpoint_taken',
  'tool_started',
  'tool_done',
  'tool_settled',
  'context_compacted',
  'run_ending',
  'run_ended',
  'run_found_broken',
  'run_resumed',
] as const
export type Crashpoint = (typeof crashpoints)[number]

export type ReachCrashPoint = (point: Crashpoint) => void

export const crashPoint: ReachCrashPoint = reachCrashpoint
