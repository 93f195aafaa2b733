// Highlights code outside of the window's main thread. It receives text and returns pieces of the same text, nothing else.
import { common, createLowlight } from 'lowlight'
import { type Piece, piecesOf } from './tint.ts'

export interface Asked {
  readonly no: number
  readonly language: string
  readonly text: string
}

export interface Coloured {
  readonly no: number
  /** Null for an unknown language. */
  readonly pieces: readonly Piece[] | null
}

const lowlight = createLowlight(common)

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { no, language, text } = data
  const answer: Coloured = { no, pieces: lowlight.registered(language) ? piecesOf(lowlight.highlight(language, text)) : null }
  postMessage(answer)
})
