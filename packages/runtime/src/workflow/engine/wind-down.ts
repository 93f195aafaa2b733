// The end of a workflow run that completed, failed or was canceled: what is active is stopped, and effects are taken back, the last one first.
import type { FailureContract } from '@tandem/contract/failure'
import type { AskUserOutput } from '@tandem/contract/tool/output'
import { filledJson, type WorkflowNode } from '@tandem/contract/workflow'
import { nodeKey, type WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import { currentSteps } from '../../journal/current-steps.ts'
import type { CallEnd } from '../../journal/journal.ts'
import type { CarriedRun, MakeOptions } from '../../run/carrier.ts'
import { isCovered } from '../rule/covered.ts'
import { toCompensate } from '../rule/undone.ts'
import { failedBy, workflowFailed } from './failures.ts'
import { answerText } from './outputs.ts'
import { type InterruptedChoice, interruptedArguments } from './person.ts'
import type { EnginePorts } from './ports.ts'
import type { RunContext } from './run-context.ts'
import type { WorkflowRunLog } from './run-log.ts'

/** False if it waits for a person, or was stopped: it goes on here when the run continues. */
export async function windDown(context: RunContext): Promise<boolean> {
  const { ports, carried, log } = context
  await stopActive(context)
  if (log.run.state === 'canceled') await cancelStarted(context)
  if (log.run.state !== 'completed' && !(await compensate(context))) return false
  const { state, reason } = log.run
  ports.store.transaction(() => {
    for (const { call_id } of carried.open()) carried.discard(call_id)
    if (state === 'completed') carried.complete()
    else if (state === 'failed') carried.fail(failureOf(log))
    else carried.cancel(reason)
  })
  return true
}

async function stopActive(context: RunContext): Promise<void> {
  const { ports, log } = context
  for (const record of context.activeRecords()) {
    const { child_run_id } = record
    const { kind } = context.node(record)
    if (child_run_id !== null && (kind === 'agent' || kind === 'workflow')) {
      await ports.children.cancel(kind, child_run_id, `the workflow ${log.run.name} has ended`)
      ports.rows.removeChild(child_run_id)
    }
    ports.store.relaxed(() => context.stopped(record))
  }
}

/** What its agents have started ends with it, even if they did not wait for it. */
async function cancelStarted({ ports, log }: RunContext): Promise<void> {
  for (const { workflow_run_id } of ports.rows.openOfAgents(log.workflow_run_id))
    await ports.children.cancel('workflow', workflow_run_id, `the workflow ${log.run.name} was canceled`)
}

async function compensate(context: RunContext): Promise<boolean> {
  const { ports, carried, log, definition } = context
  for (const { record, node } of toCompensate(log.run, definition)) {
    const { compensation } = node
    if (!compensation) continue
    const name = `compensation:${nodeKey(record.node_id, record.iteration)}`
    const isApproved = (call: { readonly warnings: readonly string[] }) =>
      call.warnings.length === 0 && ports.coversCalls(log.run.definition_sha256) && isCovered(compensation.arguments, hasInputsOfPerson())
    let call_id = callNamed(ports, carried, name) ?? requested(name, compensation, record.iteration)
    let call = await made(call_id, 'approval', isApproved)
    while (call?.outcome === 'interrupted') {
      const choice = await chosenAfterInterruption(`${name}:${call_id}`, node, record)
      if (choice === null) return false
      if (choice === 'continue') compensated(record, call_id)
      if (choice !== 'repeat') break
      call_id = requested(name, compensation, record.iteration)
      call = await made(call_id, 'approval', isApproved)
    }
    if (call === null) return false
    if (call.outcome === 'succeeded') compensated(record, call_id)
    else if (call.outcome !== 'interrupted')
      ports.log(`workflow run ${log.workflow_run_id}: ${record.node_id} was not undone: ${call.failure_contract?.details.message ?? ''}`)
    ports.crashPoint('effect_undone')
  }
  return true

  /** Null if it waits for a person, or was stopped. */
  async function made(
    call_id: string,
    waits_for: 'approval' | 'question',
    isApproved: MakeOptions['isApproved'],
  ): Promise<Pick<CallEnd, 'outcome' | 'output' | 'failure_contract'> | null> {
    const end = await carried.make(call_id, { signal: new AbortController().signal, isApproved })
    if (end === 'waiting') ports.store.transaction(() => carried.pause(waits_for, null))
    if (end !== 'settled') return null
    const call = ports.journal.settled(carried.record().run_id, call_id)
    if (!call) throw new Error(`call ${call_id} of workflow run ${log.workflow_run_id} is neither open nor settled`)
    return call
  }

  /** What a person says about a call that may or may not have taken the effect back. */
  async function chosenAfterInterruption(
    name: string,
    node: WorkflowNode,
    { iteration }: WorkflowNodeRecord,
  ): Promise<InterruptedChoice | null> {
    const args = JSON.stringify(interruptedArguments(node, iteration, 'compensation'))
    const call_id = callNamed(ports, carried, name) ?? ports.store.relaxed(() => carried.request('ask_user', args, name))
    const call = await made(call_id, 'question', () => false)
    return call && (answerText(call.output as AskUserOutput | null) as InterruptedChoice)
  }

  function compensated(record: WorkflowNodeRecord, call_id: string): void {
    ports.store.relaxed(() => log.appendNode('node.compensated', record, { call_id }))
  }

  function requested(
    name: string,
    { tool, arguments: args }: { readonly tool: string; readonly arguments: string },
    iteration: readonly number[],
  ) {
    const filledIn = JSON.stringify(filledJson(JSON.parse(args), context.lookUp(iteration)))
    return ports.store.relaxed(() => carried.request(tool, filledIn, name))
  }

  function hasInputsOfPerson(): boolean {
    return ports.rows.get(log.workflow_run_id)?.inputs_by === 'person'
  }
}

/** The call that was recorded before a crash or a pause. */
function callNamed({ journal }: EnginePorts, carried: CarriedRun, name: string): string | undefined {
  const found = currentSteps(journal.steps(carried.record().run_id)).findLast(
    ({ step, here }) => step.kind === 'tool.call' && here.wire_id === name,
  )
  return found?.step.kind === 'tool.call' ? found.step.call_id : undefined
}

/** Because of the node that its reason names: others may have failed before, without consequence. */
function failureOf({ run }: WorkflowRunLog): FailureContract {
  const causes = [...run.nodes.values()].flatMap(({ node_id, failure }) => (failure === null ? [] : [failedBy(node_id, failure)]))
  return causes.findLast(({ details }) => details.message.slice(0, 500) === run.reason) ?? workflowFailed(run.name, run.reason)
}
