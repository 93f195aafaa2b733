// Whether push and pull cost more in a large account: the same work for a user with 1,000,000 entities and one with 1,000.
import { type BenchRow, median } from './bench.ts'
import { syncPayloads } from './sync-data.ts'
import { type Backend, type BenchUser, pushBody } from './sync-tandem.ts'

const [small, large] = [1_000, 1_000_000]
const runs = 40
const size = 500

export async function measureGrowth(backend: Backend, progress: (line: string) => void): Promise<BenchRow[]> {
  progress(`filling accounts with ${small} and ${large} entities`)
  const [few, many] = [await filled(backend, small), await filled(backend, large)]
  await backend.sql`vacuum analyze tandem.sync_entities`

  const pushes = await alternately([few, many], (account, run) => account.user.push(pushBody(syncPayloads(`new-${run}`, size))))
  const pulls = await alternately([few, many], (account, run) => account.user.pull(account.cursor(run)))
  return [row('push to 1,000,000 entities against 1,000', pushes), row('pull from 1,000,000 entities against 1,000', pulls)]
}

interface Account {
  readonly user: BenchUser
  /** A cursor with a whole page after it, another one each time. */
  cursor(run: number): string
}

/** Rows of a year ago, 500 per stamp, as full batches create them. */
async function filled({ sql, user }: Backend, count: number): Promise<Account> {
  const one = await user()
  const first = Date.now() - 365 * 86_400_000
  const stamps = count / size
  const [record] = syncPayloads('fact', 1).map((fact) => JSON.stringify(fact))
  await sql`
    insert into tandem.sync_entities
      (user_id, stamp, version, ord, merged, op, entity_type, entity_id, updated_at, device_id, content_hash, record)
    select ${one.user_id}, ${first}::bigint + n / ${size}::integer, 1, n % ${size}::integer, false, 'upsert', 'messages',
      'fact-' || lpad(n::text, 9, '0'), '2026-01-01T00:00:00.000Z', 'bench', lpad(n::text, 64, '0'), ${record ?? ''}
    from generate_series(0, ${count - 1}::integer) n`
  await sql`insert into tandem.sync_heads (user_id, stamp) values (${one.user_id}, ${first + stamps})`
  return { user: one, cursor: (run) => new Date(first + Math.floor(((run % 20) / 20) * (stamps - 1)) - 1).toISOString() }
}

/** Milliseconds of each, by account; alternating, so that other load on the machine affects both. */
async function alternately(accounts: readonly [Account, Account], work: (account: Account, run: number) => Promise<Buffer>) {
  const times = accounts.map((account) => ({ account, spent: [] as number[] }))
  for (let run = 0; run < runs; run += 1) {
    for (const { account, spent } of run % 2 === 0 ? times : times.toReversed()) {
      const started = performance.now()
      await work(account, run)
      spent.push(performance.now() - started)
    }
  }
  const [few = Number.NaN, many = Number.NaN] = times.map(({ spent }) => median(spent.slice(5)))
  return { few, many }
}

function row(metric: string, { few, many }: { few: number; many: number }): BenchRow {
  const name = `${metric} (${few.toFixed(1)} ms)`
  return {
    metric: name,
    unit: '× its time',
    better: 'lower',
    ours: many / few,
    peers: {},
    limit: 1,
    target: '≤ 1.3',
    met: many <= 1.3 * few,
  }
}
