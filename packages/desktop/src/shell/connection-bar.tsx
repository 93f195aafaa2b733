import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { words } from '../strings/window.ts'

/** Empty while connected. */
export function ConnectionBar() {
  const client = useRuntimeClient()
  const connection = useWindowState((state) => state.connection)
  const wasOnline = useWindowState((state) => state.conversations !== null)
  if (connection === 'online' || (connection === 'connecting' && !wasOnline)) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-warn-soft px-4 py-2 text-sm text-warn"
    >
      <span className="grow">{words.connection[connection]}</span>
      {connection !== 'connecting' && (
        <button type="button" onClick={() => client.channel.reconnect()} className="underline underline-offset-4">
          {words.reconnect}
        </button>
      )}
    </div>
  )
}
