import { followLink } from '../address.ts'
import { useCommand } from '../client/use-request.ts'
import { SyncPanel } from '../part/sync-panel.tsx'
import { words } from '../strings/window.ts'

export function SyncHealth() {
  const sync = useCommand('sync_status', {}, { every_ms: 10_000 })
  return (
    <SyncPanel reading={sync}>
      <p className="mt-2 text-sm">
        <a href="/devices" onClick={followLink} className="text-cloud underline underline-offset-4">
          {words.diagnosticsCenter.toDevices}
        </a>
      </p>
    </SyncPanel>
  )
}
