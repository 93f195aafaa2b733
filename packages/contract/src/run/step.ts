// The words of a run's journal.

/** `model`: no model answered; the run goes on when one does. */
export const pauseReasons = ['approval', 'question', 'user', 'crash', 'restore', 'model'] as const
export type PauseReason = (typeof pauseReasons)[number]

/** What a person may say to an approval. «always» changes the agent's policy. */
export const approvalAnswers = ['once', 'this_run', 'always', 'no'] as const
export type ApprovalAnswer = (typeof approvalAnswers)[number]

/** How a call ended. `interrupted`: the runtime died in the middle, and whether it took effect is not known. */
export const toolOutcomes = ['succeeded', 'failed', 'denied', 'timed_out', 'canceled', 'interrupted'] as const
export type ToolOutcome = (typeof toolOutcomes)[number]

/** What stays on offer for an approval mode. */
export function approvalChoices(mode: 'required' | 'manual_each_call'): readonly ApprovalAnswer[] {
  return mode === 'manual_each_call' ? ['once', 'no'] : approvalAnswers
}
