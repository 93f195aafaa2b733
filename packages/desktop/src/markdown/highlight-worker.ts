// Highlights code outside of the window's main thread. It receives text and returns pieces of the same text, nothing else.
import { common, createLowlight } from 'lowlight'
import { type HighlightPiece, highlightPiecesOf } from './highlight-pieces.ts'

export interface HighlightRequest {
  readonly no: number
  readonly language: string
  readonly text: string
}

export interface HighlightResponse {
  readonly no: number
  /** Null for an unknown language. */
  readonly pieces: readonly HighlightPiece[] | null
}

const lowlight = createLowlight(common)

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  const { no, language, text } = data
  const answer: HighlightResponse = {
    no,
    pieces: lowlight.registered(language) ? highlightPiecesOf(lowlight.highlight(language, text)) : null,
  }
  postMessage(answer)
})
