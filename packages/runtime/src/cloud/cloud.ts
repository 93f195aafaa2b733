// The cloud features of this device, loaded on sign-in. Without an account, nothing here uses the network.

import { accountHandlers } from '../commands/account.ts'
import { cloudFileHandlers } from '../commands/cloud-files.ts'
import { deviceHandlers } from '../commands/devices.ts'
import { keyHandlers } from '../commands/keys.ts'
import { syncHandlers } from '../commands/sync.ts'
import type { Feature } from '../feature/feature.ts'
import { hasUnreadChanges } from '../sync/unread-changes.ts'
import { openTaskFeature } from '../task/feature.ts'
import type { CloudPorts, CloudServices } from './cloud-services.ts'

export interface Cloud extends Feature {
  /** The tasks that the cloud stores for this device. */
  readonly tasks: Feature
  /** Called after everything else has started. */
  begin(): void
}

/** A command that only reads something has ended by then, and does not pay for loading this. */
const beginAfter_ms = 300

export function openCloud(ports: CloudPorts): Cloud {
  const { store, account, journal } = ports
  const { device_id, newId, clock } = store
  let opened: Promise<CloudServices> | null = null
  let stopped = false
  const ends: (() => void)[] = []
  const isIn = () => account.who()?.ended === null

  function life(): Promise<CloudServices> {
    opened ??= import('./cloud-services.ts').then(({ openCloudServices: openCloudLife }) => openCloudLife(ports))
    return opened
  }

  function wake(): void {
    if (stopped || !isIn()) return
    life().then(
      (awake) => void (stopped || awake.start()),
      (error: unknown) => ports.log(`synchronization cannot be started: ${String(error)}`),
    )
  }

  /** After an update, on a device that is signed out: data received earlier may be readable now. */
  function reread(): void {
    if (stopped || isIn()) return
    life().then(
      ({ sync }) => void (stopped || sync.reread()),
      (error: unknown) => ports.log(`data that an earlier version could not read was not read again: ${String(error)}`),
    )
  }

  return {
    name: 'cloud',
    tasks: openTaskFeature({ service: life, run: journal.run, newId }),
    commands: {
      ...accountHandlers({
        who: account.who,
        service: async () => (await life()).accounts,
        owner: async () => (await life()).sync.owner(),
      }),
      ...keyHandlers({ who: account.who, service: async () => (await life()).keys }),
      ...syncHandlers({ service: async () => (await life()).sync, signedIn: isIn }),
      ...deviceHandlers({ service: async () => (await life()).devices, device_id }),
      ...cloudFileHandlers({ service: async () => (await life()).files }),
    },
    begin() {
      ends.push(account.onChanged(wake))
      if (isIn()) ends.push(clock.after(beginAfter_ms, wake))
      else if (hasUnreadChanges(store)) ends.push(clock.after(beginAfter_ms, reread))
    },
    /** Sends pending changes first, if that takes only a moment. */
    async stop() {
      stopped = true
      for (const end of ends.splice(0)) end()
      await (await opened)?.stop()
    },
  }
}
