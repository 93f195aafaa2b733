// Which files are read by one process. Pure.
import { isCostly, isPacked } from './detect.ts'
import { parseLimits } from './parse-limits.ts'

export interface DocumentFile {
  readonly name: string
  readonly bytes: Uint8Array
}

export function isTooLarge({ bytes }: DocumentFile): boolean {
  return bytes.length > (isPacked(bytes) ? parseLimits.document_bytes : parseLimits.text_bytes)
}

/** Texts together, documents together, each up to a number of files and bytes. */
export function batchesOf<File extends DocumentFile>(files: readonly File[]): readonly (readonly File[])[] {
  const costly: File[] = []
  const texts: File[] = []
  for (const file of files) (isCostly(file.name, file.bytes) ? costly : texts).push(file)
  return [
    ...divided(texts, parseLimits.batch_texts, parseLimits.batch_text_bytes),
    ...divided(costly, parseLimits.batch_documents, parseLimits.batch_document_bytes),
  ]
}

function divided<File extends DocumentFile>(files: readonly File[], most: number, mostBytes: number): readonly (readonly File[])[] {
  const batches: File[][] = []
  let size = 0
  for (const file of files) {
    const batch = batches.at(-1)
    if (batch && batch.length < most && size + file.bytes.length <= mostBytes) {
      batch.push(file)
      size += file.bytes.length
    } else {
      batches.push([file])
      size = file.bytes.length
    }
  }
  return batches
}
