// The body of a response in a result: text inline and limited, anything else as a file with a description.

import type { ShownBody, ShownText } from '@tandem/contract/tool/output'
import type { ToolContext } from '../../call/context.ts'
import type { NetworkResponse } from '../../call/network.ts'
import { decodeText } from './charset.ts'
import { storeFile } from './store-file.ts'

export async function showBody(context: ToolContext, { url, headers, body }: NetworkResponse): Promise<ShownBody> {
  const type = headers['content-type'] ?? ''
  if (body.length === 0) return { kind: 'empty' }
  if (!isText(type, body)) return { kind: 'binary', ...(await storeFile(context, nameOf(url, type), body)) }
  const { text, charset } = decodeText(body, type)
  return { kind: 'text', charset, ...showText(context, text) }
}

export function showText(context: ToolContext, text: string): ShownText {
  const spool = context.spool(`${context.ids.call_id}.txt`)
  spool.write(Buffer.from(text))
  const { head, tail, file } = spool.end()
  return file === null ? { text } : { text: head, text_end: tail, file }
}

export function isText(contentType: string, body: Uint8Array): boolean {
  if (/^(text\/|[^;]*[/+](json|xml|javascript|ecmascript|yaml|toml|x-www-form-urlencoded|x-ndjson|graphql)\b)/i.test(contentType))
    return true
  if (/^(image|audio|video|font)\//i.test(contentType) || /^application\/(pdf|zip|gzip|wasm)/i.test(contentType)) return false
  const [first, second] = body
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return marked || !body.subarray(0, 4_096).includes(0)
}

function nameOf(url: string, type: string): string {
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? ''
  if (last.includes('.')) return last
  return `${last || 'body'}.${/^[\w.-]+\/([\w]+)/.exec(type)?.[1] ?? 'bin'}`
}
