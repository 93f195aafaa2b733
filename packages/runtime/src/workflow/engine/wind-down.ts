// The end of a workflow run that completed, failed or was canceled: what is active is stopped, and effects are taken back, the last one first.
import type { AskUserOutput } from '@tandem/contract/tool/output'
import { filledJson, type Reference, type WorkflowDefinition, type WorkflowNode } from '@tandem/contract/workflow'
import { nodeKey, type WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import { currentSteps } from '../../journal/current-steps.ts'
import type { CallEnd } from '../../journal/journal.ts'
import type { CarriedRun, MakeOptions } from '../../run/carrier.ts'
import { isCovered } from '../rule/covered.ts'
import { toCompensate } from '../rule/undone.ts'
import { canceledNode, failedBy } from './failures.ts'
import { answerText } from './outputs.ts'
import { type InterruptedChoice, interruptedArguments } from './person.ts'
import type { EnginePorts } from './ports.ts'
import type { WorkflowRunLog } from './run-log.ts'

export interface WindingDown {
  readonly ports: EnginePorts
  readonly carried: CarriedRun
  readonly log: WorkflowRunLog
  readonly definition: WorkflowDefinition
  lookUp(iteration: readonly number[]): (reference: Reference) => unknown
  active(): readonly WorkflowNodeRecord[]
}

/** False if it waits for a person, or was stopped: it goes on here when the run continues. */
export async function windDown(ending: WindingDown): Promise<boolean> {
  await stopActive(ending)
  if (ending.log.run.state !== 'completed') {
    const undone = await compensate(ending)
    if (!undone) return false
  }
  const { ports, carried, log } = ending
  const { state, reason } = log.run
  ports.store.transaction(() => {
    for (const { call_id } of carried.open()) carried.discard(call_id)
    if (state === 'completed') carried.complete()
    else if (state === 'failed') carried.fail(failureOf(log))
    else carried.cancel(reason)
  })
  return true
}

async function stopActive({ ports, carried, log, definition, active }: WindingDown): Promise<void> {
  const kinds = new Map(definition.nodes.map(({ id, kind }) => [id, kind]))
  for (const record of active()) {
    const { node_id, child_run_id, call_id, attempt } = record
    const kind = kinds.get(node_id)
    if (child_run_id !== null && (kind === 'agent' || kind === 'workflow')) {
      await ports.children.cancel(kind, child_run_id, `the workflow ${log.run.name} has ended`)
      ports.rows.removeChild(child_run_id)
    }
    ports.store.relaxed(() => {
      if (call_id !== null) carried.discard(call_id)
      log.appendNode('node.failed', record, { attempt, failure_contract: canceledNode(node_id) })
    })
  }
}

async function compensate({ ports, carried, log, definition, lookUp }: WindingDown): Promise<boolean> {
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
    const filledIn = JSON.stringify(filledJson(JSON.parse(args), lookUp(iteration)))
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

function failureOf({ run }: WorkflowRunLog) {
  const first = [...run.nodes.values()].find(({ failure }) => failure !== null && failure.reason_code !== 'canceled')
  return failedBy(first?.node_id ?? run.name.slice(0, 200), first?.failure ?? null)
}
