import type { KnowledgePassage } from '@tandem/contract/knowledge'
import { markedPieces, type TextPiece } from './marked-pieces.ts'

export interface PassageLine {
  /** Of the file; null for formats without lines. */
  readonly number: number | null
  /** How much of the line belongs to the passage. */
  readonly inside: 'whole' | 'part' | 'none'
  readonly pieces: readonly TextPiece[]
}

type Shown = Pick<KnowledgePassage, 'before' | 'text' | 'after' | 'from_line'>

/** A passage in the text around it, line by line, with the passage marked. */
export function passageLines({ before, text, after, from_line }: Shown): readonly PassageLine[] {
  const passage = { from: before.length, to: before.length + text.length }
  let at = 0
  return `${before}${text}${after}`.split('\n').map((line, index) => {
    const mark = { from: passage.from - at, to: passage.to - at }
    at += line.length + 1
    const isTouched = mark.to > 0 && mark.from <= line.length && mark.from < mark.to
    const pieces = markedPieces(line.replace(/\r$/, ''), [mark])
    const isWhole = pieces.every(({ isMarked }) => isMarked)
    return {
      number: from_line === null ? null : from_line + index,
      inside: isTouched ? (isWhole ? 'whole' : 'part') : 'none',
      pieces,
    }
  })
}
