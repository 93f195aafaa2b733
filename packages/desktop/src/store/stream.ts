// Text that is streaming in. Each delta has an offset: a repeated one changes nothing, and an early one waits until the gap is filled.
import type { Delta } from '@tandem/contract/command'

export interface TextStream {
  readonly run_id: string
  readonly conversation_id: string
  readonly kind: Delta['kind']
  readonly id: string
  readonly text: string
  /** Pieces after a gap. */
  readonly pending: readonly Piece[]
}

type Piece = Pick<Delta, 'offset' | 'text'>

export type Streams = ReadonlyMap<string, TextStream>

export function streamKey({ kind, id }: Pick<Delta, 'kind' | 'id'>): string {
  return `${kind}:${id}`
}

export function addDelta(streams: Streams, delta: Delta): Streams {
  const key = streamKey(delta)
  if (delta.kind === 'status') return withStatus(streams, key, delta)
  const before = streams.get(key)
  const { run_id, conversation_id, kind, id } = delta
  const waiting = [...(before?.pending ?? []), { offset: delta.offset, text: delta.text }].sort((left, right) => left.offset - right.offset)
  let text = before?.text ?? ''
  const early: Piece[] = []
  for (const piece of waiting) {
    if (piece.offset > text.length) early.push(piece)
    else text = joined(text, piece)
  }
  return new Map(streams).set(key, { run_id, conversation_id, kind, id, text, pending: early })
}

function withStatus(streams: Streams, key: string, { run_id, conversation_id, kind, id, text }: Delta): Streams {
  const next = new Map(streams)
  if (text === '') next.delete(key)
  else next.set(key, { run_id, conversation_id, kind, id, text, pending: [] })
  return next
}

export function hasGap(streams: Streams, run_id: string): boolean {
  return [...streams.values()].some((stream) => stream.run_id === run_id && stream.pending.length > 0)
}

export function endStreams(streams: Streams, isOver: (stream: TextStream) => boolean): Streams {
  const over = [...streams].filter(([, stream]) => isOver(stream))
  if (over.length === 0) return streams
  const left = new Map(streams)
  for (const [key] of over) left.delete(key)
  return left
}

function joined(before: string, { offset, text }: Piece): string {
  return offset + text.length <= before.length ? before : before.slice(0, offset) + text
}
