// The signed-in account and the models included with it. Without an account, nothing here uses the network.
import type { Clock } from '../clock/clock.ts'
import { type Gateway, openGateway } from '../model/gateway.ts'
import type { Store } from '../store/store.ts'
import { type Account, openAccount } from './account.ts'
import { openDeviceNames } from './device-names.ts'
import { createSendRequest } from './http.ts'
import { openSessionFile, type SessionFile } from './session-file.ts'

export interface AccountAccess {
  readonly account: Account
  readonly gateway: Gateway
  /** The name of another device of the account, if the cloud has reported it. */
  deviceName(device_id: string): string | null
  /** Aborts pending requests to the cloud. */
  leave(): void
}

export interface AccountAccessPorts {
  readonly store: Store
  readonly clock: Clock
  /** The model that the user chose in the settings. */
  chosenModel(): string | null
  log(line: string): void
}

export function openAccountAccess({ store, clock, chosenModel, log }: AccountAccessPorts): AccountAccess {
  const leaving = new AbortController()
  const file = readOrLog(openSessionFile(store.home), log)
  const account = openAccount({ clock, file, send: createSendRequest(clock, leaving.signal), log })
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

/** If the file cannot be read, no account is signed in; everything that needs no cloud keeps working. */
function readOrLog(file: SessionFile, log: (line: string) => void): SessionFile {
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
