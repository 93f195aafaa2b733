// A workflow run that goes on: it starts nodes, makes their calls, and appends what happens to its events. Nothing is kept elsewhere, so a
// run that is read back after a crash goes on as if nothing had happened.
import { setImmediate } from 'node:timers/promises'
import type { FailureContract } from '@tandem/contract/failure'
import { limits } from '@tandem/contract/limits'
import type { PauseReason } from '@tandem/contract/run'
import type { AskUserOutput } from '@tandem/contract/tool/output'
import {
  type Condition,
  filled,
  filledJson,
  isLoop,
  type Reference,
  valueProblem,
  type WorkflowDefinition,
  WorkflowGraph,
  type WorkflowNode,
  type WorkflowOutcome,
} from '@tandem/contract/workflow'
import { isTerminalWorkflowState, nodeKey, type WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import { timestamp } from '../../clock/clock.ts'
import type { CallEnd } from '../../journal/journal.ts'
import type { WaitRecord } from '../../journal/waits.ts'
import type { CarriedRun } from '../../run/carrier.ts'
import { compare } from '../rule/compare.ts'
import { isCovered } from '../rule/covered.ts'
import { type KnownValues, lookUp } from '../rule/look-up.ts'
import { WorkflowScheduler, type WorkflowStep } from '../rule/next-steps.ts'
import { canceledNode, expressionFailed, failedBy, loopFailed, notAList, timedOut, tooManyItems, wrongOutput } from './failures.ts'
import { Flights } from './flights.ts'
import { answerText, outputOf } from './outputs.ts'
import { approvalArguments, type InterruptedChoice, interruptedArguments, questionArguments } from './person.ts'
import type { ChildNode, EnginePorts } from './ports.ts'
import { resetUndone } from './reset-undone.ts'
import type { NodePlace, WorkflowRunLog } from './run-log.ts'
import { windDown } from './wind-down.ts'

/** Waits that are shorter keep the run going: to pause it would take longer. */
const shortWait_ms = 10_000

type Kind<Name extends WorkflowNode['kind']> = Extract<WorkflowNode, { kind: Name }>

export class ActiveWorkflow {
  readonly #ports: EnginePorts
  readonly #carried: CarriedRun
  readonly #log: WorkflowRunLog
  readonly #definition: WorkflowDefinition
  readonly #graph: WorkflowGraph
  readonly #values: KnownValues
  readonly #flights = new Flights()
  /** The nodes that are running or waiting. */
  readonly #active: Set<string>
  readonly #items = new Map<string, readonly unknown[]>()
  readonly #untils = new Map<string, boolean>()
  #scheduler: WorkflowScheduler
  /** A node may have ended without the run that it had started. */
  #mayHaveUnclaimed = true
  /** When the next wait for a time ends. */
  #due: number | null = null

  constructor(ports: EnginePorts, carried: CarriedRun, log: WorkflowRunLog) {
    this.#ports = ports
    this.#carried = carried
    this.#log = log
    this.#definition = log.definition()
    this.#graph = new WorkflowGraph(this.#definition)
    this.#values = {
      graph: this.#graph,
      inputs: JSON.parse(log.run.inputs ?? '{}'),
      run: () => log.run,
      output: (record) => outputOf(ports.journal, this.#node(record).kind, record),
      items: (loop, iteration) => this.#listed(loop, iteration) ?? [],
    }
    this.#active = new Set([...log.run.nodes].flatMap(([key, { state }]) => (isActive(state) ? [key] : [])))
    this.#scheduler = this.#schedule()
    log.onEvent((event) => {
      if (!('node_id' in event)) return
      const key = nodeKey(event.node_id, event.iteration)
      if (isActive(log.run.nodes.get(key)?.state ?? 'pending')) this.#active.add(key)
      else this.#active.delete(key)
      if (event.kind === 'node.reset') this.#scheduler = this.#schedule()
      if (event.kind === 'node.reset' || event.kind === 'node.skipped' || event.kind === 'node.failed') this.#mayHaveUnclaimed = true
    })
  }

  wake(): void {
    this.#flights.wake()
  }

  async advance(): Promise<void> {
    const { store } = this.#ports
    store.transaction(() => {
      if (this.#carried.isRestored) resetUndone(this.#ports, this.#carried.record(), this.#log)
      if (this.#log.run.state === 'paused') this.#state('running')
    })
    const { stop } = this.#carried
    stop.addEventListener('abort', () => this.wake(), { once: true })
    while (!stop.aborted) {
      if (this.#mayHaveUnclaimed) this.#cancelUnclaimed()
      this.#mayHaveUnclaimed = false
      if (isTerminalWorkflowState(this.#log.run.state)) return await this.#windDown()
      this.#due = null
      store.relaxed(() => {
        this.#discardUnclaimed()
        this.#lookAtActive()
      })
      const taken = this.#takeSteps()
      if (taken === 'over') continue
      if (taken === 'none') {
        if (this.#flights.size === 0 && !this.#isDueSoon()) return this.#pause()
        await this.#flights.next(store.clock, this.#due)
      }
      // Thousands of rounds that wait for nothing must not keep everything else waiting.
      await setImmediate()
    }
    await this.#flights.landed()
  }

  /** The calls of nodes that a person has skipped, and those that a restore has asked again: their nodes make their own. */
  #discardUnclaimed(): void {
    const claimed = new Set([...this.#active].map((key) => this.#record(key).call_id))
    for (const { call_id, wire_id } of this.#carried.open())
      if (!claimed.has(call_id) && !wire_id.startsWith('compensation:')) this.#carried.discard(call_id)
  }

  #schedule(): WorkflowScheduler {
    return new WorkflowScheduler(this.#definition, this.#log.run, {
      items: (loop, iteration) => this.#items.get(nodeKey(loop, iteration))?.length ?? null,
      until: (loop, iteration, round) => this.#untils.get(nodeKey(loop, [...iteration, round])) ?? null,
    })
  }

  #node({ node_id }: Pick<NodePlace, 'node_id'>): WorkflowNode {
    const node = this.#graph.node(node_id)
    if (!node) throw new Error(`the workflow has no node ${node_id}`)
    return node
  }

  #record(key: string): WorkflowNodeRecord {
    const record = this.#log.run.nodes.get(key)
    if (!record) throw new Error(`the workflow run has no node ${key}`)
    return record
  }

  #lookUp(iteration: readonly number[]): (reference: Reference) => unknown {
    return lookUp(this.#values, iteration)
  }

  #state(state: 'running' | 'paused' | 'completed' | 'failed', reason?: string): void {
    this.#log.append({ kind: 'state', name: this.#log.run.name, state, ...(reason ? { reason: reason.slice(0, 500) } : {}) })
  }

  // What is active.

  /** Goes on with what has ended elsewhere, or was interrupted by a crash. */
  #lookAtActive(): void {
    for (const key of this.#active) {
      if (this.#flights.has(key)) continue
      const record = this.#record(key)
      const node = this.#node(record)
      if (record.call_id !== null) this.#lookAtCall(key, node, record)
      else if (node.kind === 'agent' || node.kind === 'workflow') this.#lookAtChild(key, node, record)
      else if (node.kind === 'wait') this.#lookAtWait(record)
      else if (node.kind === 'transform' || node.kind === 'condition') this.#evaluate(key, node, record)
    }
  }

  #lookAtCall(key: string, node: WorkflowNode, record: WorkflowNodeRecord): void {
    const call_id = record.call_id ?? ''
    const open = this.#carried.open().find((call) => call.call_id === call_id)
    if (!open) {
      this.#callEnded(node, record, false)
      return
    }
    const wait = open.progress === 'requested' ? undefined : this.#ports.journal.waits.of(this.#carried.record().no, call_id)
    if (wait && wait.outcome === null) {
      if (record.state === 'running') this.#callWaits(node, record)
      return
    }
    if (record.state === 'waiting' && record.waits_for !== 'person')
      this.#log.appendNode('node.started', record, { attempt: record.attempt, call_id })
    this.#ports.store.afterCommit(() => this.#make(key, node, call_id))
  }

  #lookAtChild(key: string, node: ChildNode, record: WorkflowNodeRecord): void {
    const { child_run_id } = record
    if (child_run_id === null) {
      this.#ports.store.afterCommit(() => this.#startChild(key, node, record))
      return
    }
    const end = this.#ports.children.end(node.kind, child_run_id)
    if (end.is === 'open') return
    this.#ports.rows.removeChild(child_run_id)
    if (end.is === 'completed') this.#completed(record, 'succeeded', this.#log.keptOutput(end.output))
    else this.#failed(record, end.failure_contract)
  }

  #lookAtWait(record: WorkflowNodeRecord): void {
    const until = Date.parse(record.until ?? record.started_at ?? '')
    if (until <= this.#ports.store.clock.now()) this.#completed(record, 'succeeded')
    else this.#isDueAt(until)
  }

  #isDueAt(at: number): void {
    this.#due = Math.min(this.#due ?? at, at)
  }

  #isDueSoon(): boolean {
    return this.#due !== null && this.#due - this.#ports.store.clock.now() <= shortWait_ms
  }

  // What comes next.

  #takeSteps(): 'over' | 'some' | 'none' {
    const next = this.#scheduler.next(this.#log.run)
    if (next.is === 'completed') return this.#complete()
    if (next.is === 'failed')
      return this.#fail(failedBy(next.because.node_id, this.#record(nodeKey(next.because.node_id, next.because.iteration)).failure))
    const taken = this.#ports.store.relaxed(() => next.steps.filter((step) => this.#take(step)).length)
    return taken === 0 ? 'none' : 'some'
  }

  /** Returns whether it changed anything that the scheduler looks at. */
  #take(step: WorkflowStep): boolean {
    switch (step.do) {
      case 'skip':
        this.#log.appendNode('node.skipped', step, { reason: step.reason })
        return true
      case 'list_items':
        return this.#listItems(step)
      case 'look_until':
        return this.#lookUntil(step, this.#node(step) as Kind<'repeat'>)
      case 'end_loop':
        return this.#endLoop(step)
      case 'start':
        return this.#start(step)
    }
  }

  #listItems(place: NodePlace): boolean {
    const items = this.#listed(place.node_id, place.iteration)
    if (items === null) this.#failed(this.#record(nodeKey(place.node_id, place.iteration)), notAList(place.node_id))
    else if (items.length > limits.workflow_rounds)
      this.#failed(this.#record(nodeKey(place.node_id, place.iteration)), tooManyItems(place.node_id, items.length, limits.workflow_rounds))
    return true
  }

  /** The same list each time: what it is made of does not change any more. */
  #listed(loop: string, iteration: readonly number[]): readonly unknown[] | null {
    const key = nodeKey(loop, iteration)
    const known = this.#items.get(key)
    if (known) return known
    const { items } = this.#node({ node_id: loop }) as Kind<'for_each'>
    const value = filled(items, this.#lookUp(iteration))
    const list = typeof value === 'string' ? listIn(value) : value
    if (!Array.isArray(list)) return null
    this.#items.set(key, list)
    return list
  }

  #lookUntil({ node_id, iteration, round }: Extract<WorkflowStep, { do: 'look_until' }>, { until }: Kind<'repeat'>): boolean {
    const key = nodeKey(node_id, [...iteration, round])
    const flight = `until:${key}`
    if (this.#flights.has(flight)) return false
    const place = [...iteration, round]
    const now = 'expression' in until ? null : this.#compared(until, place)
    if (now !== null) {
      this.#untils.set(key, now)
      return true
    }
    this.#flights.start(flight, async () => {
      const found = 'expression' in until ? await this.#expression(until.expression, place) : await this.#matched(until, place)
      if (found.ok) this.#untils.set(key, found.value === true)
      else {
        const record = this.#record(nodeKey(node_id, iteration))
        this.#failed(record, expressionFailed({ id: node_id }, found.reason_code, found.message, found.remedy))
      }
    })
    return false
  }

  #endLoop({ node_id, iteration, outcome, reason }: Extract<WorkflowStep, { do: 'end_loop' }>): boolean {
    const record = this.#record(nodeKey(node_id, iteration))
    const node = this.#node(record) as Kind<'for_each' | 'repeat'>
    if (outcome === 'failed') {
      this.#failed(record, loopFailed(node_id, reason ?? 'it failed'))
      this.#stopWithin(record)
    } else {
      const result = node.kind === 'for_each' ? this.#results(node, iteration) : this.#lastResult(node, iteration)
      this.#completed(record, 'succeeded', this.#log.keptOutput(result))
    }
    return true
  }

  #results({ id, result }: Kind<'for_each'>, iteration: readonly number[]): readonly unknown[] {
    return (this.#listed(id, iteration) ?? []).map((_item, round) =>
      result === undefined ? null : (filled(result, this.#lookUp([...iteration, round])) ?? null),
    )
  }

  #lastResult({ id, result }: Kind<'repeat'>, iteration: readonly number[]): unknown {
    if (result === undefined) return null
    const rounds = [...this.#untils.keys()].filter((key) => key.startsWith(nodeKey(id, [...iteration, 0]).slice(0, -1)))
    const last = Math.max(
      ...rounds.map((key) =>
        Number(
          key
            .slice(key.lastIndexOf('@') + 1)
            .split('.')
            .at(-1),
        ),
      ),
    )
    return filled(result, this.#lookUp([...iteration, last]))
  }

  /** A loop has failed: what its other rounds are doing is stopped. */
  #stopWithin({ node_id, iteration }: WorkflowNodeRecord): void {
    for (const key of this.#active) {
      const record = this.#record(key)
      if (!this.#graph.loopsAround(record.node_id).includes(node_id) || !iteration.every((round, at) => record.iteration[at] === round))
        continue
      if (!this.#flights.abort(key)) this.#stopped(record)
    }
  }

  /** Ends a node that waits, because its loop ends. */
  #stopped(record: WorkflowNodeRecord): void {
    if (record.call_id !== null) this.#carried.discard(record.call_id)
    this.#log.appendNode('node.failed', record, { attempt: record.attempt, failure_contract: canceledNode(record.node_id) })
  }

  #start(step: Extract<WorkflowStep, { do: 'start' }>): boolean {
    const { node_id, iteration, attempt, after_ms } = step
    const key = nodeKey(node_id, iteration)
    if (after_ms > 0) {
      const due = Date.parse(this.#record(key).ended_at ?? '') + after_ms
      if (due > this.#ports.store.clock.now()) {
        this.#isDueAt(due)
        return false
      }
    }
    const node = this.#node(step)
    const args = this.#callOf(node, iteration)
    if (args) {
      const call_id = this.#carried.request(args.tool, JSON.stringify(args.arguments))
      this.#log.appendNode('node.started', step, { attempt, call_id })
    } else this.#log.appendNode('node.started', step, { attempt })
    this.#ports.store.afterCommit(() => this.#ports.crashPoint('node_started'))
    if (node.kind === 'wait') {
      const until = timestamp(this.#ports.store.clock.now() + node.seconds * 1_000)
      this.#log.appendNode('node.waiting', step, { waits_for: 'time', reason: `until ${until}`, until })
    }
    // All others are looked at like those that a crash interrupted.
    if (!isLoop(node)) this.#lookAtStarted(key, node)
    return true
  }

  #lookAtStarted(key: string, node: WorkflowNode): void {
    const record = this.#record(key)
    if (record.call_id !== null) {
      const { call_id } = record
      this.#ports.store.afterCommit(() => this.#make(key, node, call_id))
    } else if (node.kind === 'agent' || node.kind === 'workflow') this.#lookAtChild(key, node, record)
    else if (node.kind === 'wait') this.#lookAtWait(record)
    else if (node.kind === 'transform' || node.kind === 'condition') this.#evaluate(key, node, record)
  }

  // Calls.

  #callOf(node: WorkflowNode, iteration: readonly number[]): { readonly tool: string; readonly arguments: unknown } | null {
    const look = this.#lookUp(iteration)
    if (node.kind === 'tool') return { tool: node.tool, arguments: filledJson(JSON.parse(node.arguments), look) }
    if (node.kind === 'question')
      return { tool: 'ask_user', arguments: questionArguments(String(filled(node.question, look)), node.choices) }
    if (node.kind === 'approval') return { tool: 'ask_user', arguments: approvalArguments(String(filled(node.message, look))) }
    return null
  }

  #make(key: string, node: WorkflowNode, call_id: string): void {
    const { store } = this.#ports
    const seconds = 'timeout_seconds' in node ? node.timeout_seconds : undefined
    this.#flights.start(key, async (signal) => {
      const late = new AbortController()
      const cancel = seconds === undefined ? () => undefined : store.clock.after(seconds * 1_000, () => late.abort())
      try {
        const isApproved = (call: { readonly warnings: readonly string[] }) => call.warnings.length === 0 && this.#isApproved(node)
        const end = await this.#carried.make(call_id, { signal: AbortSignal.any([signal, late.signal]), isApproved })
        const record = this.#record(key)
        if (record.call_id !== call_id || !isActive(record.state)) return
        store.relaxed(() => {
          if (end === 'settled') this.#callEnded(node, record, late.signal.aborted)
          else if (end === 'waiting' && record.state === 'running') this.#callWaits(node, record)
        })
      } finally {
        cancel()
      }
    })
  }

  #isApproved(node: WorkflowNode): boolean {
    if (node.kind !== 'tool' || !this.#ports.coversCalls(this.#log.run.definition_sha256)) return false
    return isCovered(node.arguments, this.#ports.rows.get(this.#log.workflow_run_id)?.inputs_by === 'person')
  }

  #callWaits(node: WorkflowNode, record: WorkflowNodeRecord): void {
    const waits_for = node.kind === 'question' ? 'question' : 'approval'
    const reason = node.kind === 'tool' ? `${node.tool} needs an approval` : `${node.title ?? node.id} needs an answer`
    this.#log.appendNode('node.waiting', record, { waits_for, reason: reason.slice(0, 500) })
  }

  #callEnded(node: WorkflowNode, record: WorkflowNodeRecord, isLate: boolean): void {
    const call = this.#ports.journal.settled(this.#carried.record().run_id, record.call_id ?? '')
    if (!call) throw new Error(`call ${record.call_id} of node ${record.node_id} is neither open nor settled`)
    const { outcome, output } = call
    if (record.waits_for === 'person') this.#personDecided(record, answerText(output as AskUserOutput | null))
    else if (outcome === 'interrupted') this.#interrupted(node, record)
    else if (outcome !== 'succeeded') this.#failed(record, callFailure(node, call, isLate))
    else if (node.kind !== 'approval') this.#completed(record, 'succeeded')
    else this.#completed(record, (output as AskUserOutput).chosen.includes('approve') ? 'approved' : 'denied')
  }

  /** It may have taken effect: it is repeated only if that does no harm, otherwise a person decides. */
  #interrupted(node: WorkflowNode, record: WorkflowNodeRecord): void {
    if (node.kind === 'tool' && node.idempotent) {
      this.#log.appendNode('node.reset', record, {})
      return
    }
    const call_id = this.#carried.request('ask_user', JSON.stringify(interruptedArguments(node, record.iteration)))
    const reason = `${node.id} was interrupted, and may have taken effect`
    this.#log.appendNode('node.waiting', record, { waits_for: 'person', reason, call_id })
    this.#ports.store.afterCommit(() => this.#make(nodeKey(record.node_id, record.iteration), node, call_id))
  }

  #personDecided(record: WorkflowNodeRecord, answer: string): void {
    const choice = answer as InterruptedChoice
    if (choice === 'repeat') this.#log.appendNode('node.reset', record, {})
    // Nobody has seen its output, but its effect can be taken back.
    else if (choice === 'continue') this.#completed(record, 'succeeded', { output: 'null' })
    else this.#failed(record, failedBy(record.node_id, null))
  }

  #completed(
    record: WorkflowNodeRecord,
    outcome: WorkflowOutcome,
    kept: { readonly output?: string; readonly output_file_id?: string } = {},
  ): void {
    this.#log.appendNode('node.completed', record, { attempt: record.attempt, outcome, ...kept })
    this.#ports.store.afterCommit(() => this.#ports.crashPoint('node_ended'))
  }

  #failed(record: WorkflowNodeRecord, failure_contract: FailureContract): void {
    this.#log.appendNode('node.failed', record, { attempt: record.attempt, failure_contract })
    this.#ports.store.afterCommit(() => this.#ports.crashPoint('node_ended'))
  }

  // Other runs.

  #startChild(key: string, node: ChildNode, place: NodePlace): void {
    const { children, store, rows } = this.#ports
    const { workflow_run_id, run } = this.#log
    const look = this.#lookUp(place.iteration)
    const given = node.kind === 'agent' ? filled(node.prompt, look) : filledJson(JSON.parse(node.inputs), look)
    this.#flights.start(key, async (signal) => {
      const { started_seq } = this.#record(key)
      const { owner_agent_id } = run
      const { workspace } = this.#carried.record()
      const start = { workflow_run_id, key: `${workflow_run_id}:${key}:${started_seq}`, node, given, owner_agent_id, workspace }
      const started = await children.start(start)
      const record = this.#record(key)
      if (!isActive(record.state)) return
      store.transaction(() => {
        if (!started.ok) return this.#failed(record, started.failure_contract)
        rows.addChild(started.run_id, workflow_run_id, node.timeout_seconds === undefined ? null : node.timeout_seconds * 1_000)
        const reason = node.kind === 'agent' ? 'an agent is working' : 'another workflow is running'
        this.#log.appendNode('node.waiting', record, { waits_for: 'child', reason, child_run_id: started.run_id })
      })
      this.#ports.crashPoint('child_started')
      if (signal.aborted && isActive(this.#record(key).state)) store.relaxed(() => this.#stopped(this.#record(key)))
    })
  }

  /** The runs of nodes that have ended without them: skipped by a person, stopped with their loop, or reset. */
  #cancelUnclaimed(): void {
    const { children, rows } = this.#ports
    const { workflow_run_id, run } = this.#log
    const claimed = new Set([...this.#active].map((key) => this.#record(key).child_run_id))
    for (const { run_id } of rows.children().filter((child) => child.workflow_run_id === workflow_run_id && !claimed.has(child.run_id)))
      if (!this.#flights.has(run_id))
        this.#flights.start(run_id, async () => {
          await children.cancel(rows.get(run_id) ? 'workflow' : 'agent', run_id, `the workflow ${run.name} no longer needs it`)
          rows.removeChild(run_id)
        })
  }

  // Expressions.

  #evaluate(key: string, node: Kind<'transform' | 'condition'>, record: WorkflowNodeRecord): void {
    const { iteration } = record
    const now = node.kind === 'condition' ? this.#compared(node.condition, iteration) : null
    if (now !== null) {
      this.#completed(record, now ? 'true' : 'false', { output: String(now) })
      return
    }
    this.#flights.start(key, async () => {
      const found = node.kind === 'condition' ? await this.#matched(node.condition, iteration) : await this.#transformed(node, iteration)
      this.#ports.store.relaxed(() => {
        if (!found.ok) return this.#failed(record, expressionFailed(node, found.reason_code, found.message, found.remedy))
        if (node.kind === 'transform') return this.#completed(record, 'succeeded', this.#log.keptOutput(found.value))
        this.#completed(record, found.value === true ? 'true' : 'false', { output: String(found.value === true) })
      })
    })
  }

  /** Null if a pattern is to be matched, which is done elsewhere. */
  #compared({ left, comparison, right }: Condition, iteration: readonly number[]): boolean | null {
    const look = this.#lookUp(iteration)
    if (comparison === 'matches') return null
    return compare(comparison, filled(left, look), right === undefined ? undefined : filled(right, look))
  }

  #matched({ left, right = '' }: Condition, iteration: readonly number[]) {
    const look = this.#lookUp(iteration)
    const text = filled(left, look)
    return this.#ports.evaluator.matches(String(filled(right, look)), typeof text === 'string' ? text : JSON.stringify(text))
  }

  #transformed({ expression, input }: Kind<'transform'>, iteration: readonly number[]) {
    return this.#ports.evaluator.evaluate(expression, filledJson(JSON.parse(input), this.#lookUp(iteration)))
  }

  /** About the inputs and the nodes of the round. */
  #expression(expression: string, iteration: readonly number[]) {
    const nodes = this.#definition.nodes.flatMap(({ id }) => {
      const outer = iteration.slice(0, this.#graph.loopsAround(id).length)
      const record = this.#log.run.nodes.get(nodeKey(id, outer))
      return record ? [[id, { output: this.#values.output(record) ?? null, outcome: record.outcome }]] : []
    })
    return this.#ports.evaluator.evaluate(expression, { inputs: this.#values.inputs, nodes: Object.fromEntries(nodes) })
  }

  // Ends.

  #pause(): void {
    const { store, journal } = this.#ports
    const waiting = [...this.#active].map((key) => this.#record(key))
    const reason = waiting.map(({ reason }) => reason).find((one) => one !== null) ?? 'waiting'
    store.transaction(() => {
      this.#state('paused', reason)
      this.#carried.pause(pauseReason(waiting, journal.waits.open(this.#carried.record().no)), this.#due)
    })
  }

  /** What it returns: the outputs by name, or the one output. */
  #result(): unknown {
    const { output, outputs } = this.#definition
    const look = this.#lookUp([])
    if (outputs && outputs.length > 0) return Object.fromEntries(outputs.map(({ name, value }) => [name, filled(value, look) ?? null]))
    return output === undefined ? null : filled(output, look)
  }

  #complete(): 'over' {
    const { store } = this.#ports
    const result = this.#result() as Record<string, unknown>
    for (const { name, type } of this.#definition.outputs ?? []) {
      const problem = valueProblem(type, result[name])
      if (problem !== null) return this.#fail(wrongOutput(name, problem))
    }
    this.#ports.crashPoint('workflow_ending')
    store.transaction(() => this.#state('completed'))
    return 'over'
  }

  #fail(failure: FailureContract): 'over' {
    this.#ports.crashPoint('workflow_ending')
    this.#ports.store.transaction(() => this.#state('failed', failure.details.message))
    return 'over'
  }

  async #windDown(): Promise<void> {
    const { run } = this.#log
    this.#flights.abortAll()
    await this.#flights.landed()
    const ended = await windDown({
      ...{ ports: this.#ports, carried: this.#carried, log: this.#log, definition: this.#definition, lookUp: (at) => this.#lookUp(at) },
      active: () => [...this.#active].map((key) => this.#record(key)),
    })
    if (ended) this.#ports.ended(this.#log.workflow_run_id, run.state)
  }
}

function isActive(state: WorkflowNodeRecord['state']): boolean {
  return state === 'running' || state === 'waiting'
}

function callFailure(node: WorkflowNode, { failure_contract }: Pick<CallEnd, 'failure_contract'>, isLate: boolean): FailureContract {
  const seconds = 'timeout_seconds' in node ? node.timeout_seconds : undefined
  if (isLate && seconds !== undefined) return timedOut(node.id, seconds)
  return failure_contract ?? failedBy(node.id, null)
}

function listIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Why the run is paused: first what needs a person. */
function pauseReason(waiting: readonly WorkflowNodeRecord[], waits: readonly Pick<WaitRecord, 'for'>[]): PauseReason {
  const subjects = waits.map((wait) => wait.for)
  if (subjects.includes('approval')) return 'approval'
  if (subjects.includes('question')) return 'question'
  return waiting.some(({ waits_for }) => waits_for === 'child') ? 'child' : 'time'
}
