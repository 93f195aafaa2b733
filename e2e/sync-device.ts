// A device with everything that synchronizes: the runtime's store, journal, account and engine over real sockets.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunStep } from '@tandem/contract/run'
import { type Account, openAccount } from '../packages/runtime/src/account/account.ts'
import { createSendRequest } from '../packages/runtime/src/account/http.ts'
import { type AccountService, openAccountService } from '../packages/runtime/src/account/service.ts'
import { openSessionFile } from '../packages/runtime/src/account/session-file.ts'
import { type Clock, systemClock } from '../packages/runtime/src/clock/clock.ts'
import { openBus } from '../packages/runtime/src/event/bus.ts'
import { openEvents } from '../packages/runtime/src/event/events.ts'
import { type Journal, openJournal } from '../packages/runtime/src/journal/journal.ts'
import { openRecords, type Records } from '../packages/runtime/src/store/records.ts'
import { openStore, type Store } from '../packages/runtime/src/store/store.ts'
import { openSync, type SyncService } from '../packages/runtime/src/sync/service.ts'
import { openHttpCloud } from '../packages/runtime/src/sync/transport/http-cloud.ts'

export interface SyncDevice extends AsyncDisposable {
  readonly home: string
  readonly store: Store
  readonly journal: Journal
  readonly records: Records
  readonly account: AccountService
  readonly signedIn: Account
  readonly sync: SyncService
  /** Steps of other devices, with the time each arrived. */
  readonly heard: { readonly step: RunStep; readonly at: number }[]
  readonly hintedTasks: string[]
  readonly logged: string[]
}

/** `ahead_ms`: the offset of its wall clock. */
export function openSyncDevice(name: string, { ahead_ms = 0 }: { ahead_ms?: number } = {}): SyncDevice {
  const home = mkdtempSync(join(tmpdir(), `tandem-${name}-`))
  const clock: Clock = { ...systemClock, now: () => Date.now() + ahead_ms }
  const logged: string[] = []
  const heard: { step: RunStep; at: number }[] = []
  const hintedTasks: string[] = []
  const store = openStore({ home, clock })
  const bus = openBus((error) => logged.push(String(error)))
  const events = openEvents(store, bus)
  const journal = openJournal(store, events, bus)
  const signedIn = openAccount({ clock, file: openSessionFile(home), send: createSendRequest(clock), log: () => undefined })
  const sync = openSync({
    store,
    account: signedIn,
    cloud: openHttpCloud(signedIn),
    events,
    random: Math.random,
    places: { text: journal.wholes.path, attachment: (file_id) => join(home, 'attachments', file_id) },
    stepArrived: (step) => heard.push({ step, at: performance.now() }),
    arrived: () => undefined,
    taskHinted: (task_id) => hintedTasks.push(task_id),
    lineOpened: () => undefined,
    openLine: (url, subprotocol) => new WebSocket(url, subprotocol) as never,
    device: { name, platform: 'linux', app_version: '0.1.0' },
    network: () => '',
    vitals: () => ({ sandbox_mode: 'workspace', running_runs: 0, paused_runs: 0 }),
    log: (line) => logged.push(line),
  })
  const account = openAccountService({
    store,
    account: signedIn,
    owner: sync.owner,
    unsent: () => sync.status().pending_changes,
    running: () => 0,
    leaving: async () => undefined,
    wiped: async () => undefined,
    quiet: sync.quiet,
  })
  sync.start()
  return {
    home,
    store,
    journal,
    records: openRecords(store),
    account,
    signedIn,
    sync,
    heard,
    hintedTasks,
    logged,
    async [Symbol.asyncDispose]() {
      await sync.stop()
      store.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
