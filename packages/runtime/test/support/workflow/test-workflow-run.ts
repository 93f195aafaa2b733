// Saves and starts workflows in a test runtime, answers what they ask, and waits for their end.
import type { WorkflowSnapshot } from '@tandem/contract/command'
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import type { TestAgent } from '../test-agent.ts'

export interface StartOptions {
  readonly inputs?: Readonly<Record<string, unknown>>
  /** The calls of its tool nodes are approved with it. True if absent. */
  readonly covers_calls?: boolean
  readonly key?: string
  /** The agent whose policy applies; the default one if absent. */
  readonly agent_id?: string
}

/** Returns the id of the workflow run. */
export async function startWorkflow(agent: TestAgent, definition: WorkflowDefinition, options: StartOptions = {}): Promise<string> {
  const { covers_calls = true, ...start } = options
  const { workflow } = await agent.call('workflow_save', { name: 'Test', definition, covers_calls })
  return await startAgain(agent, workflow.workflow_id, start)
}

export async function startAgain(agent: TestAgent, workflow_id: string, options: Omit<StartOptions, 'covers_calls'> = {}): Promise<string> {
  const { inputs = {}, ...start } = options
  const { workspace } = agent
  const started = await agent.call('workflow_start', {
    workflow_id,
    inputs: JSON.stringify(inputs),
    workspace,
    ...start,
  })
  return started.run.workflow_run_id
}

export async function snapshotOf(agent: TestAgent, workflow_run_id: string): Promise<WorkflowSnapshot> {
  return (await agent.call('workflow_snapshot', { workflow_run_id })).run
}

/** When its run no longer goes on: it has ended, or waits for a person. */
export async function endOf(agent: TestAgent, workflow_run_id: string): Promise<WorkflowSnapshot> {
  await agent.runtime.settled((await snapshotOf(agent, workflow_run_id)).run_id ?? '')
  return await snapshotOf(agent, workflow_run_id)
}

/** Answers all pending approvals and questions of its run with the same answer, until it waits for nothing or has ended. */
export async function answerAll(
  agent: TestAgent,
  workflow_run_id: string,
  answers: { readonly approval?: 'once' | 'no'; readonly question?: string } = {},
): Promise<WorkflowSnapshot> {
  for (;;) {
    const { run_id } = await endOf(agent, workflow_run_id)
    const answered = await answerOnce(agent, run_id ?? '', answers)
    if (!answered) return await endOf(agent, workflow_run_id)
  }
}

async function answerOnce(
  agent: TestAgent,
  run_id: string,
  { approval = 'once', question: said = 'approve' }: Parameters<typeof answerAll>[2] & {},
) {
  const { items: approvals } = await agent.call('approval_list', { run_id })
  const { items: questions } = await agent.call('question_list', { run_id })
  for (const { approval_id, fingerprint } of approvals.map(({ approval }) => approval)) {
    const answer = approval === 'no' ? ({ answer: 'no', reason: 'not now' } as const) : ({ answer: 'once' } as const)
    await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, ...answer } })
  }
  for (const { question_id, options } of questions.map(({ question }) => question)) {
    const answer = options.length > 0 ? { chosen: [said], text: null } : { chosen: [], text: said }
    await agent.call('agent_run_resume', { run_id, answer: { kind: 'question', question_id, answer } })
  }
  return approvals.length + questions.length > 0
}
