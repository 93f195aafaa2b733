import type { Judgement } from './fold.ts'

/** The verdict on one change as JSON text. `winners` are the stored records, by key. */
export function verdictText(index: number, change: unknown, judgement: Judgement, winners: ReadonlyMap<string, string>): string {
  const marks = { index, entity_id: idOf(change), verdict: judgement.verdict }
  switch (judgement.verdict) {
    case 'applied':
    case 'duplicate':
      return JSON.stringify(marks)
    case 'merged':
      return withText(marks, 'result', judgement.record)
    case 'stale':
      return withText(marks, 'winner', judgement.record ?? winnerOf(winners, judgement.key))
    case 'rejected': {
      const { code, message, server_ts } = judgement
      return JSON.stringify({ ...marks, code, message, ...(server_ts !== undefined && { server_ts }) })
    }
  }
}

function withText(marks: object, name: string, json: string): string {
  return `${JSON.stringify(marks).slice(0, -1)},"${name}":${json}}`
}

function winnerOf(winners: ReadonlyMap<string, string>, key: string): string {
  const record = winners.get(key)
  if (record === undefined) throw new Error(`${key} is stored, but its record was not read`)
  return record
}

/** A rejected change may have any id, or none. */
function idOf(change: unknown): string {
  return typeof change === 'object' && change !== null && 'entity_id' in change && typeof change.entity_id === 'string'
    ? change.entity_id.slice(0, 200)
    : ''
}
