// The comment that is being written on lines of a file. It is kept, so that leaving the page does not lose it.
import { keepDraft, readDraft } from '../store/draft.ts'
import type { LineRange } from './selected-lines.ts'

export interface UnfinishedComment {
  readonly range: LineRange
  readonly text: string
}

const placeOf = (conversation_id: string, path: string) => `comment:${conversation_id}:${path}`

export function readUnfinished(conversation_id: string, path: string): UnfinishedComment | null {
  const text = readDraft(placeOf(conversation_id, path))
  if (text === '') return null
  try {
    const kept: unknown = JSON.parse(text)
    return isUnfinished(kept) ? kept : null
  } catch (error) {
    console.warn('the comment that was being written cannot be read', error)
    return null
  }
}

export function keepUnfinished(conversation_id: string, path: string, comment: UnfinishedComment | null): void {
  keepDraft(placeOf(conversation_id, path), comment === null || comment.text === '' ? '' : JSON.stringify(comment))
}

function isUnfinished(value: unknown): value is UnfinishedComment {
  if (typeof value !== 'object' || value === null || !('text' in value) || !('range' in value)) return false
  const { text, range } = value
  return typeof text === 'string' && typeof range === 'object' && range !== null && 'anchor' in range && 'head' in range
}
