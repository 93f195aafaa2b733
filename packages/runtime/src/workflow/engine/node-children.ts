// The runs of agents and of other workflows that nodes start and wait for.
import { filled, filledJson } from '@tandem/contract/workflow'
import type { WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import type { ChildNode } from './ports.ts'
import { isActive, type RunContext } from './run-context.ts'

export class NodeChildren {
  readonly #context: RunContext
  /** A node may have ended without the run that it had started. */
  #mayHaveUnclaimed = true

  constructor(context: RunContext) {
    this.#context = context
    context.log.onEvent(({ kind }) => {
      if (kind === 'node.reset' || kind === 'node.skipped' || kind === 'node.failed') this.#mayHaveUnclaimed = true
    })
  }

  look(key: string, node: ChildNode, record: WorkflowNodeRecord): void {
    const { ports, log } = this.#context
    const { child_run_id } = record
    if (child_run_id === null) {
      ports.store.afterCommit(() => this.#start(key, node, record.iteration))
      return
    }
    const end = ports.children.end(node.kind, child_run_id)
    if (end.is === 'open') return
    ports.rows.removeChild(child_run_id)
    if (end.is === 'completed') this.#context.completed(record, 'succeeded', log.keptOutput(end.output))
    else this.#context.failed(record, end.failure_contract)
  }

  #start(key: string, node: ChildNode, iteration: readonly number[]): void {
    const context = this.#context
    const { ports, carried, log, flights } = context
    const { children, store, rows } = ports
    const { workflow_run_id, run } = log
    const look = context.lookUp(iteration)
    const given = node.kind === 'agent' ? filled(node.prompt, look) : filledJson(JSON.parse(node.inputs), look)
    flights.start(key, async (signal) => {
      const { started_seq } = context.record(key)
      const { owner_agent_id } = run
      const { workspace } = carried.record()
      const start = { workflow_run_id, key: `${workflow_run_id}:${key}:${started_seq}`, node, given, owner_agent_id, workspace }
      const started = await children.start(start)
      const record = context.record(key)
      if (!isActive(record.state)) return
      store.transaction(() => {
        if (!started.ok) return context.failed(record, started.failure_contract)
        rows.addChild(started.run_id, workflow_run_id, node.timeout_seconds === undefined ? null : node.timeout_seconds * 1_000)
        const reason = node.kind === 'agent' ? 'an agent is working' : 'another workflow is running'
        log.appendNode('node.waiting', record, { waits_for: 'child', reason, child_run_id: started.run_id })
      })
      ports.crashPoint('child_started')
      if (signal.aborted && isActive(context.record(key).state)) store.relaxed(() => context.stopped(context.record(key)))
    })
  }

  /** Ends the runs of nodes that have ended without them: skipped by a person, stopped with their loop, or reset. */
  cancelUnclaimed(): void {
    if (!this.#mayHaveUnclaimed) return
    this.#mayHaveUnclaimed = false
    const { ports, log, flights } = this.#context
    const { children, rows } = ports
    const { workflow_run_id, run } = log
    const claimed = new Set(this.#context.activeRecords().map(({ child_run_id }) => child_run_id))
    for (const { run_id } of rows.children().filter((child) => child.workflow_run_id === workflow_run_id && !claimed.has(child.run_id)))
      if (!flights.has(run_id))
        flights.start(run_id, async () => {
          await children.cancel(rows.get(run_id) ? 'workflow' : 'agent', run_id, `the workflow ${run.name} no longer needs it`)
          rows.removeChild(run_id)
        })
  }
}
