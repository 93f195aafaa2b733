// A file as text, if it is text that can be written back exactly.
import { decodeExactly, encodeText, recognizeText, sampleBytes } from '../../tools/fs/text-file.ts'

export interface TextContent {
  readonly text: string
  readonly encoding: string
  readonly bom: boolean
}

/** Larger files are not merged line by line. */
export const mostTextBytes = 4 * 1024 * 1024

export async function textContent(bytes: Buffer): Promise<TextContent | null> {
  if (bytes.length > mostTextBytes) return null
  const form = recognizeText(bytes.subarray(0, sampleBytes))
  if (!form?.certain) return null
  const text = await decodeExactly(bytes, form)
  return text === null ? null : { text, encoding: form.encoding, bom: form.bom }
}

export function textBytes({ text, encoding, bom }: TextContent): Promise<Buffer> {
  return encodeText(text, { encoding, bom })
}
