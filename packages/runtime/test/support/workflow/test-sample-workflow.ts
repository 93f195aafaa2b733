// The workflows of the sample folder: started as they are, answered, and undone.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult, WorkflowSnapshot } from '@tandem/contract/command'
import type { sampleWorkflows } from '../../../src/commands/sample-workflows.ts'

/** A command of a runtime in this process or in another one. */
export type Call = <Name extends CommandName>(name: Name, params: CommandParams<Name>) => Promise<CommandResult<Name>>

export interface SampleStart {
  /** The calls of its tool nodes are approved with it. True if absent. */
  readonly covers_calls?: boolean
  readonly agent_id?: string
}

/** Saves the file as `tandem workflows save` does. Returns the id of the workflow. */
export async function saveSample(call: Call, sample: string, file: keyof typeof sampleWorkflows, covers_calls = true): Promise<string> {
  const text = readFileSync(join(sample, 'workflows', file), 'utf8')
  const { content, issues } = await call('workflow_read_text', { text })
  if (content === null) throw new Error(`${file}: ${JSON.stringify(issues)}`)
  return (await call('workflow_save', { ...content, covers_calls })).workflow.workflow_id
}

/** Returns the id of the workflow run. */
export async function startSample(
  call: Call,
  sample: string,
  file: keyof typeof sampleWorkflows,
  { covers_calls, ...start }: SampleStart = {},
): Promise<string> {
  const workflow_id = await saveSample(call, sample, file, covers_calls)
  return (await call('workflow_start', { workflow_id, workspace: sample, ...start })).run.workflow_run_id
}

export async function snapshotOf(call: Call, workflow_run_id: string): Promise<WorkflowSnapshot> {
  return (await call('workflow_snapshot', { workflow_run_id })).run
}

export interface Answers {
  readonly approval?: 'once' | 'always'
  /** To questions with choices. */
  readonly question?: string
}

/** Answers what is pending in all runs. Returns the tools of approvals, and the questions. */
export async function answerPending(call: Call, { approval: answer = 'once', question: chosen = 'approve' }: Answers = {}) {
  const answered: string[] = []
  for (const { run_id, approval } of (await call('approval_list', {})).items) {
    const { approval_id, fingerprint, tool } = approval
    await call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer } })
    answered.push(tool)
  }
  for (const { run_id, question } of (await call('question_list', {})).items) {
    const { question_id } = question
    await call('agent_run_resume', { run_id, answer: { kind: 'question', question_id, answer: { chosen: [chosen], text: null } } })
    answered.push(question.question)
  }
  return answered
}

/** Restores the first recovery point of its run, and of the runs of its agents, the last one first. */
export async function undoAll(call: Call, workflow_run_id: string): Promise<void> {
  const { run_id, nodes } = await snapshotOf(call, workflow_run_id)
  const agents = nodes
    .toSorted((one, other) => ((one.started_at ?? '') > (other.started_at ?? '') ? -1 : 1))
    .map(({ child_run_id }) => child_run_id)
  for (const run of [run_id, ...agents]) if (run !== null) await undoRun(call, run)
}

async function undoRun(call: Call, run_id: string): Promise<void> {
  const { items } = await call('agent_run_list_checkpoints', { run_id, limit: 100 })
  const first = items.at(-1)
  // An agent that has changed nothing has none.
  if (!first) return
  const { checkpoint_id } = first
  const undone = await call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'stop' })
  if (undone.outcome !== 'restored' || undone.left_alone.length > 0) throw new Error(`${run_id} was not undone: ${JSON.stringify(undone)}`)
}
