// Devices that push continuously and record what was acknowledged.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { callRoute } from '../packages/server/test/support/contract-client.ts'
import { change } from '../packages/server/test/support/user-with-data.ts'

export interface Account {
  readonly email: string
  readonly token: string
  readonly user_id: string
  readonly refresh_token: string
}

export interface LoadRecord {
  /** Entity ids of changes whose push was answered with 200, by user. */
  readonly acknowledged: Map<string, Set<string>>
  /** Responses other than 200, as `status code retry-after`, with their count. */
  readonly refusals: Map<string, number>
  /** Requests without a response, with the network error, their start time and who made them, one after another. */
  readonly broken: { readonly reason: string; readonly began: number; readonly by: string }[]
}

export interface Load {
  readonly journal: LoadRecord
  readonly count: () => number
  /** Resolves when every request that is open now has ended. */
  settled(): Promise<void>
  stop(): Promise<LoadRecord>
}

export async function openAccount(url: string): Promise<Account> {
  const email = `${randomBytes(8).toString('hex')}@example.org`
  const { status, body } = await callRoute(url, 'auth_register', { body: { email, password: `a long ${randomBytes(6).toString('hex')}` } })
  if (status !== 201) throw new Error(`registering answered ${status}: ${JSON.stringify(body)}`)
  return { email, token: body.access_token, user_id: body.user.id, refresh_token: body.refresh_token }
}

/** Every account pushes from `devices` devices, one push after the other, to the nodes in turn. `pauseMs` avoids rate limits. */
export function startLoad(
  urls: readonly string[],
  accounts: readonly Account[],
  { devices = 2, pauseMs = 25, batch = 5 }: { devices?: number; pauseMs?: number; batch?: number } = {},
): Load {
  const journal: LoadRecord = {
    acknowledged: new Map(accounts.map(({ user_id }) => [user_id, new Set()])),
    refusals: new Map(),
    broken: [],
  }
  const open = new Set<Promise<void>>()
  let stopped = false
  let answered = 0

  async function pushOnce(account: Account, url: string, device_id: string): Promise<void> {
    const changes = Array.from({ length: batch }, () => change('messages', randomBytes(10).toString('hex'), { text: device_id }))
    const began = performance.now()
    try {
      const reply = await callRoute(url, 'sync_push', { token: account.token, body: { device_id, changes } })
      if (reply.status === 200) {
        answered += 1
        for (const { entity_id, verdict } of reply.body.verdicts) {
          if (verdict === 'applied') journal.acknowledged.get(account.user_id)?.add(entity_id)
          else count(journal.refusals, `verdict ${verdict}`)
        }
      } else count(journal.refusals, `${reply.status} ${reply.problem?.code} ${reply.headers.get('retry-after')}`)
    } catch (error) {
      journal.broken.push({ reason: reasonOf(error), began, by: `${account.user_id} ${device_id}` })
    }
  }

  async function work(account: Account, number: number): Promise<void> {
    for (let turn = number; !stopped; turn += 1) {
      const push = pushOnce(account, urls[turn % urls.length] ?? '', `device-${number}`)
      open.add(push)
      await push
      open.delete(push)
      await sleep(pauseMs)
    }
  }

  const workers = accounts.flatMap((account) => Array.from({ length: devices }, (_, number) => work(account, number)))
  return {
    journal,
    count: () => answered,
    async settled() {
      await Promise.all(open)
    },
    async stop() {
      stopped = true
      await Promise.all(workers)
      return journal
    },
  }
}

/** Changes that were acknowledged but are missing in a full pull. */
export async function lostChanges(url: string, accounts: readonly Account[], { acknowledged }: LoadRecord): Promise<string[]> {
  const missing: string[] = []
  for (const account of accounts) {
    const present = await pullIds(url, account)
    for (const id of acknowledged.get(account.user_id) ?? []) if (!present.has(id)) missing.push(id)
  }
  return missing
}

async function pullIds(url: string, { token }: Account): Promise<Set<string>> {
  const ids = new Set<string>()
  let query: Record<string, string> = { limit: '1000' }
  for (;;) {
    const { status, body } = await callRoute(url, 'sync_pull', { token, query })
    if (status !== 200) throw new Error(`pull answered ${status}: ${JSON.stringify(body)}`)
    for (const { entity_id } of body.changes) ids.add(entity_id)
    if (!body.has_more) return ids
    query = { ...query, cursor_ts: body.cursor_ts, ...(body.snapshot_ts ? { snapshot_ts: body.snapshot_ts } : {}) }
  }
}

export function acknowledgedCount({ acknowledged }: LoadRecord): number {
  return [...acknowledged.values()].reduce((sum, ids) => sum + ids.size, 0)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
