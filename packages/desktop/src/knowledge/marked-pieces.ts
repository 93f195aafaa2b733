export interface TextPiece {
  readonly text: string
  readonly isMarked: boolean
}

/** A text cut at its marks. Marks outside of the text, or inside of each other, are as good as their parts in the text. */
export function markedPieces(text: string, marks: readonly { readonly from: number; readonly to: number }[]): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let at = 0
  for (const { from, to } of marks.toSorted((left, right) => left.from - right.from)) {
    const begin = Math.min(text.length, Math.max(at, from))
    const end = Math.min(text.length, to)
    if (end <= begin) continue
    if (begin > at) pieces.push({ text: text.slice(at, begin), isMarked: false })
    pieces.push({ text: text.slice(begin, end), isMarked: true })
    at = end
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMarked: false })
  return pieces
}
