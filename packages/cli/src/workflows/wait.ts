import type { WorkflowSnapshot } from '@tandem/contract/command'
import { isTerminalWorkflowState } from '@tandem/contract/workflow-run'
import { exitCodeOf } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { isId, json, text } from '../terminal/options.ts'
import { refused } from '../terminal/refusal.ts'
import { jsonText, nameText, runStateText } from './text.ts'
import { oneRun } from './workflow-run.ts'

export const waitUsage = explainedUsage(
  'tandem workflows wait RUN [--timeout SECONDS] [--json]',
  'Waits until a workflow run has ended or needs you, and prints what it returned. Without a running Tandem the run does not continue: use resume.',
)

/** One request; a connection that is lost is noticed after it. */
const each_s = 10

export async function wait(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { timeout: text, json }, waitUsage)
  if (!given.ok) return given.code
  const [workflow_run_id, ...more] = given.words
  if (!isId(workflow_run_id) || more.length > 0) return printUsage(oneRun, waitUsage)
  const { timeout } = given.values
  if (timeout !== undefined && !/^[1-9]\d{0,8}$/.test(timeout)) return printUsage('--timeout must be a number of seconds', waitUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const known = await client.call('workflow_snapshot', { workflow_run_id })
    if (!known.ok) return refused(known.error)
    let { run } = known.value
    for (let left = Number(timeout ?? Number.POSITIVE_INFINITY); isGoingOn(run) && client.kind === 'attached' && left > 0; left -= each_s) {
      const answer = await client.call('workflow_wait', { workflow_run_id, timeout_seconds: Math.min(each_s, left) })
      if (!answer.ok) return refused(answer.error)
      run = answer.value.run
    }
    print(run, given.values.json)
    return exitCodeOf(run.state, null)
  })
}

function isGoingOn({ state, needs_user }: WorkflowSnapshot): boolean {
  return !isTerminalWorkflowState(state) && !needs_user
}

function print(run: WorkflowSnapshot, asJson: boolean): void {
  if (asJson) console.log(JSON.stringify({ run }))
  else if (run.result !== null) console.log(jsonText(JSON.parse(run.result)))
  else console.error(`${nameText(run)}: ${runStateText(run)}`)
}
