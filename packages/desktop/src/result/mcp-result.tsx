// What a tool of an MCP server returned: its parts, then its structured content.
import type { McpOutput, McpPart } from '@tandem/contract/tool/output'
import { StoredImage } from '../part/stored-image.tsx'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { JsonTree } from './json-tree.tsx'
import { TruncatedText } from './shortened.tsx'

export function McpResult({ content, structured, structured_fault, sampled = [] }: McpOutput) {
  const hasText = content.some(({ type }) => type === 'text')
  return (
    <div className="space-y-2">
      {content.length === 0 && structured === undefined && <p className="text-faint">{words.result.noOutput}</p>}
      {content.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their order.
        <Part key={index} part={part} />
      ))}
      {structured !== undefined && !hasText && <JsonTree value={structured} />}
      {structured !== undefined && hasText && (
        <details>
          <summary className="details-summary w-fit rounded text-soft text-sm">{words.result.structured}</summary>
          <JsonTree value={structured} />
        </details>
      )}
      {sampled.map(({ number, limit, prompt, answer, input_tokens, output_tokens }) => (
        <details key={number}>
          <summary className="details-summary w-fit rounded text-soft text-sm">
            {words.result.sampled(number, limit)}
            {input_tokens !== null && output_tokens !== null && ` · ${words.result.sampledTokens(input_tokens, output_tokens)}`}
          </summary>
          <TruncatedText text={prompt} end="" file={null} />
          <TruncatedText text={answer} end="" file={null} />
        </details>
      ))}
      {structured_fault !== undefined && <p className="text-sm text-warn">{words.result.structuredFault}</p>}
    </div>
  )
}

function Part({ part }: { part: McpPart }) {
  switch (part.type) {
    case 'text':
      return <TruncatedText text={part.text} end={part.whole?.tail ?? ''} file={part.whole?.file ?? null} />
    case 'resource':
      return (
        <div>
          <Note text={words.result.resource(part.uri)} />
          <TruncatedText text={part.text} end={part.whole?.tail ?? ''} file={part.whole?.file ?? null} />
        </div>
      )
    case 'resource_link':
      return <Note text={words.result.link(part.name, part.uri)} />
    case 'resource_bytes':
      return <Note text={`${words.result.resource(part.uri)}: ${stored(part)}`} />
    case 'image':
      return (
        <div className="space-y-1">
          {part.file_id !== undefined && <StoredImage file_id={part.file_id} name={part.file} className="block h-auto max-w-full" />}
          <Note text={stored(part)} />
        </div>
      )
    case 'audio':
      return <Note text={stored(part)} />
  }
}

function stored({ media_type, bytes, file }: { media_type: string; bytes: number; file: string }): string {
  return words.result.stored(media_type, words.result.bytes(bytes), file)
}

function Note({ text }: { text: string }) {
  return <p className="wrap-anywhere text-soft text-sm">{visibleText(text)}</p>
}
