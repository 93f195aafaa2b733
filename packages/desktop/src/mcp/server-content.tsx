// The response of a server to a request for a resource or prompt: text as text, everything else as its size.
import type { CommandParams } from '@tandem/contract/command'
import { useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { type FormState, useForm } from '../part/form/use-form.ts'
import { LongText } from '../result/long-text.tsx'
import { mcpWords } from '../strings/mcp.ts'
import { formatBytes } from '../text/bytes.ts'
import { visibleName } from '../text/name.ts'
import { contentsOf, type ServerContent } from './server-offers.ts'

/** Requested by the user, never automatically. */
export function useServerContent<Name extends 'mcp_resource_read' | 'mcp_prompt_get'>(
  doing: string,
  name: Name,
  params: CommandParams<Name>,
) {
  const client = useRuntimeClient()
  const form: FormState = useForm({ doing })
  const [pieces, setPieces] = useState<readonly ServerContent[] | null>(null)
  const fetch = async () => {
    const answer = await form.send(() => client.channel.call(name, params))
    if (answer.ok) setPieces(contentsOf(answer.value.answer))
  }
  return { form, pieces, fetch }
}

export function ServerContents({ pieces }: { pieces: readonly ServerContent[] | null }) {
  if (pieces === null) return null
  return (
    <div role="status" className="space-y-3">
      {pieces.length === 0 && <p className="text-faint">{mcpWords.nothingInIt}</p>}
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are loaded together and do not change.
        <div key={index}>
          {piece.role !== '' && <p className="text-faint text-sm">{visibleName(piece.role)}</p>}
          {piece.as === 'text' ? (
            <LongText text={piece.text} />
          ) : (
            <p className="text-soft">{`${visibleName(piece.media_type) || mcpWords.noText}, ${formatBytes(piece.bytes)}`}</p>
          )}
        </div>
      ))}
    </div>
  )
}
