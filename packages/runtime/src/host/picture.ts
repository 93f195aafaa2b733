// Pictures by id, for the window with the cookie: attachments of messages, and pictures from tools.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { filesPath } from '@tandem/contract/command'
import { mediaType } from '../tools/fs/media-type.ts'

/** Only types that a browser displays without running code. */
const drawn = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The id in the path of a file; null for any other path. */
export function fileIdOf(path: string): string | null {
  const name = path.startsWith(filesPath) ? path.slice(filesPath.length) : ''
  return id.test(name) ? name : null
}

/** The type is detected from the content; other types are not served. False if there is no such picture. */
export function sendPicture(request: IncomingMessage, response: ServerResponse, bytes: Buffer | undefined): boolean {
  const type = bytes && mediaType(bytes)
  if (!bytes || !type || !drawn.includes(type)) return false
  response.setHeader('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
  response.writeHead(200, {
    'content-type': type,
    'content-length': bytes.byteLength,
    'cache-control': 'private, max-age=31536000, immutable',
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
  return true
}
