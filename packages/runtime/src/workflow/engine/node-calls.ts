// The calls of nodes: of tools, and of `ask_user` for questions, approvals, and calls that were interrupted.
import type { FailureContract } from '@tandem/contract/failure'
import type { AskUserOutput } from '@tandem/contract/tool/output'
import { filled, filledJson, type WorkflowNode } from '@tandem/contract/workflow'
import { nodeKey, type WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import type { CallEnd } from '../../journal/journal.ts'
import { isCovered } from '../rule/covered.ts'
import { failedBy, failedByUser, timedOut } from './failures.ts'
import { answerText } from './outputs.ts'
import { approvalArguments, type InterruptedChoice, interruptedArguments, questionArguments } from './person.ts'
import { isActive, type RunContext } from './run-context.ts'

export class NodeCalls {
  readonly #context: RunContext

  constructor(context: RunContext) {
    this.#context = context
  }

  /** Records the call of a node, in the transaction that starts the node. Null for a node that makes none. */
  request(node: WorkflowNode, iteration: readonly number[]): string | null {
    const call = this.#callOf(node, iteration)
    return call && this.#context.carried.request(call.tool, JSON.stringify(call.arguments))
  }

  #callOf(node: WorkflowNode, iteration: readonly number[]): { readonly tool: string; readonly arguments: unknown } | null {
    const look = this.#context.lookUp(iteration)
    if (node.kind === 'tool') return { tool: node.tool, arguments: filledJson(JSON.parse(node.arguments), look) }
    if (node.kind === 'question')
      return { tool: 'ask_user', arguments: questionArguments(String(filled(node.question, look)), node.choices) }
    if (node.kind === 'approval') return { tool: 'ask_user', arguments: approvalArguments(String(filled(node.message, look))) }
    return null
  }

  /** Goes on with a call that was recorded: it was not made yet, was answered, or has ended. */
  look(key: string, node: WorkflowNode, record: WorkflowNodeRecord, call_id: string): void {
    const { carried, log, ports } = this.#context
    const open = carried.open().find((call) => call.call_id === call_id)
    if (!open) {
      this.#ended(node, record, false)
      return
    }
    const wait = open.progress === 'requested' ? undefined : ports.journal.waits.of(carried.record().no, call_id)
    if (wait && wait.outcome === null) {
      if (record.state === 'running') this.#waits(node, record)
      return
    }
    if (record.state === 'waiting' && record.waits_for !== 'person')
      log.appendNode('node.started', record, { attempt: record.attempt, call_id })
    this.make(key, node, call_id)
  }

  /** After the current transaction. */
  make(key: string, node: WorkflowNode, call_id: string): void {
    this.#context.ports.store.afterCommit(() => this.#fly(key, node, call_id))
  }

  #fly(key: string, node: WorkflowNode, call_id: string): void {
    const { ports, carried, flights } = this.#context
    const { store } = ports
    const seconds = 'timeout_seconds' in node ? node.timeout_seconds : undefined
    flights.start(key, async (signal) => {
      const late = new AbortController()
      const cancel = seconds === undefined ? () => undefined : store.clock.after(seconds * 1_000, () => late.abort())
      try {
        const isApproved = (call: { readonly warnings: readonly string[] }) => call.warnings.length === 0 && this.#isApproved(node)
        const end = await carried.make(call_id, { signal: AbortSignal.any([signal, late.signal]), isApproved })
        const record = this.#context.record(key)
        if (record.call_id !== call_id || !isActive(record.state)) return
        store.relaxed(() => {
          if (end === 'settled') this.#ended(node, record, late.signal.aborted)
          else if (end === 'waiting' && record.state === 'running') this.#waits(node, record)
        })
      } finally {
        cancel()
      }
    })
  }

  #isApproved(node: WorkflowNode): boolean {
    const { ports, log } = this.#context
    if (node.kind !== 'tool' || !ports.coversCalls(log.run.definition_sha256)) return false
    return isCovered(node.arguments, ports.rows.get(log.workflow_run_id)?.inputs_by === 'person')
  }

  #waits(node: WorkflowNode, record: WorkflowNodeRecord): void {
    const waits_for = node.kind === 'question' ? 'question' : 'approval'
    const reason = node.kind === 'tool' ? `${node.tool} needs an approval` : `${node.title ?? node.id} needs an answer`
    this.#context.log.appendNode('node.waiting', record, { waits_for, reason: reason.slice(0, 500) })
  }

  #ended(node: WorkflowNode, record: WorkflowNodeRecord, isLate: boolean): void {
    const { ports, carried } = this.#context
    const call = ports.journal.settled(carried.record().run_id, record.call_id ?? '')
    if (!call) throw new Error(`call ${record.call_id} of node ${record.node_id} is neither open nor settled`)
    const { outcome, output } = call
    if (record.waits_for === 'person') this.#decided(record, answerText(output as AskUserOutput | null))
    else if (outcome === 'interrupted') this.#interrupted(node, record)
    else if (outcome !== 'succeeded') this.#context.failed(record, failureOf(node, call, isLate))
    else if (node.kind !== 'approval') this.#context.completed(record, 'succeeded')
    else this.#context.completed(record, (output as AskUserOutput).chosen.includes('approve') ? 'approved' : 'denied')
  }

  /** It may have taken effect: it is repeated only if that does no harm, otherwise a person decides. */
  #interrupted(node: WorkflowNode, record: WorkflowNodeRecord): void {
    const { carried, log } = this.#context
    if (node.kind === 'tool' && node.idempotent) {
      log.appendNode('node.reset', record, {})
      return
    }
    const call_id = carried.request('ask_user', JSON.stringify(interruptedArguments(node, record.iteration)))
    const reason = `${node.id} was interrupted, and may have taken effect`
    log.appendNode('node.waiting', record, { waits_for: 'person', reason, call_id })
    this.make(nodeKey(record.node_id, record.iteration), node, call_id)
  }

  #decided(record: WorkflowNodeRecord, answer: string): void {
    const choice = answer as InterruptedChoice
    if (choice === 'repeat') this.#context.log.appendNode('node.reset', record, {})
    // Nobody has seen its output, but its effect can be taken back.
    else if (choice === 'continue') this.#context.completed(record, 'succeeded', { output: 'null' })
    else this.#context.failed(record, failedByUser(record.node_id))
  }
}

function failureOf(node: WorkflowNode, { failure_contract }: Pick<CallEnd, 'failure_contract'>, isLate: boolean): FailureContract {
  const seconds = 'timeout_seconds' in node ? node.timeout_seconds : undefined
  if (isLate && seconds !== undefined) return timedOut(node.id, seconds)
  return failure_contract ?? failedBy(node.id, null)
}
