// `tandem workflows resume` and `retry`: the run continues, and is followed.
import type { WorkflowSnapshot } from '@tandem/contract/command'
import type { PauseReason } from '@tandem/contract/run'
import { isTerminalWorkflowState } from '@tandem/contract/workflow-run'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { isId } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { promptsOf } from './prompts.ts'
import { openRuns } from './run-tree.ts'
import { followInTerminal, sessionOptions, unlessResident } from './session.ts'
import { nameText, runStateText } from './text.ts'
import { oneRun } from './workflow-run.ts'

export const resumeUsage = explainedUsage(
  'tandem workflows resume RUN [--yes] [--detach] [--json]',
  'Resumes a paused workflow run, or follows a running one, and asks for the approvals and answers that it needs.',
)
export const retryUsage = explainedUsage(
  'tandem workflows retry RUN [--yes] [--detach] [--json]',
  'Runs the nodes that failed again, and what follows them. What has succeeded is kept.',
)

export async function resume(args: readonly string[]): Promise<number> {
  return await continued('resume', args, resumeUsage)
}

export async function retry(args: readonly string[]): Promise<number> {
  return await continued('retry', args, retryUsage)
}

async function continued(action: 'resume' | 'retry', args: readonly string[], usage: string): Promise<number> {
  const given = parseArguments(args, sessionOptions, usage)
  if (!given.ok) return given.code
  const { yes, detach, json } = given.values
  const [workflow_run_id, ...more] = given.words
  if (!isId(workflow_run_id) || more.length > 0) return printUsage(oneRun, usage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const code = detach ? unlessResident(client) : null
    if (code !== null) return code
    const before = await client.call('workflow_snapshot', { workflow_run_id })
    if (!before.ok) return refused(before.error)
    if (action === 'retry' || !(await isReady(client, before.value.run))) {
      const done = await client.call('workflow_control', { workflow_run_id, action })
      if (!done.ok && done.error.code !== 'run_busy') return refused(done.error)
    }
    if (action === 'resume') await resumeOthers(client, workflow_run_id)
    const now = await client.call('workflow_snapshot', { workflow_run_id })
    if (!now.ok) return refused(now.error)
    const { run } = now.value
    if (detach || run.run_id === null) {
      console.log(json ? JSON.stringify(now.value) : `${nameText(run)}: ${runStateText(run)}`)
      return 0
    }
    const { run_id } = run
    return await followInTerminal(
      client,
      { workflow_run_id, run_id, after_seq: before.value.run.last_seq },
      { json, yes, inputTaken: false },
    )
  })
}

/** Whether it is running, or needs only the approval to undo an effect: to resume it without the answer would ask for it again. */
async function isReady(client: RuntimeClient, { workflow_run_id, state }: WorkflowSnapshot): Promise<boolean> {
  if (!isTerminalWorkflowState(state)) return state === 'running'
  const runs = await openRuns(client, workflow_run_id)
  return runs.ok && (await promptsOf(client, runs.value)).length > 0
}

/** What the workflow waits for may have been paused with it. */
async function resumeOthers(client: RuntimeClient, workflow_run_id: string): Promise<void> {
  const runs = await openRuns(client, workflow_run_id)
  for (const { run } of runs.ok ? runs.value.slice(1) : [])
    if (run.state === 'paused' && !waits.includes(run.pause_reason)) await client.call('resume_agent_run', { run_id: run.run_id })
}

/** These end with an answer, or by themselves. */
const waits: readonly (PauseReason | null)[] = ['approval', 'question', 'child', 'time']
