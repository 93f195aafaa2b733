// The way to the cloud: who is signed in, its models, and everything else of it once somebody is. Without an account nothing here reaches the network.
import { type Account, openAccount } from './account/account.ts'
import { openSend } from './account/http.ts'
import { openSessionFile, type SessionFile } from './account/session-file.ts'
import type { Clock } from './clock/clock.ts'
import type { CloudLife, CloudPorts } from './cloud-life.ts'
import { accountHandlers } from './commands/account.ts'
import { cloudFileHandlers } from './commands/cloud-files.ts'
import { deviceHandlers } from './commands/devices.ts'
import { keyHandlers } from './commands/keys.ts'
import { syncHandlers } from './commands/sync.ts'
import type { CommandTable } from './commands/table.ts'
import { taskHandlers } from './commands/tasks.ts'
import { type Gateway, openGateway } from './model/gateway.ts'
import type { Store } from './store/store.ts'
import { openDeviceNames } from './sync/device-names.ts'

export interface SignedIn {
  readonly account: Account
  readonly gateway: Gateway
  /** What another device of the account is called, as far as the cloud has told. */
  deviceName(device_id: string): string | null
  /** Ends what is still asked of the cloud. */
  leave(): void
}

export interface SignedInPorts {
  readonly store: Store
  readonly clock: Clock
  /** The person's own word for the model to use. */
  chosenModel(): string | null
  log(line: string): void
}

export function openSignedIn({ store, clock, chosenModel, log }: SignedInPorts): SignedIn {
  const leaving = new AbortController()
  const file = readOrSaid(openSessionFile(store.home), log)
  const account = openAccount({ clock, file, send: openSend(clock, leaving.signal), log })
  const { sql } = store
  const gateway = openGateway({
    account,
    chosen: chosenModel,
    kept: {
      read: (cloud_url) => sql.get<{ value: string }>`SELECT value FROM meta WHERE name = ${`model_of ${cloud_url}`}`?.value ?? null,
      write: (cloud_url, model) => void sql.run`INSERT OR REPLACE INTO meta (name, value) VALUES (${`model_of ${cloud_url}`}, ${model})`,
    },
  })
  return { account, gateway, deviceName: openDeviceNames(store).of, leave: () => leaving.abort(new Error('the runtime is stopping')) }
}

/** A file that can't be read signs nobody in; everything that needs no cloud goes on. */
function readOrSaid(file: SessionFile, log: (line: string) => void): SessionFile {
  return {
    ...file,
    read() {
      try {
        return file.read()
      } catch (error) {
        log(error instanceof Error ? error.message : String(error))
        return null
      }
    },
  }
}

export interface Cloud {
  readonly handlers: CommandTable
  /** Once everything else stands. */
  begin(): void
  /** What waits goes out first, if that can be done in a moment. */
  stop(): Promise<void>
}

/** A command that only looks something up is over by then, and pays nothing for it. */
const beginAfter_ms = 300

export function openCloud(ports: CloudPorts): Cloud {
  const { store, account, journal } = ports
  const { device_id, newId, clock } = store
  let opened: Promise<CloudLife> | null = null
  let stopped = false
  const ends: (() => void)[] = []
  const isIn = () => account.who()?.ended === null

  function life(): Promise<CloudLife> {
    opened ??= import('./cloud-life.ts').then(({ openCloudLife }) => openCloudLife(ports))
    return opened
  }

  function wake(): void {
    if (stopped || !isIn()) return
    life().then(
      (awake) => void (stopped || awake.start()),
      (error: unknown) => ports.log(`synchronization can't be started: ${String(error)}`),
    )
  }

  return {
    handlers: {
      ...accountHandlers({
        who: account.who,
        service: async () => (await life()).accounts,
        owner: async () => (await life()).sync.owner(),
      }),
      ...keyHandlers({ who: account.who, service: async () => (await life()).keys }),
      ...syncHandlers({ service: async () => (await life()).sync, signedIn: isIn }),
      ...deviceHandlers({ service: async () => (await life()).devices, device_id }),
      ...taskHandlers({ service: life, run: journal.run, newId }),
      ...cloudFileHandlers({ service: async () => (await life()).files }),
    },
    begin() {
      ends.push(account.onChanged(wake))
      if (isIn()) ends.push(clock.after(beginAfter_ms, wake))
    },
    async stop() {
      stopped = true
      for (const end of ends.splice(0)) end()
      await (await opened)?.stop()
    },
  }
}
