// The engine of one workflow run: what its run asks when it goes on, stops or is canceled.
import { isTerminalWorkflowState, type WorkflowRunRecord } from '@tandem/contract/workflow-run'
import type { CarriedRun, Carrier } from '../../run/carrier.ts'
import type { StopKind } from '../../run/stops.ts'
import { ActiveWorkflow } from './active-workflow.ts'
import type { EnginePorts } from './ports.ts'
import { WorkflowRunLog } from './run-log.ts'

const stopReasons: Readonly<Record<StopKind, string>> = {
  pause: 'a person paused it',
  cancel: 'a person canceled it',
  restore: 'a recovery point is being restored',
  shutdown: 'Tandem was closed; it continues with the next start',
}

export class WorkflowEngine implements Carrier {
  readonly #ports: EnginePorts
  readonly #workflow_run_id: string
  #active: { readonly workflow: ActiveWorkflow; readonly log: WorkflowRunLog } | null = null

  constructor(ports: EnginePorts, workflow_run_id: string) {
    this.#ports = ports
    this.#workflow_run_id = workflow_run_id
  }

  async advance(carried: CarriedRun): Promise<void> {
    const log = new WorkflowRunLog(this.#ports, this.#workflow_run_id)
    const workflow = new ActiveWorkflow(this.#ports, carried, log)
    this.#active = { workflow, log }
    try {
      await workflow.advance()
    } catch (error) {
      this.#active = null
      // What is in memory may be ahead of what is on disk.
      this.#pause(new WorkflowRunLog(this.#ports, this.#workflow_run_id), 'an internal error interrupted it')
      throw error
    } finally {
      if (!carried.stop.aborted || carried.record().state !== 'running') this.#active = null
    }
  }

  wake(): void {
    this.#active?.workflow.wake()
  }

  stopped(kind: StopKind): void {
    this.#pause(this.log(), stopReasons[kind])
    this.#active = null
  }

  cancel(reason: string | null): void {
    const log = this.log()
    const { state, name } = log.run
    if (isTerminalWorkflowState(state)) return
    log.append({ kind: 'state', name, state: 'canceled', ...(reason ? { reason: reason.slice(0, 500) } : {}) })
    this.#ports.store.afterCommit(() => this.#ports.crashPoint('workflow_canceled'))
  }

  /** The state while the run goes on; null otherwise. Only for now: it changes with the next event. */
  current(): WorkflowRunRecord | null {
    return this.#active?.log.run ?? null
  }

  /** The events with their state: those of the run that goes on, or read again. */
  log(): WorkflowRunLog {
    return this.#active?.log ?? new WorkflowRunLog(this.#ports, this.#workflow_run_id)
  }

  #pause(log: WorkflowRunLog, reason: string): void {
    if (log.run.state === 'running') log.append({ kind: 'state', name: log.run.name, state: 'paused', reason })
  }
}
