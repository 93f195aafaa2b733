// Text that is piped or typed.
import { rpcLimits } from '@tandem/contract/command'
import type { CommandAnswer } from '../runtime-client/runtime-client.ts'

const mostCharacters = 4 * 1_024 * 1_024
const mostBytes = rpcLimits.frame_bytes - 64 * 1_024

export async function readStandardInput(input: AsyncIterable<Uint8Array> = process.stdin): Promise<CommandAnswer<string>> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of input) {
    bytes += piece.length
    if (bytes > mostBytes) return tooLong
    pieces.push(piece)
  }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
  } catch {
    return wrong('standard input is not text in UTF-8', 'Save it as a file, and add the file.')
  }
  if (text.trim() === '') return wrong('standard input is empty', 'Pipe the text into the command: cat notes.txt | tandem kb add -')
  // As it is sent to a running runtime.
  if (text.length > mostCharacters || Buffer.byteLength(JSON.stringify(text)) > mostBytes) return tooLong
  return { ok: true, value: text }
}

function wrong(message: string, remedy: string): CommandAnswer<never> {
  return { ok: false, error: { code: 'invalid_params', message, remedy } }
}

const tooLong = wrong(
  `standard input is longer than ${mostCharacters.toLocaleString('en-US')} characters`,
  'Save it as a file, and add the file.',
)
