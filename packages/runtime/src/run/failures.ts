// How a run itself fails, by name.
import { classifyFailure, type FailureContract } from '@tandem/contract/failure'
import { type ModelFailure, modelFailures } from '../model/failure.ts'

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

export function noModel(model: string | null): FailureContract {
  const message = model ? `no address is set that serves ${model}` : 'no model is set'
  return contract('model_call', model ?? 'model', 'no_model', 'user_action', {
    message,
    remedy: 'Set TANDEM_MODEL_URL and TANDEM_MODEL, or set a model in the settings.',
  })
}

export function emptyAnswers(model: string, times: number): FailureContract {
  return contract('model_call', model, 'empty_answer', 'retryable', {
    message: `the model answered ${times} times with neither words nor calls`,
    remedy: 'Say more of what is wanted, or choose another model.',
  })
}

export function modelRefused(model: string, words: string): FailureContract {
  return contract('model_call', model, 'model_refused', 'user_action', {
    message: words === '' ? 'the model refused to answer' : words.slice(0, 2_000),
    remedy: 'Ask in another way, or choose another model.',
  })
}

export function answerCut(model: string): FailureContract {
  return contract('model_call', model, 'answer_cut', 'user_action', {
    message: 'the answers of the model were cut at its limit again and again',
    remedy: 'Ask for less at once, or choose a model that can say more.',
  })
}

export function tooManyTurns(max_turns: number): FailureContract {
  return contract('model_call', 'run', 'too_many_turns', 'user_action', {
    message: `the run took ${max_turns} turns without coming to its end`,
    remedy: 'Write another message to go on, or raise max_turns of the agent.',
  })
}

export function inCircles(tool: string, times: number): FailureContract {
  return contract('tool_execution', tool, 'repeated_call', 'user_action', {
    message: `the model made the same call of ${tool}, alone or in turn with others, ${times} times with the same end`,
    remedy: 'Say what it should do instead.',
  })
}

export function windowTooSmall(model: string): FailureContract {
  return contract('compaction', model, 'context_overflow', 'user_action', {
    message: 'what must be said does not fit the window of the model, even summed up',
    remedy: 'Start a new conversation, bind fewer skills and tools, or choose a model with a larger window.',
  })
}

export function agentGone(agent_id: string): FailureContract {
  return contract('resume', 'run', 'agent_gone', 'user_action', {
    message: `agent ${agent_id}, whose run this is, is no longer there`,
    remedy: 'Cancel the run and start another one with an agent that is there.',
  })
}

export function workspaceGone(workspace: string): FailureContract {
  return contract('resume', 'run', 'workspace_gone', 'user_action', {
    message: `the folder that the run works in is not there: ${workspace || 'none on this device'}`,
    subject: workspace.slice(0, 500),
    remedy: 'Bring the folder back and resume, or cancel the run.',
  })
}

export function broke(error: unknown): FailureContract {
  return contract('model_call', 'run', 'internal_error', 'retryable', {
    message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    remedy: 'Resume the run; if it breaks again, report it with the diagnostics of this device.',
  })
}
