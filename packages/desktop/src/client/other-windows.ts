// Other windows of the same browser read their lists again when this one has changed a conversation.
import { useEffect } from 'react'
import type { RuntimeClient } from './client.ts'
import { useRuntimeClient } from './use-client.ts'

const name = 'tandem:lists'

export async function refreshAllWindows(client: Pick<RuntimeClient, 'refreshLists'>): Promise<void> {
  await client.refreshLists()
  refreshOtherWindows()
}

function refreshOtherWindows(): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(name)
  channel.postMessage('changed')
  channel.close()
}

export function useOtherWindows(): void {
  const client = useRuntimeClient()
  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return
    const channel = new BroadcastChannel(name)
    channel.onmessage = () => void client.refreshLists()
    return () => channel.close()
  }, [client])
}
