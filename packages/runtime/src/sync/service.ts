// Assembles synchronization: one function per command, and background work between them.
import type { Device, DevicePlatform, Heartbeat } from '@tandem/contract/device'
import { limits } from '@tandem/contract/limits'
import type { RunStep } from '@tandem/contract/run'
import { entityTypes } from '@tandem/contract/sync'
import type { Account } from '../account/account.ts'
import type { Events } from '../event/events.ts'
import type { Store } from '../store/store.ts'
import { openDriver } from './driver.ts'
import { openEngine } from './engine.ts'
import { openArrivalEvents } from './entity/arrival-events.ts'
import { type EntityFilePaths, openEntityFiles } from './entity/files.ts'
import { syncFailure } from './failure.ts'
import type { Arrivals } from './inbox.ts'
import type { Quarantined } from './quarantine.ts'
import { type SyncStatus, statusText } from './status.ts'
import type { CloudDevice, CloudFiles, SyncCloud } from './transport/cloud.ts'
import { type HintConnection, openHints } from './transport/hints.ts'

export interface SyncService {
  status(): SyncStatus & { readonly text: string }
  /** Starts a round now; resolves when it has ended. */
  now(): Promise<SyncStatus & { readonly text: string }>
  quarantine(page?: { readonly after?: number; readonly limit?: number }): readonly Quarantined[]
  /** Sends it again, as a new write. */
  retry(no: number): QuarantineOutcome
  /** Discards it: the version of the cloud is used. */
  discard(no: number): QuarantineOutcome
  /** The user whose data is stored here; null if no account was ever used. */
  owner(): string | null
  /** Reads again what an earlier version could not read. Part of every start; also useful while signed out. */
  reread(): void
  start(): void
  /** Resolves when nothing is running. */
  quiet(): Promise<void>
  stop(): Promise<void>
}

export type QuarantineOutcome = { readonly ok: true } | { readonly ok: false; readonly code: 'not_found'; readonly message: string }

export interface SyncServicePorts {
  readonly store: Store
  readonly account: Account
  readonly cloud: SyncCloud & CloudDevice & CloudFiles
  readonly events: Events
  readonly random: () => number
  /** The paths of long texts and attachments. */
  readonly places: EntityFilePaths
  /** A step of another device; it is on disk. */
  stepArrived(step: RunStep): void
  /** Called with what other devices have changed. */
  arrived(arrivals: Arrivals): void
  /** A task in the cloud was created or changed. */
  taskHinted(task_id: string): void
  /** The connection to the cloud is open, for the first time or again: hints may have been missed. */
  lineOpened(): void
  openLine(url: string, subprotocol: string): HintConnection
  readonly device: { readonly name: string; readonly platform: DevicePlatform; readonly app_version: string }
  /** The network interfaces as a text that changes with them. */
  network(): string
  vitals(): Pick<Heartbeat, 'sandbox_mode' | 'running_runs' | 'paused_runs'>
  log(line: string): void
}

export function openSync(ports: SyncServicePorts): SyncService {
  const { store, account, cloud, events } = ports
  const { clock, device_id } = store
  const news = openArrivalEvents(store, clock, events)
  const texts = openEntityFiles(store, ports.places, cloud, (conversation_ids) =>
    news.add({ records: [], facts: ['messages'], conversation_ids, run_ids: [] }),
  )
  const engine = openEngine({
    store,
    cloud,
    stepArrived: ports.stepArrived,
    arrived(arrivals) {
      ports.arrived(arrivals)
      news.add(arrivals)
    },
    fileWanted: texts.want,
    filesOf: texts.sendFor,
    phase: (phase) => driver.entered(phase),
  })
  const driver = openDriver({
    engine,
    clock,
    random: ports.random,
    texts,
    signedIn: account.who,
    async register() {
      const known = await cloud.device(device_id)
      if (known.kind === 'ok' && isNamed(known.body)) return 'named'
      if (known.kind === 'unreachable') return 'not_yet'
      // A name given by a user is kept; a device without a name has its id as name.
      const named = known.kind === 'ok' && known.body.name !== device_id ? { name: known.body.name } : {}
      const answer = await cloud.register({ device_id, ...ports.device, ...named })
      if (answer.kind === 'ok') return 'named'
      // The first push also registers the device, but without its name.
      if (answer.kind === 'refused' && !stopping)
        ports.log(`the name of this device could not be registered on the server: ${answer.detail}`)
      return answer.kind === 'refused' ? 'named' : 'not_yet'
    },
    stateChanged(from_state, to_state) {
      const { cursor_ts, pending_changes, reason } = driver.status()
      const failure = to_state === 'offline' || to_state === 'failed' ? syncFailure(to_state, reason) : undefined
      events.emit('sync_state_changed', {}, { from_state, to_state, pending_changes, cursor_ts }, failure)
    },
    broke: (error) => ports.log(`synchronization failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  })
  const hints = openHints({
    clock,
    random: ports.random,
    device_id,
    address() {
      const who = account.who()
      return who && who.ended === null ? who.cloud_url : null
    },
    token: account.token,
    open: ports.openLine,
    changed: driver.hinted,
    task: ports.taskHinted,
    opened: ports.lineOpened,
  })
  const ends: (() => void)[] = []
  let stopping = false

  function isNamed({ name, platform, app_version }: Device): boolean {
    return name !== device_id && platform === ports.device.platform && app_version === ports.device.app_version
  }

  /** A very late beat means that the machine slept. Then, and on another network, nothing known about the cloud is valid. */
  function beat(last: number, way: string): void {
    const wait = limits.heartbeat_seconds * 1_000
    const cancel = clock.after(wait, () => {
      ends.splice(ends.indexOf(cancel), 1)
      const now = clock.now()
      const network = ports.network()
      if (now - last > 3 * wait || network !== way) {
        hints.refresh()
        driver.hinted()
      }
      const who = account.who()
      if (who && who.ended === null) void cloud.heartbeat(heartbeat())
      beat(now, network)
    })
    ends.push(cancel)
  }

  function heartbeat(): Heartbeat {
    const { pending_changes, quarantined_changes, last_push_ts, last_pull_ts } = driver.status()
    return {
      device_id,
      app_version: ports.device.app_version,
      ...ports.vitals(),
      sync_lag: {
        pending_changes,
        quarantined_changes,
        ...(last_push_ts === null ? {} : { last_push_ts }),
        ...(last_pull_ts === null ? {} : { last_pull_ts }),
      },
    }
  }

  const shown = (status: SyncStatus) => ({ ...status, text: statusText(status) })

  function settleQuarantined(no: number, work: (entry: Quarantined) => void): QuarantineOutcome {
    return store.transaction((): QuarantineOutcome => {
      const entry = engine.quarantine.get(no)
      if (!entry) return { ok: false, code: 'not_found', message: `change ${no} is not in quarantine` }
      work(entry)
      engine.quarantine.remove(no)
      return { ok: true }
    })
  }

  return {
    status: () => shown(driver.status()),
    now: async () => shown(await driver.now()),
    quarantine: engine.quarantine.list,
    retry: (no) => settleQuarantined(no, ({ change }) => engine.sendAgain(change)),
    discard(no) {
      return settleQuarantined(no, ({ change: { entity_type, entity_id }, code }) => {
        if (code === 'deleted_elsewhere' || entityTypes[entity_type] === 'append_only') return
        store.sql.run`DELETE FROM records WHERE entity_type = ${entity_type} AND entity_id = ${entity_id}`
        engine.outbox.drop(entity_type, entity_id)
        engine.pullWhole()
      })
    },
    owner: () => engine.state.read().user_id,
    reread: engine.reconsider,
    start() {
      engine.reconsider()
      ends.push(
        store.onWritten(driver.written),
        account.onChanged(() => {
          hints.refresh()
          driver.accountChanged()
        }),
      )
      beat(clock.now(), ports.network())
      hints.refresh()
      driver.hinted()
    },
    quiet: driver.quiet,
    async stop() {
      stopping = true
      for (const end of ends.splice(0)) end()
      news.stop()
      hints.stop()
      await driver.stop()
    },
  }
}
