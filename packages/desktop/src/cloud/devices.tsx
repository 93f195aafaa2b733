// Devices and synchronization: who is signed in, the sync state, what the cloud rejected, and the other devices.
import type { SignedInAccount } from '@tandem/contract/command'
import { distinctDeviceNames } from '@tandem/contract/device'
import { useLayoutEffect, useRef, useState } from 'react'
import { useCommand, useCompleteList, useNewestEventNumber } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { SyncPanel } from '../part/sync-panel.tsx'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { AccountSettings } from './account-settings.tsx'
import { DeviceLine } from './device-line.tsx'
import { Quarantine } from './quarantine.tsx'
import { SignIn } from './sign-in.tsx'
import { SignOut } from './sign-out.tsx'
import { syncChanges, useAccount } from './use-account.ts'

const presenceEvery_ms = 10_000

export default function Devices() {
  const account = useAccount()
  const sync = useCommand('sync_status', {}, { version: useNewestEventNumber(syncChanges), every_ms: presenceEvery_ms })
  const { state: asked, reload: again } = sync
  const status = asked.state === 'ready' ? asked.value.status : null
  const [deleted, setDeleted] = useState<string | null>(null)
  const held = account.state.state === 'ready' && account.state.value.account?.ended === null ? account.state.value.account : null
  const refresh = async () => {
    await Promise.all([account.reload(), again()])
  }
  const onDeleted = async (email: string) => {
    setDeleted(email)
    await refresh()
  }
  return (
    <PageLayout title={words.devices.title} lead={words.devices.lead}>
      <Section title={words.devices.account}>
        <RequestResult reading={account}>
          {({ account: signedIn }) => (
            <Panel className="p-4">
              {signedIn ? (
                <Account account={signedIn} unsent={status?.pending_changes ?? 0} onChange={refresh} />
              ) : (
                <>
                  {deleted !== null && <Deleted email={deleted} />}
                  <p className="mb-4 max-w-xl text-soft">{words.devices.signedOut}</p>
                  <SignIn onDone={refresh} />
                </>
              )}
            </Panel>
          )}
        </RequestResult>
      </Section>
      {account.signedIn && (
        <SyncPanel reading={sync}>
          <Quarantine count={status?.quarantined_changes ?? 0} onChange={again} />
        </SyncPanel>
      )}
      {account.signedIn && <AllDevices />}
      {held && <AccountSettings account={held} onDeleted={() => onDeleted(held.email)} />}
    </PageLayout>
  )
}

function Account({ account, unsent, onChange }: { account: SignedInAccount; unsent: number; onChange(): Promise<void> }) {
  const [leaving, setLeaving] = useState(false)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 break-words">{visibleText(words.devices.signedInAs(account.email, account.cloud_url))}</p>
        {!leaving && <Button onClick={() => setLeaving(true)}>{words.devices.signOut}</Button>}
      </div>
      {account.ended !== null && (
        <div className="mt-3">
          <div role="alert" className="mb-3 text-warn">
            <p>
              {words.devices.ended}: {visibleText(account.ended)}
            </p>
            <p>{words.account.ended}</p>
          </div>
          <SignIn cloud_url={account.cloud_url} email={account.email} onDone={onChange} />
        </div>
      )}
      {leaving && <SignOut unsent={unsent} onDone={onChange} onCancel={() => setLeaving(false)} />}
    </>
  )
}

/** The form that had the focus was removed with the account. */
function Deleted({ email }: { email: string }) {
  const message = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => message.current?.focus(), [])
  return (
    <p ref={message} role="status" tabIndex={-1} className="mb-4 break-words text-good">
      {visibleText(words.account.removed(email))}
    </p>
  )
}

function AllDevices() {
  const devices = useCompleteList('device_list', {}, { every_ms: presenceEvery_ms })
  return (
    <Section title={words.devices.all}>
      <RequestResult reading={devices}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState>{words.devices.none}</EmptyState>
          ) : (
            <Panel className="overflow-hidden">
              <ul className="divide-y divide-line">
                {list.map((device) => (
                  <DeviceLine
                    key={device.device_id}
                    device={device}
                    shownName={visibleName(distinctDeviceNames(list).get(device.device_id) ?? device.name)}
                    onChange={devices.reload}
                  />
                ))}
              </ul>
            </Panel>
          )
        }
      </RequestResult>
    </Section>
  )
}
