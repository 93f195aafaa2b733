// The constants of a run's journal.

/**
 * `model`: no model responded; the run resumes when one does. `child`, `workflow` and `time`: it waits for a run it started, for a workflow
 * or for a point in time. `budget`: what its agent may spend is used up.
 */
export const pauseReasons = ['approval', 'question', 'user', 'crash', 'restore', 'model', 'child', 'workflow', 'time', 'budget'] as const
export type PauseReason = (typeof pauseReasons)[number]

/** A newer version may have others. */
export function isPauseReason(name: string): name is PauseReason {
  return (pauseReasons as readonly string[]).includes(name)
}

/** The possible answers to an approval. "always" changes the agent's policy; `this_team` covers the runs of a team. */
export const approvalAnswers = ['once', 'this_run', 'this_team', 'always', 'no'] as const
export type ApprovalAnswer = (typeof approvalAnswers)[number]

/** How a call ended. `interrupted`: the runtime died during the call, and whether it took effect is not known. */
export const toolOutcomes = ['succeeded', 'failed', 'denied', 'timed_out', 'canceled', 'interrupted'] as const
export type ToolOutcome = (typeof toolOutcomes)[number]

/** The answers offered in an approval mode, in a run without a team. */
export function approvalChoices(mode: 'required' | 'manual_each_call'): readonly ApprovalAnswer[] {
  return mode === 'manual_each_call' ? ['once', 'no'] : ['once', 'this_run', 'always', 'no']
}

/** For a run of a team: an answer for this run can also be given for the whole team. */
export function withTeamChoice(choices: readonly ApprovalAnswer[]): readonly ApprovalAnswer[] {
  return choices.flatMap((answer) => (answer === 'this_run' ? [answer, 'this_team' as const] : [answer]))
}

/** What the user is offered: with a warning, only answers for this one call, also in approvals of earlier versions. */
export function offeredAnswers<Answer extends ApprovalAnswer>(prompt: {
  readonly choices: readonly Answer[]
  readonly warnings: readonly string[]
}): readonly Answer[] {
  return prompt.warnings.length === 0 ? prompt.choices : prompt.choices.filter((answer) => answer === 'once' || answer === 'no')
}

/** Every kind of step that a device may write. */
export const stepKinds = [
  'run.started',
  'run.paused',
  'run.resumed',
  'run.completed',
  'run.failed',
  'run.canceled',
  'model.called',
  'model.completed',
  'thinking',
  'text.partial',
  'message.completed',
  'message.received',
  'tool.call',
  'approval.requested',
  'approval.answered',
  'tool.started',
  'tool.result',
  'question.asked',
  'question.answered',
  'todos.changed',
  'context.compacted',
  'checkpoint.created',
  'checkpoint.restored',
  'mcp.status',
  'workflow.status',
  'error',
  'conversation.renamed',
  'conversation.hidden',
  'conversation.pinned',
  'conversation.deleted',
  'wait.started',
  'wait.ended',
  'child.started',
  'child.ended',
  'team.message',
  'merge.applied',
] as const
export type StepKind = (typeof stepKinds)[number]

/** What a run waits for, and how the wait ended. */
export const waitSubjects = ['approval', 'question', 'child', 'workflow', 'time'] as const
export const waitOutcomes = ['completed', 'timed_out', 'canceled'] as const
