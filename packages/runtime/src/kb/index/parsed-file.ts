// A file of a source, before and after it is parsed.
import type { DocumentProblem } from '@tandem/contract/knowledge'
import type { ParsedDocument } from '../parse/parsed.ts'
import type { FileTimes } from '../walk/find-files.ts'

/** A file with its bytes, to be parsed. */
export interface UnparsedFile {
  readonly name: string
  readonly path: string | null
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly stats: FileTimes
  readonly seen_at: number
  readonly sha256: string
}

export type ParsedFile = Omit<UnparsedFile, 'bytes'> & {
  readonly result: ParsedDocument | { readonly problem: DocumentProblem; readonly detail: string | null }
}
