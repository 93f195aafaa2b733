// A lesson that a person commits to long-term memory. The rules of memories apply to it like to any other.
import type { MemoryWritebackCandidate } from '@tandem/contract/learning'
import type { Memory } from '@tandem/contract/memory'
import type { Outcome } from '../feature/outcome.ts'
import type { Memories } from './record/memories.ts'
import type { Remember } from './remember.ts'
import type { ResolutionCycle } from './resolution-cycle.ts'
import type { RefusalReason } from './rule/candidate.ts'

export interface WritebackPorts {
  readonly memories: Memories
  readonly remember: Remember
  readonly cycle: ResolutionCycle
  learned(memories: readonly Memory[], agent_id: string): void
}

const refusals: Readonly<Record<RefusalReason | 'not_remembered', string>> = {
  secret: 'it contains a secret',
  empty: 'it is empty',
  quote_not_found: 'it quotes something that you did not say',
  not_in_quote: 'it says something that you did not say',
  only_from_user: 'only you can say this',
  about_user: 'only you can say something about yourself',
  not_remembered: 'nothing from this agent or conversation may be remembered',
}

/** In the transaction of the caller. */
export function commitWriteback(ports: WritebackPorts, candidate: MemoryWritebackCandidate): Outcome<Memory> {
  const { memories, remember, cycle, learned } = ports
  const { id, agent_id, conversation_id, run_id, memory_kind, content, confidence } = candidate
  const proposal = { memory_kind, subject: 'agent', content, quotes: [], confidence, origin_key: `writeback:${id}` }
  const { written, dropped } = remember.write([proposal], { agent_id, conversation_id, run_id, source_type: 'memory_writeback' })
  const [memory] = written
  if (!memory) {
    const reason = refusals[dropped[0]?.reason ?? 'empty']
    return { ok: false, code: 'invalid_params', message: `the candidate ${id} cannot be remembered: ${reason}`, remedy: 'Dismiss it.' }
  }
  // The person has read it.
  const confirmed = memories.edit(memory.id, { confirmed_by_user: true })
  cycle.apply([confirmed])
  learned([confirmed], agent_id)
  return { ok: true, value: memories.get(memory.id) ?? confirmed }
}
