// Reads the file of an export in the browser: it never leaves the device.
import { type ExportFault, importLimits, type ReadExport, readExport as readBlob } from '@tandem/contract/import'
import { importWords as told } from '../strings/imports.ts'

const texts: Readonly<Record<ExportFault, string>> = {
  too_large: told.tooLarge(importLimits.file_bytes / 1_048_576),
  not_json: told.notJson,
  no_entry: told.noEntry,
  damaged: told.damaged,
  unsupported: told.method,
  encrypted: told.encrypted,
}

/** A refusal is a whole text, with what helps. */
export async function readExport(
  file: Blob,
): Promise<Extract<ReadExport, { ok: true }> | { readonly ok: false; readonly message: string }> {
  const read = await readBlob<Blob>(file, {
    inflate: (packed) => packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader(),
    decode: (parts) => new Blob(parts.map((part) => new Uint8Array(part))).text(),
  })
  return read.ok ? read : { ok: false, message: texts[read.code] }
}
