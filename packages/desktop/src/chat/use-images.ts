// Images in the folder of a conversation, read when a text shows them.
import { useMemo } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import type { FindImage } from '../markdown/image.tsx'

export function useImages(conversation_id: string): FindImage {
  const { channel } = useRuntimeClient()
  return useMemo(() => {
    const found = new Map<string, Promise<string | null>>()
    return (path) => {
      const known = found.get(path)
      if (known) return known
      const asked = channel.call('workspace_read_image', { conversation_id, path }).then((answer) => {
        // It may be written later.
        if (!answer.ok) found.delete(path)
        return answer.ok ? `data:${answer.value.image.media_type};base64,${answer.value.image.base64}` : null
      })
      found.set(path, asked)
      return asked
    }
  }, [channel, conversation_id])
}
