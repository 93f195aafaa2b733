// The passages of a document with their ids, which depend on what they say: a passage that only moved keeps its id.
import type { DocumentPosition } from '@tandem/contract/knowledge'
import type { RecallText } from '../../recall/text.ts'
import type { ParsedDocument } from '../parse/parsed.ts'
import { chunksOf, indexedText } from '../rule/chunk/chunk.ts'
import { positionsOf } from '../rule/chunk/position.ts'
import { digest } from './stored-text.ts'

export interface DocumentPassages {
  readonly document_id: string
  readonly texts: readonly RecallText[]
  readonly rows: readonly { readonly id: string; readonly ord: number; readonly position: DocumentPosition }[]
}

export function passagesOf(document_id: string, scope: string, document: ParsedDocument): DocumentPassages {
  const chunks = chunksOf(document)
  const positions = positionsOf(document, chunks)
  const times = new Map<string, number>()
  const texts: RecallText[] = []
  const rows: DocumentPassages['rows'][number][] = []
  chunks.forEach((chunk, ord) => {
    const position = positions[ord]
    if (!position) return
    const text = indexedText(document, chunk)
    const content = digest(text, 16)
    const before = times.get(content) ?? 0
    times.set(content, before + 1)
    const id = `${document_id}.${content}.${before}`
    texts.push({ id, scope, text, at: null, speaker: null, group: document_id, position: ord })
    rows.push({ id, ord, position })
  })
  return { document_id, texts, rows }
}
