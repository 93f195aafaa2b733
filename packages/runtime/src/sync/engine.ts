// The engine: pulls pages and pushes batches until both sides hold the same. It waits for nothing and remembers everything in the store,
// so that it can be struck down between any two statements.
import { limits } from '@tandem/contract/limits'
import type { RunStep } from '@tandem/contract/run'
import { type Change, entityTypes, type PullReply, type PushReply, type Verdict } from '@tandem/contract/sync'
import type { Store } from '../store/store.ts'
import { type ArrivalRule, arrivalOf } from './arrival.ts'
import type { Answer, Cloud } from './cloud.ts'
import { openEntities } from './entities.ts'
import { openInbox } from './inbox.ts'
import { type Outbox, openOutbox, type Sent } from './outbox.ts'
import { openQuarantine, type Quarantine } from './quarantine.ts'
import { openState, pullsWhole, type StateStore } from './state.ts'
import { sweep } from './sweep.ts'

export type Phase = 'pulling' | 'pushing' | 'recovering'

/** `again`: there is more to do, and nothing stands in its way. */
export type Round =
  | { readonly kind: 'done' }
  | { readonly kind: 'again' }
  | { readonly kind: 'failed'; readonly answer: Exclude<Answer<unknown>, { kind: 'ok' }> }

export interface EnginePorts {
  readonly store: Store
  readonly cloud: Cloud
  stepArrived?(step: RunStep): void
  fileWanted?(file_id: string): void
  /** Before a batch leaves: the files its changes speak of go first. */
  filesOf?(changes: readonly Change[]): Promise<Answer<unknown>>
  phase?(phase: Phase): void
  readonly arrivalOf?: ArrivalRule
  /** Rows and cursor of a page are one. */
  keepPage?(store: Store, rows: () => void, cursor: () => void): void
  /** Rows of a pulled page. */
  readonly pageRows?: number
  readonly batchChanges?: number
}

export interface Engine {
  readonly state: StateStore
  readonly outbox: Outbox
  readonly quarantine: Quarantine
  unread(): number
  /** Pulls to the end, then pushes all that waits; the other way round after a restore of the cloud. */
  round(): Promise<Round>
  /** Pushes alone, where pulling is not due. */
  pushOnly(): Promise<Round>
  /** Tries anew what an older cloud or an older Tandem could not read. */
  reconsider(): void
  /** The next pull brings the present state, and nothing is removed. */
  pullWhole(): void
}

const done = { kind: 'done' } as const
const again = { kind: 'again' } as const
/** A clock that is off by less needs no correction. */
const tolerance_ms = 60_000

export function openEngine(ports: EnginePorts): Engine {
  const { store, cloud, keepPage = together, pageRows = limits.pull_rows, batchChanges = limits.push_changes } = ports
  const { sql, device_id } = store
  const state = openState(store)
  const entities = openEntities(store)
  const outbox = openOutbox(store, entities)
  const quarantine = openQuarantine(store)
  const inbox = openInbox(store, entities, outbox, {
    arrivalOf: ports.arrivalOf ?? arrivalOf,
    stepArrived: (step) => ports.stepArrived?.(step),
    fileWanted: (file_id) => ports.fileWanted?.(file_id),
  })
  store.stamps.observe(state.read().seen_at)
  let offset = 0

  function see(latest: number): void {
    const { seen_at } = state.read()
    if (latest > seen_at) state.write({ seen_at: latest })
  }

  /** Deletions were missed: the present state will show which. */
  function beginExpired(): void {
    store.transaction(() => {
      sql.run`DELETE FROM sync_brought`
      state.write({ recovery: 'expired', cursor_ts: null, snapshot_ts: null })
    })
  }

  /** The cloud knows less than it did: nothing is removed here, and everything is sent again. */
  function beginRestored(epoch: string | null): void {
    store.applying(() => {
      sql.run`DELETE FROM sync_brought`
      sql.run`UPDATE records SET shared = 0`
      outbox.addAll()
      state.write({ recovery: 'restored', epoch, cursor_ts: null, snapshot_ts: null })
    })
  }

  function isOtherEpoch(epoch: string): boolean {
    const known = state.read().epoch
    return known !== null && known !== epoch
  }

  async function pull(): Promise<Round> {
    for (;;) {
      const { cursor_ts, snapshot_ts, recovery } = state.read()
      ports.phase?.(recovery === 'none' ? 'pulling' : 'recovering')
      const answer = await cloud.pull({
        device_id,
        limit: pageRows,
        ...(cursor_ts === null ? {} : { cursor_ts }),
        ...(snapshot_ts === null ? {} : { snapshot_ts }),
      })
      if (answer.kind === 'refused' && answer.code === 'cursor_expired') {
        beginExpired()
        continue
      }
      if (answer.kind === 'refused' && answer.code === 'cursor_ahead') {
        beginRestored(null)
        return again
      }
      if (answer.kind !== 'ok') return { kind: 'failed', answer }
      if (isOtherEpoch(answer.body.epoch)) {
        beginRestored(answer.body.epoch)
        return again
      }
      keep(answer.body)
      if (!answer.body.has_more) return done
    }
  }

  function keep(page: PullReply): void {
    const { recovery } = state.read()
    const rows = () => {
      see(inbox.arrive(page.changes))
      if (recovery === 'expired') noteBrought(page.changes)
      if (page.has_more) return
      inbox.retryEarly()
      if (recovery === 'expired') sweep(store, outbox, quarantine)
    }
    const cursor = () =>
      state.write({
        epoch: page.epoch,
        cursor_ts: page.cursor_ts,
        snapshot_ts: page.has_more ? (page.snapshot_ts ?? null) : null,
        recovery: page.has_more ? recovery : 'none',
        pulled_at: store.clock.now(),
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
    for (;;) {
      const batch = store.transaction(() => outbox.batch({ changes: room, bytes: limits.push_bytes - 64 * 1024 }))
      if (batch.length === 0) return done
      ports.phase?.(state.read().recovery === 'none' ? 'pushing' : 'recovering')
      const changes = batch.map(({ change }) => change)
      const files = await ports.filesOf?.(changes)
      if (files && files.kind !== 'ok') return { kind: 'failed', answer: files }
      const answer = await cloud.push({ device_id, changes })
      if (answer.kind === 'refused' && answer.code === 'payload_too_large') {
        const [only] = batch
        if (batch.length === 1 && only) store.applying(() => refuse(only, { code: 'payload_too_large', message: answer.detail }))
        room = Math.max(1, Math.floor(batch.length / 2))
        continue
      }
      if (answer.kind !== 'ok') return { kind: 'failed', answer }
      const next = settle(batch, answer.body)
      if (next) return next
      room = batchChanges
    }
  }

  /** Each verdict in its place; a reply that tells of another epoch is taken too, for its verdicts are that epoch's. */
  function settle(batch: readonly Sent[], { verdicts, epoch, server_ts }: PushReply): Round | null {
    const other = isOtherEpoch(epoch)
    let missing = false
    store.applying(() => {
      // The wall clock is judged before anything is stamped by it.
      const skewed = verdicts.some((verdict) => verdict.verdict === 'rejected' && verdict.code === 'clock_skew')
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
    // What was seen of others stays in the past of what is written here from now on.
    store.stamps.observe(state.read().seen_at)
  }

  /** True when the verdict tells of a record that it does not bring. */
  function take(sent: Sent, verdict: Verdict): boolean {
    const { entity_type, entity_id } = sent.change
    if (verdict.verdict === 'rejected') {
      if (verdict.code !== 'clock_skew') refuse(sent, verdict)
      return false
    }
    outbox.settle(sent)
    quarantine.release(entity_type, entity_id)
    if (entityTypes[entity_type] !== 'append_only') {
      sql.run`UPDATE records SET shared = 1 WHERE entity_type = ${entity_type} AND entity_id = ${entity_id}`
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
      return now.recovery !== 'none' || pullsWhole(now) ? again : await push()
    },
    reconsider() {
      store.applying(() => {
        inbox.retryAll()
        for (const { no, entity_type, entity_id, code } of quarantine.list()) {
          if (code !== 'unknown_entity_type') continue
          outbox.add(entity_type, entity_id)
          quarantine.remove(no)
        }
      })
    },
  }
}

function together(store: Store, rows: () => void, cursor: () => void): void {
  store.applying(() => {
    rows()
    cursor()
  })
}
