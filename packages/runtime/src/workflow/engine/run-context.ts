// What all parts of a running workflow share: its events, its definition, what its nodes returned, and which of them are active.
import type { FailureContract } from '@tandem/contract/failure'
import { type Reference, type WorkflowDefinition, WorkflowGraph, type WorkflowNode, type WorkflowOutcome } from '@tandem/contract/workflow'
import { nodeKey, type WorkflowNodeRecord } from '@tandem/contract/workflow-run'
import type { CarriedRun } from '../../run/carrier.ts'
import { itemsOf, type KnownValues, lookUp } from '../rule/look-up.ts'
import { canceledNode } from './failures.ts'
import { Flights } from './flights.ts'
import { outputOf } from './outputs.ts'
import type { EnginePorts } from './ports.ts'
import type { NodePlace, WorkflowRunLog } from './run-log.ts'

export type NodeOfKind<Kind extends WorkflowNode['kind']> = Extract<WorkflowNode, { kind: Kind }>

export class RunContext {
  readonly ports: EnginePorts
  readonly carried: CarriedRun
  readonly log: WorkflowRunLog
  readonly definition: WorkflowDefinition
  readonly graph: WorkflowGraph
  readonly values: KnownValues
  readonly flights = new Flights()
  /** The nodes that are running or waiting. */
  readonly active: Set<string>
  /** The items of the loops that were listed. */
  readonly items = new Map<string, readonly unknown[]>()
  /** When the next wait for a time ends. */
  due: number | null = null

  constructor(ports: EnginePorts, carried: CarriedRun, log: WorkflowRunLog) {
    this.ports = ports
    this.carried = carried
    this.log = log
    this.definition = log.definition()
    this.graph = new WorkflowGraph(this.definition)
    this.values = {
      graph: this.graph,
      inputs: JSON.parse(log.run.inputs ?? '{}'),
      run: () => log.run,
      output: (record) => outputOf(ports.journal, this.node(record).kind, record),
      items: (loop, iteration) => this.listed(loop, iteration) ?? [],
    }
    this.active = new Set([...log.run.nodes].flatMap(([key, { state }]) => (isActive(state) ? [key] : [])))
    log.onEvent((event) => {
      if (!('node_id' in event)) return
      const key = nodeKey(event.node_id, event.iteration)
      if (isActive(log.run.nodes.get(key)?.state ?? 'pending')) this.active.add(key)
      else this.active.delete(key)
    })
  }

  node({ node_id }: Pick<NodePlace, 'node_id'>): WorkflowNode {
    const node = this.graph.node(node_id)
    if (!node) throw new Error(`the workflow has no node ${node_id}`)
    return node
  }

  record(key: string): WorkflowNodeRecord {
    const record = this.log.run.nodes.get(key)
    if (!record) throw new Error(`the workflow run has no node ${key}`)
    return record
  }

  activeRecords(): readonly WorkflowNodeRecord[] {
    return [...this.active].map((key) => this.record(key))
  }

  lookUp(iteration: readonly number[]): (reference: Reference) => unknown {
    return lookUp(this.values, iteration)
  }

  /** The items of a loop; null if they are no list. The same list each time: what it is made of does not change any more. */
  listed(loop: string, iteration: readonly number[]): readonly unknown[] | null {
    const key = nodeKey(loop, iteration)
    const known = this.items.get(key)
    if (known) return known
    const { items } = this.node({ node_id: loop }) as NodeOfKind<'for_each'>
    const list = itemsOf(items, this.lookUp(iteration))
    if (list) this.items.set(key, list)
    return list
  }

  completed(
    record: WorkflowNodeRecord,
    outcome: WorkflowOutcome,
    kept: { readonly output?: string; readonly output_file_id?: string } = {},
  ): void {
    this.log.appendNode('node.completed', record, { attempt: record.attempt, outcome, ...kept })
    this.ports.store.afterCommit(() => this.ports.crashPoint('node_ended'))
  }

  failed(record: WorkflowNodeRecord, failure_contract: FailureContract): void {
    this.log.appendNode('node.failed', record, { attempt: record.attempt, failure_contract })
    this.ports.store.afterCommit(() => this.ports.crashPoint('node_ended'))
  }

  /** Ends a node that waits, because its loop ends. */
  stopped(record: WorkflowNodeRecord): void {
    if (record.call_id !== null) this.carried.discard(record.call_id)
    this.log.appendNode('node.failed', record, { attempt: record.attempt, failure_contract: canceledNode(record.node_id) })
  }

  isDueAt(at: number): void {
    this.due = Math.min(this.due ?? at, at)
  }
}

export function isActive(state: WorkflowNodeRecord['state']): boolean {
  return state === 'running' || state === 'waiting'
}
