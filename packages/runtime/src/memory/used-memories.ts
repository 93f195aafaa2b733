// What a run was given, as it is now.
import type { Memory } from '@tandem/contract/memory'
import type { InjectedMemories } from './injection.ts'
import type { Memories } from './record/memories.ts'
import { fateOf } from './rule/fate.ts'

const mostHops = 10

/** What is there in place of a memory now: itself, or what superseded it. */
export function currentMemory(memories: Pick<Memories, 'get' | 'ofSubject'>, id: string): Memory | undefined {
  let memory = memories.get(id)
  for (let hop = 0; memory && memory.state === 'superseded' && hop < mostHops; hop += 1) {
    const { agent_id, subject } = memory
    const replaced = memory.id
    memory = memories.ofSubject(subject, agent_id).find(({ supersedes }) => supersedes.includes(replaced))
  }
  return memory
}

export function usedMemories(memories: Pick<Memories, 'get' | 'ofSubject' | 'versions'>, { items }: Pick<InjectedMemories, 'items'>) {
  return items.map(({ id, version }) => {
    const memory = memories.get(id)
    const then = memory?.version === version ? memory : memories.versions(id).find((earlier) => earlier.version === version)
    const successor = memory?.state === 'superseded' ? currentMemory(memories, id) : undefined
    return { memory_id: id, version, ...fateOf({ content: then?.content ?? null }, { memory, successor }) }
  })
}
