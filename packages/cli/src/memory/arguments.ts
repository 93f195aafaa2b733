// Arguments that the memory commands share.
import { type MemoryKind, memoryKinds } from '@tandem/contract/memory'

export const json = { type: 'boolean', default: false } as const
export const text = { type: 'string' } as const
export const flag = { type: 'boolean', default: false } as const

export const listMemories = 'List the memories and their ids with tandem memory list.'

/** Ids are UUIDs. */
export function isId(word: string | undefined): word is string {
  return word !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word)
}

/** What is wrong with it; null if it is an id, or absent. */
export function idProblem(option: string, said: string | undefined): string | null {
  return said === undefined || isId(said) ? null : `${option} must be an id, such as 01a1e4b0-6b9f-7021-8646-1a860de57084`
}

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

export const mostListed = 10_000

/** Null if it is not a number that a list accepts. */
export function limitOf(said: string): number | null {
  return /^\d{1,5}$/.test(said) && Number(said) >= 1 && Number(said) <= mostListed ? Number(said) : null
}

export const limitProblem = `--limit must be a number from 1 to ${mostListed}`
