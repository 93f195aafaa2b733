// Parses one frame of the channel, which is untrusted.
import { type RpcId, rpcErrorCodes, rpcLimits } from '@tandem/contract/command'

export type RpcMessage =
  | { readonly ok: true; readonly id: RpcId; readonly method: string; readonly params: unknown }
  | { readonly ok: false; readonly id: RpcId | null; readonly code: number; readonly message: string }

export function parseMessage(text: string): RpcMessage {
  const { parse_error, invalid_request } = rpcErrorCodes
  if (isTooDeep(text, rpcLimits.depth)) return refused(null, parse_error, `the message is nested more than ${rpcLimits.depth} levels deep`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refused(null, parse_error, 'the message is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused(null, invalid_request, 'a message must be one JSON object')
  const fields = value as Readonly<Record<string, unknown>>
  const id = Object.hasOwn(fields, 'id') && isId(fields.id) ? fields.id : null
  const strange = Object.keys(fields).find((name) => !['jsonrpc', 'id', 'method', 'params'].includes(name))
  if (strange !== undefined) return refused(id, invalid_request, 'a call can have only jsonrpc, id, method and params')
  if (fields.jsonrpc !== '2.0') return refused(id, invalid_request, 'jsonrpc must be "2.0"')
  if (id === null) return refused(null, invalid_request, 'a call must have an id: an integer or a short string')
  if (typeof fields.method !== 'string') return refused(id, invalid_request, 'method must be the name of a command')
  return { ok: true, id, method: fields.method, params: fields.params ?? {} }
}

function refused(id: RpcId | null, code: number, message: string): RpcMessage {
  return { ok: false, id, code, message }
}

function isId(id: unknown): id is RpcId {
  if (typeof id === 'string') return id.length > 0 && id.length <= 100
  return Number.isSafeInteger(id) && Number(id) >= 0
}

/** Checked before parsing, because the parsed value is processed by recursive functions. */
export function isTooDeep(text: string, deepest: number): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at)
    if (quoted) {
      if (letter === 0x5c) at += 1
      else if (letter === 0x22) quoted = false
    } else if (letter === 0x22) quoted = true
    else if (letter === 0x5b || letter === 0x7b) {
      depth += 1
      if (depth > deepest) return true
    } else if (letter === 0x5d || letter === 0x7d) depth -= 1
  }
  return false
}
