// Images in the folder of a conversation, read when a text shows them.
import { useMemo } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import type { FindImage } from '../markdown/image.tsx'
import { imageReads } from './image-reads.ts'

export function useImages(conversation_id: string): FindImage {
  const { channel } = useRuntimeClient()
  return useMemo(
    () =>
      imageReads(async (path) => {
        const answer = await channel.call('workspace_read_image', { conversation_id, path })
        return answer.ok ? `data:${answer.value.image.media_type};base64,${answer.value.image.base64}` : null
      }),
    [channel, conversation_id],
  )
}
