// Synchronization on the desktop: the first sync of a large account, the cost of the outbox, and the delay until an edit is seen elsewhere.
import { randomBytes } from 'node:crypto'
import { openSyncDevice, type SyncDevice } from '../e2e/sync-device.ts'
import { openAccount } from '../packages/runtime/src/account/account.ts'
import { createSendRequest } from '../packages/runtime/src/account/http.ts'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { agentNamed } from '../packages/runtime/test/support/sync/test-device.ts'
import { type Bench, type BenchRow, median, quantile } from './bench.ts'
import { messages } from './client-sync-data.ts'
import { replicate } from './client-sync-pouchdb.ts'
import { bulkBody, startPouchServer } from './sync-pouchdb.ts'
import { startBackend } from './sync-tandem.ts'

const total = Number(process.env.ENTITIES ?? 100_000)
const batch = 500
const edits = 200
const writes = 2_000

export const bench: Bench = {
  name: 'client-sync',
  summary: `first sync of ${total} messages of 1 KiB, compared with PouchDB in memory; a write with its outbox row, compared with one without; edit to visible elsewhere`,
  async run(progress) {
    const backend = await startBackend()
    try {
      return [...(await firstSync(backend.url, progress)), await writeCost(progress), ...(await latency(backend.url, progress))]
    } finally {
      await backend.stop()
    }
  },
}

const password = 'four green lanterns'

async function firstSync(url: string, progress: (line: string) => void): Promise<BenchRow[]> {
  const email = newEmail()
  const writer = openAccount({ clock: systemClock, file: nowhere, send: createSendRequest(systemClock), log: () => undefined })
  const signedIn = await writer.signIn({ cloud_url: url, email, password, device_id: 'writer', account: 'new' }, () => null)
  if (!signedIn.ok) throw new Error(signedIn.message)
  const pouch = await startPouchServer()
  try {
    const user = await pouch.user('first')
    for (let first = 0; first < total; first += batch) {
      const changes = messages(Math.min(batch, total - first), first)
      const answer = await writer.call({ method: 'POST', path: '/api/v1/sync/push', json: { device_id: 'writer', changes } })
      if (answer.kind !== 'ok') throw new Error(answer.detail)
      await user.push(bulkBody(changes))
    }
    user.close()
    progress(`${total} messages lie in both clouds`)
    const ours = await pulled(url, email)
    progress(
      `ours: ${(ours.milliseconds / 1_000).toFixed(1)} s, ${ours.megabytes.toFixed(0)} MiB, longest pause ${ours.pause.toFixed(0)} ms`,
    )
    const theirs = await replicate(`${pouch.base}/first`, total)
    progress(`PouchDB: ${(theirs.milliseconds / 1_000).toFixed(1)} s, ${theirs.megabytes.toFixed(0)} MiB`)
    const row = (metric: string, unit: string, mine: number, peer: number | null, target: string, met: boolean): BenchRow => ({
      ...{ metric: `first sync: ${metric}`, unit, better: 'lower', ours: mine, limit: null, target, met },
      peers: peer === null ? {} : { PouchDB: peer },
    })
    return [
      row(
        'time',
        's',
        ours.milliseconds / 1_000,
        theirs.milliseconds / 1_000,
        'half of PouchDB',
        2 * ours.milliseconds <= theirs.milliseconds,
      ),
      row('memory', 'MiB', ours.megabytes, theirs.megabytes, 'less than PouchDB', ours.megabytes < theirs.megabytes),
      row('longest pause', 'ms', ours.pause, null, 'at most 200 ms', ours.pause <= 200),
    ]
  } finally {
    await pouch.stop()
  }
}

interface Pulled {
  readonly milliseconds: number
  readonly megabytes: number
  readonly pause: number
}

/** A fresh device, in this process; the pause is how long the event loop was blocked. */
async function pulled(url: string, email: string): Promise<Pulled> {
  await using device = openSyncDevice('first')
  const before = process.memoryUsage().rss
  let [last, pause, peak] = [performance.now(), 0, before]
  const watch = setInterval(() => {
    const now = performance.now()
    pause = Math.max(pause, now - last - 5)
    last = now
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)
  const started = performance.now()
  const signedIn = await device.account.signIn({ cloud_url: url, email, password, account: 'known' })
  if (!signedIn.ok) throw new Error(signedIn.message)
  const count = () => Number(device.store.sql.get`SELECT count(*) AS count FROM messages`?.count)
  while (count() < total) await new Promise((resolve) => setTimeout(resolve, 20))
  const milliseconds = performance.now() - started
  clearInterval(watch)
  return { milliseconds, megabytes: (peak - before) / 2 ** 20, pause }
}

/** The same write with and without the trigger: each in its own transaction, as in the journal. */
async function writeCost(progress: (line: string) => void): Promise<BenchRow> {
  await using device = openSyncDevice('writes')
  const { journal, store } = device
  const conversation = journal.conversations.create({ agent_id: 'a', title: 't', workspace: '/w' })
  const run = journal.start({
    conversation: conversation.no,
    agent_id: 'a',
    title: 't',
    model: 'm',
    sandbox_mode: 'workspace',
    message_id: null,
  })
  const append = (turn: number) => {
    const started = performance.now()
    journal.append(run.run_id, { kind: 'model.called', model: 'm', turn })
    return performance.now() - started
  }
  const measured: { with: number[]; without: number[] } = { with: [], without: [] }
  const trigger = String(store.sql.get`SELECT sql FROM sqlite_master WHERE name = 'agent_run_steps_outbox'`?.sql)
  // Alternating, so that a busy disk affects both alike.
  for (let round = 0; round < 10; round += 1) {
    for (let at = 0; at < writes / 10; at += 1) measured.with.push(append(at))
    store.sql.run`DROP TRIGGER agent_run_steps_outbox`
    for (let at = 0; at < writes / 10; at += 1) measured.without.push(append(at))
    const text = [trigger]
    store.sql.run(Object.assign(text, { raw: text }) as unknown as TemplateStringsArray)
  }
  const [ours, bare] = [median(measured.with), median(measured.without)]
  progress(`a step: ${(ours * 1_000).toFixed(0)} µs with its outbox row, ${(bare * 1_000).toFixed(0)} µs without`)
  return {
    ...{ metric: 'a journal step with its outbox row', unit: 'µs', better: 'lower', ours: ours * 1_000, limit: bare * 1_000 },
    ...{ peers: { 'without outbox': bare * 1_000 }, target: 'at most 1.25 × without', met: ours <= 1.25 * bare },
  }
}

async function latency(url: string, progress: (line: string) => void): Promise<BenchRow[]> {
  await using one = openSyncDevice('one')
  await using two = openSyncDevice('two')
  const email = newEmail()
  for (const [device, account] of [
    [one, 'new'],
    [two, 'known'],
  ] as const) {
    const signedIn = await device.account.signIn({ cloud_url: url, email, password, account })
    if (!signedIn.ok) throw new Error(signedIn.message)
    await device.sync.now()
  }
  const seen: number[] = []
  for (let edit = 0; edit < edits; edit += 1) {
    const started = performance.now()
    one.records.put('agents', 'a', agentNamed(`edit ${edit}`))
    while (nameOn(two) !== `edit ${edit}`) await new Promise((resolve) => setTimeout(resolve, 1))
    seen.push(performance.now() - started)
    // At the speed of a user, not as fast as the pace allows.
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  const [p50, p99] = [median(seen), quantile(seen, 0.99)]
  progress(`edit to visible: ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`)
  const row = (metric: string, ours: number, target: number): BenchRow => ({
    ...{ metric: `edit to visible elsewhere, ${metric}`, unit: 'ms', better: 'lower', ours, limit: null },
    ...{ peers: {}, target: `at most ${target} ms`, met: ours <= target },
  })
  return [row('p50', p50, 50), row('p99', p99, 200)]
}

function nameOn({ records }: SyncDevice): string | undefined {
  return records.get('agents', 'a')?.payload.name
}

const newEmail = () => `${randomBytes(8).toString('hex')}@example.org`
const nowhere = { read: () => null, write: () => undefined, remove: () => undefined }
