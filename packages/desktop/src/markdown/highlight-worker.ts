// Colours code away from the window's own thread. It sees text and answers with pieces of the same text, nothing else.
import { common, createLowlight } from 'lowlight'
import { type Piece, piecesOf } from './tint.ts'

export interface Asked {
  readonly no: number
  readonly language: string
  readonly text: string
}

export interface Coloured {
  readonly no: number
  /** Null for a language nobody knows here. */
  readonly pieces: readonly Piece[] | null
}

const lowlight = createLowlight(common)

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { no, language, text } = data
  const answer: Coloured = { no, pieces: lowlight.registered(language) ? piecesOf(lowlight.highlight(language, text)) : null }
  postMessage(answer)
})
