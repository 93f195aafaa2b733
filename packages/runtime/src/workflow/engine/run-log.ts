// The events of one workflow run on this device, with the state that follows from them.
import { limits } from '@tandem/contract/limits'
import { isTerminalRunState } from '@tandem/contract/run'
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import {
  isTerminalWorkflowState,
  type WorkflowNodeRecord,
  WorkflowRunFold,
  type WorkflowRunRecord,
  type WrittenWorkflowRunEvent,
} from '@tandem/contract/workflow-run'
import { timestamp } from '../../clock/clock.ts'
import { hasEnded, isWorthTelling, progressOf, type WorkflowProgress } from '../rule/progress.ts'
import type { EnginePorts } from './ports.ts'

type Placed = 'event_id' | 'workflow_run_id' | 'workflow_id' | 'run_id' | 'device_id' | 'seq' | 'ts'
type Without<Event, Names extends string> = Event extends unknown ? Omit<Event, Names> : never
export type NewWorkflowEvent = Without<WrittenWorkflowRunEvent, Placed>
export type NodePlace = Pick<WorkflowNodeRecord, 'node_id' | 'iteration'>

export type LogPorts = Pick<EnginePorts, 'store' | 'journal' | 'rows'>

export class WorkflowRunLog {
  readonly #ports: LogPorts
  readonly #fold = new WorkflowRunFold()
  readonly workflow_run_id: string
  readonly #listeners = new Set<(event: WrittenWorkflowRunEvent) => void>()
  /** How far it is, as far as it was needed. */
  #progress: WorkflowProgress | null = null

  constructor(ports: LogPorts, workflow_run_id: string) {
    this.#ports = ports
    this.workflow_run_id = workflow_run_id
    for (const event of ports.journal.workflowEvents.all(workflow_run_id)) this.#fold.add(event)
  }

  /** Throws if the run has not started. */
  get run(): WorkflowRunRecord {
    if (this.#fold.run === null) throw new Error(`there is no workflow run ${this.workflow_run_id}`)
    return this.#fold.run
  }

  definition(): WorkflowDefinition {
    const { definition, definition_file_id } = this.run
    return JSON.parse(definition ?? (definition_file_id === null ? 'null' : this.#ports.journal.wholes.read(definition_file_id)))
  }

  /** Called after each event that is appended here. */
  onEvent(call: (event: WrittenWorkflowRunEvent) => void): void {
    this.#listeners.add(call)
  }

  /** In the transaction of the caller. If that fails, this object must not be used any more. */
  append(event: NewWorkflowEvent & { readonly run_id?: string }): void {
    const { store, journal, rows } = this.#ports
    const { workflow_id, run_id } = this.run
    const written = {
      ...{ event_id: store.newId(), workflow_run_id: this.workflow_run_id, workflow_id, run_id, device_id: store.device_id },
      ...{ seq: this.run.last_seq + 1, ts: timestamp(store.clock.now()) },
      ...event,
    } as WrittenWorkflowRunEvent
    const before = { state: this.run.state, reason: this.run.reason }
    const earlier = this.#progressNow()
    const [node_id, wasEnded] =
      'node_id' in written && !written.iteration?.length ? [written.node_id, hasEnded(this.run, written.node_id)] : []
    journal.workflowEvents.append(written)
    this.#fold.add(written)
    const { state, reason } = this.run
    if (state !== before.state || reason !== before.reason)
      rows.setState(this.workflow_run_id, { state, reason, ended_at: isTerminalWorkflowState(state) ? store.clock.now() : null })
    if (node_id !== undefined) this.#progress = { ...earlier, done: earlier.done + Number(hasEnded(this.run, node_id)) - Number(wasEnded) }
    if (state !== before.state || isWorthTelling(earlier, this.#progressNow())) this.tellStatus()
    for (const call of this.#listeners) call(written)
  }

  /** Brings the cards of this workflow run up to date, where runs that show it have not ended. In the transaction of the caller. */
  tellStatus(): void {
    const { journal, rows } = this.#ports
    const { run_id, name, state } = this.run
    const { done, total } = this.#progressNow()
    const status = { kind: 'workflow.status', workflow_run_id: this.workflow_run_id, name, state } as const
    for (const shown of new Set([run_id, rows.get(this.workflow_run_id)?.origin_run_id ?? run_id])) {
      const run = shown === null ? undefined : journal.run(shown)
      if (run && !isTerminalRunState(run.state)) journal.append(run.run_id, { ...status, nodes_done: done, nodes_total: total })
    }
  }

  #progressNow(): WorkflowProgress {
    this.#progress ??= progressOf(this.definition(), this.run)
    return this.#progress
  }

  /** It goes on in another run, after it has failed. */
  reopen(run_id: string): void {
    this.append({ kind: 'state', name: this.run.name, state: 'running', run_id })
    this.#ports.rows.setCarrier(this.workflow_run_id, run_id)
  }

  /** An event of a node. The rounds are left out where there are none. */
  appendNode<Kind extends NewWorkflowEvent['kind']>(
    kind: Kind,
    { node_id, iteration }: NodePlace,
    fields: Omit<Extract<NewWorkflowEvent, { kind: Kind }>, 'kind' | 'node_id' | 'iteration'>,
  ): void {
    this.append({
      kind,
      node_id,
      ...(iteration.length === 0 ? {} : { iteration: [...iteration] }),
      ...fields,
    } as unknown as NewWorkflowEvent)
  }

  /** As fields of an event: in it, or in a file if it is too long. */
  keptOutput(value: unknown): { readonly output?: string; readonly output_file_id?: string } {
    if (value === undefined || value === null) return {}
    const text = JSON.stringify(value)
    if (Buffer.byteLength(text) <= limits.workflow_event_bytes) return { output: text }
    return { output_file_id: this.#ports.journal.wholes.keepFile(text) }
  }
}
