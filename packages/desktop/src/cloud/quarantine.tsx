import type { QuarantinedChange } from '@tandem/contract/command'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCommand } from '../client/use-request.ts'
import { Badge } from '../part/badge.tsx'
import { Fold } from '../part/fold.tsx'
import { Button } from '../part/form/button.tsx'
import { Panel } from '../part/section.tsx'
import { words } from '../strings/window.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'

/** Empty while the cloud accepts everything. */
export function Quarantine({ count, onChange }: { count: number; onChange(): Promise<void> }) {
  const client = useRuntimeClient()
  // A different count means a different list.
  const { state: asked, reload: again } = useCommand('sync_list_quarantine', { limit: 200 }, { version: count })
  if (asked.state !== 'ready' || asked.value.items.length === 0) return null
  const decide = async (no: number, how: 'sync_retry_quarantined' | 'sync_discard_quarantined') => {
    await client.call(words.cloudDoing.quarantine, how, { no })
    await Promise.all([again(), onChange()])
  }
  return (
    <div className="mt-4">
      <h3 className="font-medium">{words.devices.quarantine}</h3>
      <p className="mb-2 text-soft text-sm">{words.devices.quarantineLead}</p>
      <Panel className="overflow-hidden">
        {asked.value.items.map((change) => (
          <Change key={change.no} change={change} onDecide={(how) => decide(change.no, how)} />
        ))}
      </Panel>
    </div>
  )
}

type How = 'sync_retry_quarantined' | 'sync_discard_quarantined'

function Change({ change, onDecide }: { change: QuarantinedChange; onDecide(how: How): void }) {
  return (
    <Fold
      summary={
        <span className="flex flex-wrap items-baseline gap-x-3">
          <code>{change.entity_type}</code>
          <Badge tone="warn">{change.code}</Badge>
          <span className="min-w-0 break-words text-soft">{visibleText(change.message)}</span>
          <span className="ml-auto text-faint text-sm">{formatTime(change.quarantined_at)}</span>
        </span>
      }
    >
      {() => (
        <div className="space-y-3">
          <p className="text-faint text-sm">{words.devices.content}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
          <pre tabIndex={0} className="output-box">
            {visibleText(change.payload)}
          </pre>
          <div className="flex gap-2">
            <Button onClick={() => onDecide('sync_retry_quarantined')}>{words.devices.retry}</Button>
            <Button onClick={() => onDecide('sync_discard_quarantined')}>{words.devices.discard}</Button>
          </div>
        </div>
      )}
    </Fold>
  )
}
