// The engine: pulls pages and pushes batches until both sides have the same data. It keeps all of its state in the store, so that it can be
// killed between any two statements.
import { setImmediate } from 'node:timers/promises'
import { limits } from '@tandem/contract/limits'
import type { RunStep } from '@tandem/contract/run'
import { type Change, entityTypes, type PullReply, type PushReply, type Verdict } from '@tandem/contract/sync'
import type { Store } from '../store/store.ts'
import { type ArrivalRule, arrivalOf } from './entity/arrival.ts'
import { openEntities } from './entity/entities.ts'
import { changeEpoch, classifyEpoch, isRecent } from './epochs.ts'
import { type Arrivals, openInbox } from './inbox.ts'
import { type Outbox, openOutbox, type Sent } from './outbox.ts'
import { openQuarantine, type Quarantine } from './quarantine.ts'
import { isFullPull, openState, type StateStore, type SyncState } from './state.ts'
import { sweep } from './sweep.ts'
import type { Answer, NoAnswer, SyncCloud } from './transport/cloud.ts'

export type Phase = 'pulling' | 'pushing' | 'recovering'

/** `again`: there is more to do, and nothing prevents it. */
export type Round = { readonly kind: 'done' } | { readonly kind: 'again' } | { readonly kind: 'failed'; readonly answer: NoAnswer }

export interface EnginePorts {
  readonly store: Store
  readonly cloud: SyncCloud
  stepArrived?(step: RunStep): void
  arrived?(arrivals: Arrivals): void
  fileWanted?(file_id: string): void
  /** Called before a batch is sent: the files of its changes are sent first. */
  filesOf?(changes: readonly Change[]): Promise<Answer<unknown>>
  phase?(phase: Phase): void
  readonly arrivalOf?: ArrivalRule
  /** Stores rows and cursor of a page together. */
  keepPage?(store: Store, rows: () => void, cursor: () => void): void
  /** The number of rows in a pulled page. */
  readonly pageRows?: number
  readonly batchChanges?: number
}

export interface Engine {
  readonly state: StateStore
  readonly outbox: Outbox
  readonly quarantine: Quarantine
  unread(): number
  /** Pulls to the end, then pushes everything pending; in reverse order after a restore of the cloud. */
  round(): Promise<Round>
  /** Only pushes, if no pull is due. */
  pushOnly(): Promise<Round>
  /** Retries what an older cloud or an older Tandem could not read. */
  reconsider(): void
  /** Sends a quarantined change again as a new write. */
  sendAgain(change: Change): void
  /** The next pull gets the complete current state, and removes nothing. */
  pullWhole(): void
}

const done = { kind: 'done' } as const
const again = { kind: 'again' } as const
/** The cursor of an account without any writes: pulling from there pulls everything. */
const beginning = '1970-01-01T00:00:00.000Z'
/** A smaller clock error needs no correction. */
const tolerance_ms = 60_000
/** Once corrected, a clock is right; if the cloud's own clock was set back, wait. */
const mostSkews = 3

/** Nothing is lost: changes are kept until the cloud has one database again. */
const oldCopy = {
  kind: 'failed',
  answer: {
    kind: 'unreachable',
    detail: 'an old copy of the database of the server is still responding; pending changes are sent as soon as it is gone',
  },
} as const

type PagePlace = Pick<SyncState, 'cursor_ts' | 'snapshot_ts'>

export function openEngine(ports: EnginePorts): Engine {
  const { store, cloud, keepPage = together, pageRows = limits.pull_rows_default, batchChanges = limits.push_changes } = ports
  const { sql, device_id } = store
  const state = openState(store)
  const entities = openEntities(store)
  const outbox = openOutbox(store, entities)
  const quarantine = openQuarantine(store)
  const inbox = openInbox(store, entities, outbox, {
    arrivalOf: ports.arrivalOf ?? arrivalOf,
    stepArrived: (step) => ports.stepArrived?.(step),
    arrived: (arrivals) => ports.arrived?.(arrivals),
    fileWanted: (file_id) => ports.fileWanted?.(file_id),
  })
  store.stamps.observe(state.read().seen_at)
  let offset = 0

  function see(latest: number): void {
    const { seen_at } = state.read()
    if (latest > seen_at) state.write({ seen_at: latest })
  }

  /** Deletions were missed: the complete current state will show which. */
  function beginExpired(): void {
    state.write({ recovery: 'expired', cursor_ts: null, snapshot_ts: null })
  }

  /** The cloud has lost data: nothing is removed here, and everything is sent again. */
  function beginRestored(epoch: string): void {
    const now = store.clock.now()
    store.applying(() => {
      sql.run`UPDATE records SET shared = 0`
      outbox.addAll()
      const left_epochs = changeEpoch(state.read(), epoch, now)
      state.write({ recovery: 'restored', epoch, left_epochs, recovered_at: now, cursor_ts: null, snapshot_ts: null })
    })
  }

  const meaning = (epoch: string) => classifyEpoch(state.read(), epoch, store.clock.now())

  /** The refusal of a cursor has no epoch; a pull from the beginning is never refused and has one. */
  async function recoverAhead(): Promise<Round> {
    const answer = await cloud.pull({ device_id, limit: 1 })
    if (answer.kind !== 'ok') return { kind: 'failed', answer }
    const { epoch } = answer.body
    const found = meaning(epoch)
    if (found === 'left' || (found === 'same' && isRecent(state.read().recovered_at, store.clock.now()))) return oldCopy
    beginRestored(epoch)
    return again
  }

  function pageAfter({ cursor_ts, snapshot_ts }: PagePlace): Promise<Answer<PullReply>> {
    return cloud.pull({
      device_id,
      limit: pageRows,
      ...(cursor_ts === null ? {} : { cursor_ts }),
      ...(snapshot_ts === null ? {} : { snapshot_ts }),
    })
  }

  async function pull(): Promise<Round> {
    let asked: Promise<Answer<PullReply>> | null = null
    for (;;) {
      const before = state.read()
      ports.phase?.(before.recovery === 'none' ? 'pulling' : 'recovering')
      const answer = await (asked ?? pageAfter(before))
      asked = null
      if (answer.kind === 'refused' && answer.code === 'cursor_expired') {
        beginExpired()
        continue
      }
      if (answer.kind === 'refused' && answer.code === 'cursor_ahead') {
        return recoverAhead()
      }
      if (answer.kind !== 'ok') return { kind: 'failed', answer }
      const found = meaning(answer.body.epoch)
      if (found === 'left') return oldCopy
      if (found === 'new') {
        beginRestored(answer.body.epoch)
        return again
      }
      if (answer.body.has_more) {
        // The next page is requested while this one is written.
        asked = pageAfter(placeOf(answer.body))
        // Its result is unused if this page cannot be stored.
        asked.catch(() => undefined)
        await setImmediate()
      }
      keep(answer.body)
      if (!answer.body.has_more) return done
    }
  }

  function keep(page: PullReply): void {
    const before = state.read()
    const { recovery, snapshot_ts } = before
    // The current state is complete: what the cloud had and no longer returns was deleted. A restored cloud may simply not know it.
    const sweeps = isFullPull(before) && recovery !== 'restored'
    const rows = () => {
      if (sweeps && snapshot_ts === null) sql.run`DELETE FROM sync_brought`
      see(inbox.arrive(page.changes))
      if (sweeps) noteBrought(page.changes)
      if (page.has_more) return
      inbox.retryEarly()
      if (!sweeps) return
      const records = sweep(store, outbox, quarantine).map(({ entity_type, entity_id }) => ({ entity_type, entity_id }))
      const swept: Arrivals = { records, facts: [], conversation_ids: [], run_ids: [] }
      if (records.length > 0) store.afterCommit(() => ports.arrived?.(swept))
    }
    const cursor = () =>
      state.write({
        epoch: page.epoch,
        ...placeOf(page),
        recovery: page.has_more ? recovery : 'none',
        // Something may still be missing after any other page.
        ...(page.has_more ? {} : { pulled_at: store.clock.now() }),
      })
    keepPage(store, rows, cursor)
  }

  function noteBrought(changes: readonly Change[]): void {
    for (const { entity_type, entity_id } of changes) {
      if (entityTypes[entity_type] === 'append_only') continue
      sql.run`INSERT OR IGNORE INTO sync_brought (entity_type, entity_id) VALUES (${entity_type}, ${entity_id})`
    }
  }

  async function push(): Promise<Round> {
    let room = batchChanges
    let skews = 0
    for (;;) {
      if (skews > mostSkews)
        return { kind: 'failed', answer: { kind: 'unreachable', detail: 'the server rejects the timestamps of the changes' } }
      const batch = store.transaction(() => outbox.batch({ changes: room, bytes: limits.push_bytes - 64 * 1024 }))
      if (batch.length === 0) return done
      ports.phase?.(state.read().recovery === 'none' ? 'pushing' : 'recovering')
      const changes = batch.map(({ change }) => change)
      const files = await ports.filesOf?.(changes)
      if (files && files.kind !== 'ok') return { kind: 'failed', answer: files }
      // A step that others have seen must not be lost here: its number would be used twice.
      store.flush()
      const answer = await cloud.push({ device_id, changes })
      if (answer.kind === 'refused' && answer.code === 'payload_too_large') {
        const [only] = batch
        if (batch.length === 1 && only) store.applying(() => refuse(only, { code: 'payload_too_large', message: answer.detail }))
        room = Math.max(1, Math.floor(batch.length / 2))
        continue
      }
      if (answer.kind !== 'ok') return { kind: 'failed', answer }
      // What an old copy acknowledges is lost with it: nothing counts as sent.
      if (meaning(answer.body.epoch) === 'left') return oldCopy
      skews = isSkewed(answer.body) ? skews + 1 : 0
      const next = settle(batch, answer.body)
      if (next) return next
      // Changes without a verdict stay pending; sending them again immediately would never end.
      if (answer.body.verdicts.length < batch.length)
        return { kind: 'failed', answer: { kind: 'unreachable', detail: 'the server did not return a verdict for every change' } }
      room = batchChanges
    }
  }

  /** Applies each verdict; a reply of a new epoch counts too, because its verdicts belong to that epoch. */
  function settle(batch: readonly Sent[], reply: PushReply): Round | null {
    const { verdicts, epoch, server_ts } = reply
    const skewed = isSkewed(reply)
    const other = meaning(epoch) === 'new'
    let missing = false
    store.applying(() => {
      // The wall clock is checked before it is used for stamps.
      setClock(Date.parse(server_ts), skewed)
      for (const verdict of verdicts) {
        const sent = batch[verdict.index]
        if (sent) missing = take(sent, verdict) || missing
      }
      if (skewed) outbox.restamp(Date.parse(server_ts) + limits.clock_skew_ms)
      state.write({ pushed_at: store.clock.now(), epoch: other ? state.read().epoch : epoch })
    })
    if (other) beginRestored(epoch)
    else if (missing) pullWhole()
    return other || missing ? again : null
  }

  function setClock(server: number, skewed: boolean): void {
    const found = server - store.clock.now()
    const wanted = Math.abs(found) > tolerance_ms ? found : 0
    if (!skewed && Math.abs(wanted - offset) <= tolerance_ms) return
    offset = wanted
    store.stamps.correct(offset)
    // Stamps that were received, and valid stamps written here, stay earlier than future ones.
    const held = sql.get`SELECT max(updated_at) AS stamp FROM records WHERE updated_at <= ${server + limits.clock_skew_ms}`
    store.stamps.observe(Math.max(state.read().seen_at, Number(held?.stamp ?? 0)))
  }

  /** True if the verdict refers to a record that it does not contain. */
  function take(sent: Sent, verdict: Verdict): boolean {
    const { entity_type, entity_id } = sent.change
    if (verdict.verdict === 'rejected') {
      if (verdict.code !== 'clock_skew') refuse(sent, verdict)
      return false
    }
    outbox.settle(sent)
    quarantine.release(entity_type, entity_id)
    if (entityTypes[entity_type] !== 'append_only') {
      const lives = sent.change.op === 'upsert' ? 1 : 0
      sql.run`UPDATE records SET shared = ${lives} WHERE entity_type = ${entity_type} AND entity_id = ${entity_id}`
    }
    if (verdict.verdict !== 'merged' && verdict.verdict !== 'stale') return false
    const stands = verdict.verdict === 'merged' ? verdict.result : verdict.winner
    if (stands) see(inbox.arrive([stands]))
    return stands === undefined
  }

  function refuse(sent: Sent, { code, message }: Pick<Extract<Verdict, { verdict: 'rejected' }>, 'code' | 'message'>): void {
    outbox.settle(sent)
    quarantine.add(sent.change, code, message)
  }

  function pullWhole(): void {
    state.write({ cursor_ts: null, snapshot_ts: null })
  }

  return {
    state,
    outbox,
    quarantine,
    unread: inbox.unread,
    pullWhole,
    async round() {
      const [first, second] = state.read().recovery === 'restored' ? [push, pull] : [pull, push]
      const half = await first()
      return half.kind === 'done' ? await second() : half
    },
    async pushOnly() {
      const now = state.read()
      return now.recovery !== 'none' || isFullPull(now) ? again : await push()
    },
    sendAgain(change) {
      const { entity_type, entity_id, op, source_ts, payload } = change
      if (entityTypes[entity_type] === 'append_only') {
        outbox.addFact(change, entities.place(change))
        return
      }
      const version = Number(
        sql.get`SELECT version FROM records WHERE entity_type = ${entity_type} AND entity_id = ${entity_id}`?.version ?? change.version,
      )
      sql.run`
        INSERT INTO records (entity_type, entity_id, version, updated_at, source_ts, device_id, deleted, payload)
        VALUES (${entity_type}, ${entity_id}, ${version + 1}, ${store.stamps.next()}, ${Date.parse(source_ts)}, ${device_id}, ${op === 'delete' ? 1 : 0}, ${JSON.stringify(payload)})
        ON CONFLICT (entity_type, entity_id) DO UPDATE SET version = excluded.version, updated_at = excluded.updated_at`
    },
    reconsider() {
      store.applying(() => {
        inbox.retryAll()
        for (const { no, change, code } of quarantine.list()) {
          if (code !== 'unknown_entity_type') continue
          if (entityTypes[change.entity_type] === 'append_only') outbox.addFact(change, entities.place(change))
          else outbox.add(change.entity_type, change.entity_id)
          quarantine.remove(no)
        }
      })
    },
  }
}

function isSkewed({ verdicts }: PushReply): boolean {
  return verdicts.some((verdict) => verdict.verdict === 'rejected' && verdict.code === 'clock_skew')
}

function together(store: Store, rows: () => void, cursor: () => void): void {
  store.applying(() => {
    rows()
    cursor()
  })
}

/** Where the next page starts. */
function placeOf({ cursor_ts, snapshot_ts, has_more }: PullReply): PagePlace {
  return { cursor_ts: cursor_ts === beginning ? null : cursor_ts, snapshot_ts: has_more ? (snapshot_ts ?? null) : null }
}
