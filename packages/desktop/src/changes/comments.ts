// Comments on lines of a diff, collected until they are sent to the agent as one message.

import { keepDraft, readDraft } from '../store/draft.ts'
import { changeWords } from '../strings/changes.ts'

export interface LineComment {
  readonly id: string
  /** The full path of the file, and the name that the message uses. */
  readonly path: string
  readonly name: string
  /** `before`: the lines are only in the earlier version. */
  readonly side: 'before' | 'after'
  readonly from: number
  readonly to: number
  /** The lines, as they were shown. */
  readonly quoted: readonly string[]
  readonly text: string
}

const mostQuoted = 20

/** What the agent reads. Each comment names its file and lines and quotes them, because the lines may have moved meanwhile. */
export function commentsMessage(comments: readonly LineComment[]): string {
  const parts = comments.map(({ name, side, from, to, quoted, text }) => {
    const place = changeWords.message.place(name, from, to, side)
    const shown = quoted.slice(0, mostQuoted).map((line) => `> ${line}`)
    const rest = quoted.length > mostQuoted ? ['> …'] : []
    return [place, ...shown, ...rest, '', text.trim()].join('\n')
  })
  return [changeWords.message.lead(comments.length), ...parts].join('\n\n')
}

/** In the order of the files and lines, whatever the order in which they were written. */
export function inOrder(comments: readonly LineComment[]): readonly LineComment[] {
  return comments.toSorted((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : left.from - right.from))
}

const placeOf = (conversation_id: string) => `comments:${conversation_id}`

export function readComments(conversation_id: string): readonly LineComment[] {
  const text = readDraft(placeOf(conversation_id))
  if (text === '') return []
  try {
    const kept: unknown = JSON.parse(text)
    return Array.isArray(kept) ? kept.filter(isComment) : []
  } catch (error) {
    console.warn('comments cannot be read', error)
    return []
  }
}

export function keepComments(conversation_id: string, comments: readonly LineComment[]): void {
  keepDraft(placeOf(conversation_id), comments.length === 0 ? '' : JSON.stringify(comments))
}

function isComment(value: unknown): value is LineComment {
  return typeof value === 'object' && value !== null && 'path' in value && 'text' in value && 'quoted' in value && 'from' in value
}
