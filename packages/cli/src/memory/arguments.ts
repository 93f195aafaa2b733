// Arguments that the memory commands share.
import { type MemoryKind, memoryKinds } from '@tandem/contract/memory'

export const listMemories = 'List the memories and their ids with tandem memory list.'

export function isKind(word: string): word is MemoryKind {
  return memoryKinds.some((kind) => kind === word)
}

export const kindProblem = `--kind must be one of ${memoryKinds.join(', ')}`

/** `you` is the user; a workspace or an entity is named. */
export function subjectOf(about: string): string | null {
  if (about === 'me' || about === 'user') return 'user'
  return about === 'agent' || /^(?:workspace|entity):.{1,200}$/.test(about) ? about : null
}

export const aboutProblem = '--about must be me, agent, workspace:NAME or entity:NAME'
