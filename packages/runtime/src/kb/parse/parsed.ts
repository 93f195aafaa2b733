// What reading a file results in: its text, and how the text is structured.
import type { DocumentFormat, DocumentProblem } from '@tandem/contract/knowledge'

/** How the bytes of a text file become its text. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export interface ParsedDocument {
  readonly format: DocumentFormat
  readonly title: string | null
  /** The extracted text. For text formats, the whole file, decoded, without a byte order mark. */
  readonly text: string
  /** Of text formats; null for the others, whose bytes are not their text. */
  readonly encoding: { readonly name: TextEncoding; readonly mark_bytes: number } | null
  /** In the order of the text. They do not overlap, and contain everything except white space. */
  readonly blocks: readonly Block[]
  /** What could not be read, for example pages that are pictures. */
  readonly notes: readonly string[]
}

/** A file that could not be read. */
export interface Unreadable {
  readonly problem: DocumentProblem
  readonly detail: string | null
}

export interface Block {
  readonly kind: 'heading' | 'paragraph' | 'list' | 'table' | 'code'
  /** Where it begins and ends in the text, in UTF-16 units. */
  readonly from: number
  readonly to: number
  /** Of a heading: 1 to 6. */
  readonly level?: number
  /** Of a heading, where its own text is not what is written: without the marks of Markdown. */
  readonly name?: string
  /** Of a table: where its header ends, which is repeated with each part of the table. */
  readonly header_to?: number
  /** Of a PDF, from 1. */
  readonly page?: number
}
