// Options that several commands share, and what is wrong with their values.

export const json = { type: 'boolean', default: false } as const
export const text = { type: 'string' } as const
export const flag = { type: 'boolean', default: false } as const

/** Ids are UUIDs. */
export function isId(word: string | undefined): word is string {
  return word !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word)
}

/** What is wrong with it; null if it is an id, or absent. */
export function idProblem(option: string, said: string | undefined): string | null {
  return said === undefined || isId(said) ? null : `${option} must be an id, such as 01a1e4b0-6b9f-7021-8646-1a860de57084`
}

export const mostListed = 10_000

/** Null if it is not a number that a list accepts. */
export function limitOf(said: string): number | null {
  return /^\d{1,5}$/.test(said) && Number(said) >= 1 && Number(said) <= mostListed ? Number(said) : null
}

export const limitProblem = `--limit must be a number from 1 to ${mostListed}`
