// Reads the file of an export from the disk.
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type ReadExport, readExport as readBlob } from '@tandem/contract/import'
import { systemErrorText } from '@tandem/contract/system-error'

type ReadFile = Extract<ReadExport, { ok: true }> | { readonly ok: false; readonly message: string; readonly remedy: string }

export async function readExport(path: string): Promise<ReadFile> {
  try {
    const seen = await stat(path)
    if (!seen.isFile())
      return { ok: false, message: `${path} is not a file`, remedy: 'Specify the zip file of the export, or its conversations.json.' }
    const read = await readBlob<Blob>(await openAsBlob(path), {
      inflate: (packed) => packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader(),
      decode: (parts) => new TextDecoder().decode(Buffer.concat(parts)),
    })
    return read.ok ? read : { ...read, message: `${path}: ${read.message}` }
  } catch (error) {
    return {
      ok: false,
      message: `${path} cannot be read: ${systemErrorText(error)}`,
      remedy: 'Check the path, and that you may read the file.',
    }
  }
}
