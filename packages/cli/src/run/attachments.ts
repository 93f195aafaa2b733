// Local files that are attached to a prompt: read here, stored by the runtime.
import { readFileSync, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { Attachment } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import { systemErrorText } from '@tandem/contract/system-error'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'

export interface LocalFile {
  readonly name: string
  readonly bytes: Buffer
}

/** An error instead of the file if it cannot be read; reported before anything is started. */
export type LocalAttachment = LocalFile | { readonly complaint: string }

export function readAttachments(path: string): LocalAttachment {
  try {
    const facts = statSync(path)
    if (!facts.isFile()) return { complaint: `${path} is not a file and cannot be attached` }
    if (facts.size > limits.attachment_bytes)
      return { complaint: `${path} is larger than ${limits.attachment_bytes / 1024 / 1024} MiB, the limit for attachments` }
    return { name: basename(path), bytes: readFileSync(path) }
  } catch (error) {
    return { complaint: `${path} cannot be attached: ${systemErrorText(error)}` }
  }
}

export async function uploadAttachments(client: RuntimeClient, files: readonly LocalFile[]): Promise<CommandAnswer<Attachment[]>> {
  const attachments: Attachment[] = []
  for (const { name, bytes } of files) {
    const added = await client.call('attachment_add', { name, media_type: typeOf(name, bytes), data: bytes.toString('base64') })
    if (!added.ok) return added
    attachments.push(added.value.attachment)
  }
  return { ok: true, value: attachments }
}

const types: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.json': 'application/json',
  '.html': 'text/html',
  '.csv': 'text/csv',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
}

/** The runtime itself detects images. */
function typeOf(name: string, bytes: Buffer): string {
  return types[extname(name).toLowerCase()] ?? (bytes.subarray(0, 8_192).includes(0) ? 'application/octet-stream' : 'text/plain')
}
