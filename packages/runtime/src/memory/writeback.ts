// A lesson that a person commits to long-term memory. The rules of memories apply to it like to any other.
import type { MemoryWritebackCandidate } from '@tandem/contract/learning'
import { type Memory, memoryDropReasonTexts } from '@tandem/contract/memory'
import type { Outcome } from '../feature/outcome.ts'
import type { Memories } from './record/memories.ts'
import type { Remember } from './remember.ts'
import type { ResolutionCycle } from './resolution-cycle.ts'

export interface WritebackPorts {
  readonly memories: Memories
  readonly remember: Remember
  readonly cycle: ResolutionCycle
  learned(memories: readonly Memory[], agent_id: string): void
}

/** In the transaction of the caller. */
export function commitWriteback(ports: WritebackPorts, candidate: MemoryWritebackCandidate): Outcome<Memory> {
  const { memories, remember, cycle, learned } = ports
  const { id, agent_id, conversation_id, run_id, memory_kind, content, confidence } = candidate
  const proposal = { memory_kind, subject: 'agent', content, quotes: [], confidence, origin_key: `writeback:${id}` }
  const { written, dropped } = remember.write([proposal], { agent_id, conversation_id, run_id, source_type: 'memory_writeback' })
  const [memory] = written
  if (!memory) {
    const reason = memoryDropReasonTexts[dropped[0]?.reason ?? 'empty']
    return { ok: false, code: 'invalid_params', message: `the candidate ${id} cannot be remembered: ${reason}`, remedy: 'Dismiss it.' }
  }
  // Committing it says that it is worth keeping, not that it counts more than what the person said: its source gives it its rank.
  cycle.apply([memory])
  learned([memory], agent_id)
  return { ok: true, value: memories.get(memory.id) ?? memory }
}
