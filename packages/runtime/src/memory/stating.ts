// The memory that states what the user says is wrong, where they did not choose one.
import type { Memory } from '@tandem/contract/memory'
import type { Memories } from './record/memories.ts'
import { isSameStatement, statementWords } from './rule/resolve/same.ts'
import { isVisible, type Reader } from './rule/visible.ts'

const mostCompared = 500
/** As many as the store looks for. */
const mostWords = 4

/** Undefined if none does, or several: only the user knows which one is meant. */
export function memoryStating(memories: Pick<Memories, 'page'>, statement: string, reader: Reader): Memory | undefined {
  const longest = statementWords(statement).toSorted((left, right) => right.length - left.length)
  // Words with other characters may be written in another way in the memory.
  const words = longest.filter((word) => /^[a-z]+$/.test(word) && !reworded.has(word)).slice(0, mostWords)
  if (words.length === 0) return undefined
  const found = memories
    .page({ agent_id: reader.agent_id, states: ['active'], words }, null, mostCompared)
    .filter((memory) => memory.procedure === null && isVisible(memory, reader) && isSameStatement(memory.content, statement))
  return found.length === 1 ? found[0] : undefined
}

/** `statementWords` writes "won't" and "can't" like this. */
const reworded = new Set(['not', 'will', 'cann'])
