// The failures of a run itself.
import { type CommandErrorCode, commandErrors } from '@tandem/contract/command'
import { classifyFailure, type FailureContract } from '@tandem/contract/failure'
import { type ModelFailure, modelFailures } from '../model/failure.ts'
import { StageError } from './stops.ts'

type Details = FailureContract['details']

function contract(
  stage: FailureContract['stage'],
  source: string,
  reason_code: string,
  recoverability: FailureContract['recoverability'],
  details: Details,
): FailureContract {
  return {
    taxonomy: classifyFailure({ stage }),
    stage,
    source: source.slice(0, 200),
    reason_code,
    recoverability,
    details: { ...details, message: details.message.slice(0, 20_000) },
  }
}

export function modelFailed(model: string, { code, message }: ModelFailure): FailureContract {
  const { retryable, remedy } = modelFailures[code]
  return contract('model_call', model, code, retryable ? 'retryable' : 'user_action', { message, subject: model, remedy })
}

/** The model did not summarize the conversation; a summary without a model is used instead. */
export function summaryFailed(model: string, { code, message }: ModelFailure): FailureContract {
  const { retryable, remedy } = modelFailures[code]
  return contract('compaction', model, code, retryable ? 'retryable' : 'user_action', { message, subject: model, remedy })
}

export function noModel(model: string | null): FailureContract {
  const message = model ? `No configured address serves the model ${model}.` : 'No model is configured.'
  return contract('model_call', model ?? 'model', 'no_model', 'user_action', {
    message,
    remedy: 'Set TANDEM_MODEL_URL and TANDEM_MODEL, or choose a model in the settings.',
  })
}

export function emptyResponses(model: string, times: number): FailureContract {
  return contract('model_call', model, 'empty_answer', 'retryable', {
    message: `The model responded ${times} times with neither text nor tool calls.`,
    remedy: 'Describe the task in more detail, or choose another model.',
  })
}

export function modelRefused(model: string, words: string): FailureContract {
  return contract('model_call', model, 'model_refused', 'user_action', {
    message: words === '' ? 'The model refused to respond.' : words.slice(0, 2_000),
    remedy: 'Rephrase the request, or choose another model.',
  })
}

export function responseTruncated(model: string): FailureContract {
  return contract('model_call', model, 'answer_cut', 'user_action', {
    message: 'The responses of the model were repeatedly truncated at its output limit.',
    remedy: 'Ask for less at a time, or choose a model with a higher output limit.',
  })
}

export function tooManyTurns(max_turns: number): FailureContract {
  return contract('model_call', 'run', 'too_many_turns', 'user_action', {
    message: `The run did not finish within ${max_turns} turns.`,
    remedy: 'Send another message to continue, or increase the maximum number of turns per run of the agent.',
  })
}

export function repeatedCalls(tool: string, times: number): FailureContract {
  return contract('tool_execution', tool, 'repeated_call', 'user_action', {
    message: `The model repeated the same call of ${tool} ${times} times, alone or alternating with other calls, and always got the same result.`,
    remedy: 'Tell the agent what to do instead.',
  })
}

export function contextWindowTooSmall(model: string, { tokens }: { readonly tokens: number }): FailureContract {
  return contract('compaction', model, 'context_overflow', 'user_action', {
    message: `The conversation does not fit the context window of ${model} (${tokens} tokens), even after it was compacted.`,
    remedy:
      'Start a new conversation, assign fewer skills and enable fewer tools, or choose a model with a larger context window. If the model supports more, set its context window in the settings.',
  })
}

/** At `resume` the run stays paused; at `model_call` the agent was removed while the run was in progress. */
export function agentGone(agent_id: string, stage: 'resume' | 'model_call'): FailureContract {
  return contract(stage, 'run', 'agent_gone', 'user_action', {
    message: `The agent of this run, ${agent_id}, no longer exists.`,
    subject: agent_id.slice(0, 500),
    remedy: 'Stop the run and start a new one with an existing agent.',
  })
}

export function workspaceGone(workspace: string): FailureContract {
  return contract('resume', 'run', 'workspace_gone', 'user_action', {
    message: workspace === '' ? 'The run has no folder on this device.' : `The folder of the run does not exist: ${workspace}.`,
    ...(workspace === '' ? {} : { subject: workspace.slice(0, 500) }),
    remedy: 'Move the folder back and resume the run, or stop it.',
  })
}

/** What the caller can do about a rejected start or resume; codes that are missing here need a user. */
const rejectionRecoverability: Partial<Record<CommandErrorCode, FailureContract['recoverability']>> = {
  run_busy: 'retryable',
  storage_unavailable: 'retryable',
  not_found: 'terminal',
  transition_refused: 'terminal',
}

/** A start, a resume or a restore that was rejected before anything was done. The code is the reason. */
export function rejected(stage: 'start' | 'resume' | 'restore', run_id: string | null, rejection: Rejection): FailureContract {
  const { code, message } = rejection
  return contract(stage, 'run', code, rejectionRecoverability[code] ?? 'user_action', {
    message,
    ...(run_id === null ? {} : { subject: run_id }),
    remedy: rejection.remedy ?? commandErrors[code].remedy,
  })
}

export interface Rejection {
  readonly code: CommandErrorCode
  readonly message: string
  /** If the remedy of the code does not apply. */
  readonly remedy?: string
}

/** An unexpected error, at the stage it occurred in. */
export function internalError(error: unknown): FailureContract {
  const { stage, cause } = error instanceof StageError ? error : { stage: 'model_call' as const, cause: error }
  return contract(stage, 'run', 'internal_error', 'retryable', {
    message: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
    remedy: 'Resume the run. If it fails again, report it with a support bundle from the Diagnostics page.',
  })
}
