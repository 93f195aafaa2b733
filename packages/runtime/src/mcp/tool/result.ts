// The result of a tool as a value of limited size: long texts and bytes are stored in files, and the value refers to them.
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import type { McpOutput, McpPart, StoredBytes, StoredText } from '@tandem/contract/tool/output'
import type { ToolContext } from '../../call/context.ts'
import { mcpLimits } from '../limits.ts'
import { depthOf } from './plain-schema.ts'

type Keeping = Pick<ToolContext, 'spool' | 'temp' | 'ids' | 'keepPicture'>

/** Parts beyond this are counted, not stored. */
const mostParts = 500

export async function readResult(result: CallToolResult, context: Keeping): Promise<McpOutput> {
  const content: McpPart[] = []
  for (const [index, block] of result.content.slice(0, mostParts).entries()) content.push(await readBlock(block, index, context))
  if (result.content.length > mostParts)
    content.push({ type: 'text', text: `[${result.content.length - mostParts} more parts were omitted]` })
  return { content, ...(result.structuredContent === undefined ? {} : { structured: bounded(result.structuredContent, context) }) }
}

/** The text for the model. */
export function presentOutput(output: McpOutput): string {
  // The file names come first: the middle of a long text may be omitted on its way to the model.
  const shown = [...output.content.flatMap(presentWhole), ...output.content.map(presentPart)]
  const hasText = output.content.some(({ type }) => type === 'text')
  if (output.structured !== undefined && !hasText) shown.push(JSON.stringify(output.structured))
  return shown.join('\n') || '(no output)'
}

async function readBlock(block: ContentBlock, index: number, context: Keeping): Promise<McpPart> {
  switch (block.type) {
    case 'text':
      return { type: 'text', ...storedText(block.text, `mcp-${index}.txt`, context) }
    case 'image':
      return { type: 'image', ...(await storedBytes(block.data, block.mimeType, index, context)), ...shownImage(block.data, context) }
    case 'audio':
      return { type: 'audio', ...(await storedBytes(block.data, block.mimeType, index, context)) }
    case 'resource_link': {
      const { uri, name, description = null, mimeType = null } = block
      return { type: 'resource_link', uri, name, description, media_type: mimeType }
    }
    case 'resource': {
      const { resource } = block
      if ('blob' in resource) {
        const stored = await storedBytes(resource.blob, resource.mimeType ?? 'application/octet-stream', index, context)
        return { type: 'resource_bytes', uri: resource.uri, ...stored }
      }
      const text = storedText(resource.text, `mcp-${index}.txt`, context)
      return { type: 'resource', uri: resource.uri, media_type: resource.mimeType ?? null, ...text }
    }
  }
}

function storedText(text: string, name: string, context: Keeping): { text: string; whole?: StoredText } {
  const spool = context.spool(name)
  spool.write(Buffer.from(text, 'utf8'))
  const { head, tail, bytes, truncated, file } = spool.end()
  return truncated ? { text: head, whole: { tail, bytes, file } } : { text: head }
}

/** Structured content that is too long for a value is stored as text. */
function bounded(structured: unknown, context: Keeping): unknown {
  if (depthOf(structured) > mcpLimits.schema_depth) return { text: 'It is nested too deeply to be stored.' }
  const json = JSON.stringify(structured)
  if (json.length <= 64 * 1024) return structured
  return storedText(json, 'mcp-structured.json', context)
}

async function storedBytes(base64: string, media_type: string, index: number, context: Keeping): Promise<StoredBytes> {
  const bytes = Buffer.from(base64, 'base64')
  const folder = join(context.temp, 'mcp')
  const ending = /^[a-z]+\/([a-z0-9]{1,8})$/.exec(media_type)?.[1] ?? 'bin'
  const file = join(folder, `${context.ids.call_id.replace(/[^\w-]/g, '_')}-${index}.${ending}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(file, bytes, { mode: 0o600 })
  return { media_type, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), file }
}

/** Whether it is an image is decided by its content, when it is shown. */
function shownImage(base64: string, { keepPicture }: Keeping): { file_id?: string } {
  if (!keepPicture || base64.length === 0 || base64.length > (mcpLimits.image_bytes * 4) / 3) return {}
  return { file_id: keepPicture(Buffer.from(base64, 'base64')) }
}

function presentPart(part: McpPart): string {
  switch (part.type) {
    case 'text':
      return presentText(part)
    case 'resource':
      return `[resource ${part.uri}]\n${presentText(part)}`
    case 'resource_link':
      return `[link to resource ${part.uri}: ${part.name}${part.description ? `, ${part.description}` : ''}]`
    case 'resource_bytes':
      return `[resource ${part.uri}, ${part.media_type}, ${part.bytes} bytes, stored in ${part.file}]`
    default:
      return `[${part.type} ${part.media_type}, ${part.bytes} bytes, stored in ${part.file}]`
  }
}

function presentText({ text, whole }: { readonly text: string; readonly whole?: StoredText }): string {
  if (!whole) return text
  return `${text}\n[… the middle is left out here …]\n${whole.tail}`
}

function presentWhole(part: McpPart): string[] {
  if (!('whole' in part) || !part.whole) return []
  const { bytes, file } = part.whole
  return [`[a text of ${bytes} bytes, stored in ${file ?? 'no file'}; its beginning and end follow]`]
}
