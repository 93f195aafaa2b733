// A workflow run in progress: it starts nodes, makes their calls, and appends what happens to its events. Nothing is kept elsewhere, so a
// run that is read back after a crash continues as if nothing had happened.
import { setImmediate } from 'node:timers/promises'
import type { FailureContract } from '@tandem/contract/failure'
import { limits } from '@tandem/contract/limits'
import type { PauseReason } from '@tandem/contract/run'
import { isLoop, valueProblem, type WorkflowNode } from '@tandem/contract/workflow'
import { isTerminalWorkflowState, nodeKey, type WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import { timestamp } from '../../clock/clock.ts'
import type { WaitRecord } from '../../journal/waits.ts'
import type { CarriedRun } from '../../run/carrier.ts'
import type { OpenCall } from '../../run/run-progress.ts'
import { WorkflowScheduler, type WorkflowStep } from '../rule/next-steps.ts'
import { workflowResult } from '../workflow-result.ts'
import { failedBy, tooManyNodes, wrongOutput } from './failures.ts'
import { NodeCalls } from './node-calls.ts'
import { NodeChildren } from './node-children.ts'
import { NodeExpressions } from './node-expressions.ts'
import { NodeLoops } from './node-loops.ts'
import type { EnginePorts } from './ports.ts'
import { resetUndone } from './reset-undone.ts'
import { RunContext } from './run-context.ts'
import type { WorkflowRunLog } from './run-log.ts'
import { windDown } from './wind-down.ts'

/** Waits that are shorter keep the run going: to pause it would take longer. */
const shortWait_ms = 10_000

export class ActiveWorkflow {
  readonly #context: RunContext
  readonly #calls: NodeCalls
  readonly #children: NodeChildren
  readonly #expressions: NodeExpressions
  readonly #loops: NodeLoops
  #scheduler: WorkflowScheduler

  constructor(ports: EnginePorts, carried: CarriedRun, log: WorkflowRunLog) {
    this.#context = new RunContext(ports, carried, log)
    this.#calls = new NodeCalls(this.#context)
    this.#children = new NodeChildren(this.#context)
    this.#expressions = new NodeExpressions(this.#context)
    this.#loops = new NodeLoops(this.#context, this.#expressions)
    this.#scheduler = this.#newScheduler()
    log.onEvent(({ kind }) => {
      if (kind === 'node.reset') this.#scheduler = this.#newScheduler()
    })
  }

  #newScheduler(): WorkflowScheduler {
    const { definition, log } = this.#context
    return new WorkflowScheduler(definition, log.run, this.#loops)
  }

  wake(): void {
    this.#context.flights.wake()
  }

  async advance(): Promise<void> {
    const { ports, carried, log, flights } = this.#context
    const { store } = ports
    store.transaction(() => {
      if (carried.isRestored) resetUndone(ports, carried.record(), log)
      if (log.run.state === 'paused') this.#state('running')
    })
    const { stop } = carried
    stop.addEventListener('abort', () => this.wake(), { once: true })
    try {
      await this.#goOn(stop)
    } finally {
      // Also after an error: a call that is still being made must not be made again by who continues.
      await flights.landed()
    }
  }

  async #goOn(stop: AbortSignal): Promise<void> {
    const { ports, log, flights } = this.#context
    const { store } = ports
    while (!stop.aborted) {
      this.#children.cancelUnclaimed()
      if (isTerminalWorkflowState(log.run.state)) return await this.#windDown()
      this.#context.due = null
      this.#lookAround()
      const taken = this.#takeSteps()
      if (taken === 'over') continue
      if (taken === 'none') {
        if (flights.size === 0 && !this.#isDueSoon()) return this.#pause()
        await flights.next(store.clock, this.#context.due)
      }
      // Thousands of rounds that wait for nothing must not keep everything else waiting.
      await setImmediate()
    }
  }

  /** Most rounds find nothing here, and a transaction that writes nothing still takes time. */
  #lookAround(): void {
    const { active, carried, flights, ports } = this.#context
    const unclaimed = this.#unclaimed()
    const idle = [...active].filter((key) => !flights.has(key))
    if (unclaimed.length === 0 && idle.length === 0) return
    ports.store.relaxed(() => {
      for (const { call_id } of unclaimed) carried.discard(call_id)
      for (const key of idle) this.#look(key)
    })
  }

  /** The calls of nodes that a person has skipped, and those that a restore has asked again: their nodes make their own. */
  #unclaimed(): readonly OpenCall[] {
    const claimed = new Set(this.#context.activeRecords().map(({ call_id }) => call_id))
    return this.#context.carried.open().filter(({ call_id, wire_id }) => !claimed.has(call_id) && !wire_id.startsWith('compensation:'))
  }

  /** Continues with what has ended elsewhere, or was interrupted by a crash. */
  #look(key: string): void {
    const record = this.#context.record(key)
    const node = this.#context.node(record)
    if (record.call_id !== null) this.#calls.look(key, node, record, record.call_id)
    else this.#lookAtOther(key, node, record)
  }

  /** A node without a call. */
  #lookAtOther(key: string, node: WorkflowNode, record: WorkflowNodeRecord): void {
    if (node.kind === 'agent' || node.kind === 'workflow') this.#children.look(key, node, record)
    else if (node.kind === 'wait') this.#lookAtWait(record)
    else if (node.kind === 'transform' || node.kind === 'condition') this.#expressions.look(key, node, record)
  }

  #lookAtWait(record: WorkflowNodeRecord): void {
    const until = Date.parse(record.until ?? record.started_at ?? '')
    if (until <= this.#context.ports.store.clock.now()) this.#context.completed(record, 'succeeded')
    else this.#context.isDueAt(until)
  }

  #isDueSoon(): boolean {
    const { due, ports } = this.#context
    return due !== null && due - ports.store.clock.now() <= shortWait_ms
  }

  #takeSteps(): 'over' | 'some' | 'none' {
    const { log, ports } = this.#context
    const most = limits.workflow_run_nodes
    if (log.run.nodes.size > most) return this.#fail(tooManyNodes(log.run.name, most))
    const next = this.#scheduler.next(log.run)
    if (next.is === 'completed') return this.#complete()
    if (next.is === 'failed') {
      const { node_id, iteration } = next.because
      return this.#fail(failedBy(node_id, this.#context.record(nodeKey(node_id, iteration)).failure))
    }
    const { steps } = next
    if (steps.length === 0) return 'none'
    const taken = ports.store.relaxed(() => steps.filter((step) => this.#take(step)).length)
    return taken === 0 ? 'none' : 'some'
  }

  /** Returns whether it changed anything that the scheduler looks at. */
  #take(step: WorkflowStep): boolean {
    switch (step.do) {
      case 'skip':
        this.#context.log.appendNode('node.skipped', step, { reason: step.reason })
        return true
      case 'list_items':
        this.#loops.listItems(step)
        return true
      case 'look_until':
        return this.#loops.lookUntil(step)
      case 'end_loop':
        this.#loops.end(step)
        return true
      case 'start':
        return this.#start(step)
    }
  }

  #start(step: Extract<WorkflowStep, { do: 'start' }>): boolean {
    const { log, ports } = this.#context
    const { clock } = ports.store
    const { node_id, iteration, attempt, after_ms } = step
    const key = nodeKey(node_id, iteration)
    const due = after_ms > 0 ? Date.parse(this.#context.record(key).ended_at ?? '') + after_ms : 0
    if (due > clock.now()) {
      this.#context.isDueAt(due)
      return false
    }
    const node = this.#context.node(step)
    const call_id = this.#calls.request(node, iteration)
    log.appendNode('node.started', step, { attempt, ...(call_id === null ? {} : { call_id }) })
    ports.store.afterCommit(() => ports.crashPoint('node_started'))
    if (node.kind === 'wait') {
      const until = timestamp(clock.now() + node.seconds * 1_000)
      log.appendNode('node.waiting', step, { waits_for: 'time', reason: `until ${until}`, until })
    }
    if (call_id !== null) this.#calls.make(key, node, call_id)
    else if (!isLoop(node)) this.#lookAtOther(key, node, this.#context.record(key))
    return true
  }

  #state(state: 'running' | 'paused' | 'completed' | 'failed', reason?: string): void {
    const { log } = this.#context
    log.append({ kind: 'state', name: log.run.name, state, ...(reason ? { reason: reason.slice(0, 500) } : {}) })
  }

  #pause(): void {
    const { ports, carried, due } = this.#context
    const waiting = this.#context.activeRecords()
    const reason = waiting.map((record) => record.reason).find((one) => one !== null) ?? 'waiting'
    ports.store.transaction(() => {
      this.#state('paused', reason)
      carried.pause(pauseReason(waiting, ports.journal.waits.open(carried.record().no)), due)
    })
  }

  #complete(): 'over' {
    const { definition, ports, log } = this.#context
    const result = workflowResult(ports.journal, log.run) as Record<string, unknown>
    for (const { name, type } of definition.outputs ?? []) {
      const problem = valueProblem(type, result[name])
      if (problem !== null) return this.#fail(wrongOutput(name, problem))
    }
    ports.crashPoint('workflow_ending')
    ports.store.transaction(() => this.#state('completed'))
    return 'over'
  }

  #fail(failure: FailureContract): 'over' {
    const { ports } = this.#context
    ports.crashPoint('workflow_ending')
    ports.store.transaction(() => this.#state('failed', failure.details.message))
    return 'over'
  }

  async #windDown(): Promise<void> {
    const { ports, log, flights } = this.#context
    const { state } = log.run
    flights.abortAll()
    await flights.landed()
    if (await windDown(this.#context)) ports.ended(log.workflow_run_id, state)
  }
}

/** Why the run is paused: first what needs a person. */
function pauseReason(waiting: readonly WorkflowNodeRecord[], waits: readonly Pick<WaitRecord, 'for'>[]): PauseReason {
  const subjects = waits.map((wait) => wait.for)
  if (subjects.includes('approval')) return 'approval'
  if (subjects.includes('question')) return 'question'
  return waiting.some(({ waits_for }) => waits_for === 'child') ? 'child' : 'time'
}
