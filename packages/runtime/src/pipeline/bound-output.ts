// An output of any size, shortened to fit a record. The whole output is kept in a file.
import { limits } from '@tandem/contract/limits'
import type { CutOutput } from '@tandem/contract/tool/output'
import type { LongTexts } from '../journal/long-texts.ts'

export interface BoundOutput {
  readonly output: unknown
  readonly output_file: string | null
  readonly truncated: boolean
}

const shownCharacters = 16 * 1024

export function boundOutput(output: unknown, wholes: LongTexts): BoundOutput {
  const text = JSON.stringify(output) ?? 'null'
  if (Buffer.byteLength(text) <= limits.tool_output_bytes) return { output: output ?? null, output_file: null, truncated: false }
  return {
    output: { beginning: text.slice(0, shownCharacters), end: text.slice(-shownCharacters), characters: text.length } satisfies CutOutput,
    output_file: wholes.keepFile(text),
    truncated: true,
  }
}
