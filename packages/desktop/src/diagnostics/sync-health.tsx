import { followLink } from '../address.ts'
import { SyncPanel } from '../cloud/sync-panel.tsx'
import { useAnswer } from '../desk/use-answer.ts'
import { words } from '../strings/window.ts'

export function SyncHealth() {
  const sync = useAnswer('sync_status', {}, 10_000)
  return (
    <SyncPanel read={sync}>
      <p className="mt-2 text-sm">
        <a href="/devices" onClick={followLink} className="text-cloud underline underline-offset-4">
          {words.diagnosticsCenter.toDevices}
        </a>
      </p>
    </SyncPanel>
  )
}
