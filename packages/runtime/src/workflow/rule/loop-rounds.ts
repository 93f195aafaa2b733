// Which rounds of a loop are open. Those before `next` that are not open are over, so that a loop over thousands of items is not looked
// through after each event.
import { nodeKey, type WorkflowRunRecord } from '@tandem/contract/workflow-run'

export interface LoopRounds {
  readonly open: Set<number>
  next: number
  /** Rounds that failed, of a loop that goes on. */
  failed: number
}

export class OpenRounds {
  readonly #loops = new Map<string, LoopRounds>()

  /**
   * `loopOf`: the loop that a node is in. All rounds up to the last one that has begun are open, until they are found to be over: one that was
   * opened before it may not have begun.
   */
  constructor(run: Pick<WorkflowRunRecord, 'nodes'>, loopOf: (node_id: string) => string | undefined) {
    for (const { node_id, iteration } of run.nodes.values()) {
      const loop = loopOf(node_id)
      const round = iteration.at(-1)
      if (loop === undefined || round === undefined) continue
      const rounds = this.of(loop, iteration.slice(0, -1))
      for (; rounds.next <= round; rounds.next += 1) rounds.open.add(rounds.next)
    }
  }

  of(loop: string, iteration: readonly number[]): LoopRounds {
    const key = nodeKey(loop, iteration)
    const known = this.#loops.get(key)
    if (known) return known
    const made: LoopRounds = { open: new Set(), next: 0, failed: 0 }
    this.#loops.set(key, made)
    return made
  }
}
