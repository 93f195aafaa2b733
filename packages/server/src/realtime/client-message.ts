// A message of a client, or why it is invalid.
import type { ClientMessage } from '@tandem/contract/ws'
import { ClientMessage as shape } from '@tandem/contract/ws/schema'
import { Compile } from 'typebox/compile'

type Heard = { readonly ok: true; readonly message: ClientMessage } | { readonly ok: false; readonly detail: string }

const compiled = Compile(shape)

export function readClientMessage(data: Buffer, isBinary: boolean): Heard {
  if (isBinary) return { ok: false, detail: 'messages must be JSON text; this one was binary' }
  const value = parse(data.toString())
  if (value === undefined) return { ok: false, detail: 'the message is not valid JSON' }
  if (compiled.Check(value)) return { ok: true, message: value }
  return { ok: false, detail: 'the message is not one that this channel supports' }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
