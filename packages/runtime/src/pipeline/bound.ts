// Outputs of any size, brought to one that fits a record; the whole is kept in a file.
import { limits } from '@tandem/contract/limits'
import type { Wholes } from '../journal/whole.ts'

export interface BoundOutput {
  readonly output: unknown
  readonly output_file: string | null
  readonly truncated: boolean
}

const shownCharacters = 16 * 1024

export function boundOutput(output: unknown, wholes: Wholes): BoundOutput {
  const text = JSON.stringify(output) ?? 'null'
  if (Buffer.byteLength(text) <= limits.tool_output_bytes) return { output: output ?? null, output_file: null, truncated: false }
  return {
    output: { beginning: text.slice(0, shownCharacters), end: text.slice(-shownCharacters), characters: text.length },
    output_file: wholes.keepFile(text),
    truncated: true,
  }
}
