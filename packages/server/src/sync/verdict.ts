import type { Judgement } from './fold.ts'

/** The verdict on one change as JSON text. `record` is that of the entity, where this verdict carries it. */
export function verdictText(index: number, change: unknown, judgement: Judgement, record: string | undefined): string {
  const marks = { index, entity_id: idOf(change), verdict: judgement.verdict }
  switch (judgement.verdict) {
    case 'applied':
    case 'duplicate':
      return JSON.stringify(marks)
    case 'merged':
      return withText(marks, 'result', record)
    case 'stale':
      return withText(marks, 'winner', record)
    case 'rejected': {
      const { code, message, server_ts } = judgement
      return JSON.stringify({ ...marks, code, message, ...(server_ts !== undefined && { server_ts }) })
    }
  }
}

function withText(marks: object, name: string, json: string | undefined): string {
  const text = JSON.stringify(marks)
  return json === undefined ? text : `${text.slice(0, -1)},"${name}":${json}}`
}

/** A rejected change may have any id, or none. */
function idOf(change: unknown): string {
  return typeof change === 'object' && change !== null && 'entity_id' in change && typeof change.entity_id === 'string'
    ? change.entity_id.slice(0, 200)
    : ''
}
