// Several Redis servers for tests: a Cluster of three, and a primary with a replica and a Sentinel.
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { startTestRedis, type TestRedis } from './test-redis.ts'
import { waitFor } from './test-wait.ts'

export interface TestRedisCluster {
  /** redis+cluster://… with all nodes. */
  readonly url: string
  readonly nodes: readonly TestRedis[]
  stop(): Promise<void>
}

export async function startTestRedisCluster(): Promise<TestRedisCluster> {
  const args = async (folder: string, port: number) => [
    ...['--cluster-enabled', 'yes', '--cluster-config-file', join(folder, 'nodes.conf'), '--cluster-node-timeout', '1500'],
    // The default port of the bus, 10000 higher, may be taken or invalid.
    ...['--cluster-port', String(port > 50_000 ? port - 10_000 : port + 10_000)],
  ]
  const nodes = await Promise.all([0, 1, 2].map(() => startTestRedis({ args })))
  const slots = [0, 5_461, 10_923, 16_384]
  await Promise.all(
    nodes.map((node, index) => ask(node, ['cluster', 'addslotsrange', `${slots[index]}`, `${(slots[index + 1] ?? 0) - 1}`])),
  )
  const [first, ...others] = nodes
  if (!first) throw new Error('no node')
  for (const { port } of others) {
    await ask(first, ['cluster', 'meet', '127.0.0.1', `${port}`, `${port > 50_000 ? port - 10_000 : port + 10_000}`])
  }
  for (const node of nodes) await waitFor(async () => String(await ask(node, ['cluster', 'info'])).includes('cluster_state:ok'), 15_000)
  return {
    url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}

export interface TestSentinel {
  /** redis+sentinel://… */
  readonly url: string
  readonly sentinel: TestRedis
  readonly primary: TestRedis
  readonly replica: TestRedis
  stop(): Promise<void>
}

export async function startTestSentinel(): Promise<TestSentinel> {
  const primary = await startTestRedis()
  const replica = await startTestRedis({ args: async () => ['--replicaof', '127.0.0.1', String(primary.port)] })
  const sentinel = await startTestRedis({
    ready: '+monitor',
    async command(folder, port) {
      const file = join(folder, 'sentinel.conf')
      const watch = ['down-after-milliseconds main 500', 'failover-timeout main 2000', 'parallel-syncs main 1']
      const lines = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, `sentinel monitor main 127.0.0.1 ${primary.port} 1`]
      await writeFile(file, [...lines, ...watch.map((line) => `sentinel ${line}`), ''].join('\n'))
      return [file, '--sentinel']
    },
  })
  await waitFor(async () => String(await ask(replica, ['info', 'replication'])).includes('master_link_status:up'), 15_000)
  await waitFor(async () => {
    const replicas = await ask(sentinel, ['sentinel', 'replicas', 'main'])
    return Array.isArray(replicas) && replicas.length === 1
  }, 15_000)
  return {
    url: `redis+sentinel://127.0.0.1:${sentinel.port}/main`,
    sentinel,
    primary,
    replica,
    async stop() {
      await Promise.all([sentinel, primary, replica].map((one) => one.stop()))
    },
  }
}

export interface SlowSentinel {
  readonly url: string
  /** From now on queries for the primary are not answered, until `answer`; failover messages still pass. */
  hold(): void
  /** How many connections have been notified of a failover. */
  told(): number
  answer(): void
  stop(): Promise<void>
}

/** The same Sentinel through a proxy. */
export async function startSlowSentinel({ sentinel }: Pick<TestSentinel, 'sentinel'>): Promise<SlowSentinel> {
  let told = 0
  let released = Promise.withResolvers<void>()
  released.resolve()
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(sentinel.port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined) // the other end may close at any time
      socket.on('close', () => [client, upstream].map((end) => end.destroy()))
    }
    client.on('data', async (chunk) => {
      if (chunk.includes('get-master-addr-by-name')) await released.promise
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      if (/\bmessage\b[^+]*\+switch-master/.test(chunk.toString('latin1'))) told += 1
      client.write(chunk)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `redis+sentinel://127.0.0.1:${address.port}/main`,
    hold() {
      released = Promise.withResolvers()
    },
    told: () => told,
    answer: () => released.resolve(),
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** One command to this node. */
export async function ask({ port }: Pick<TestRedis, 'port'>, [name = '', ...args]: readonly string[]): Promise<unknown> {
  const connection = new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: 0, enableReadyCheck: false })
  try {
    return await connection.call(name, ...args)
  } finally {
    connection.disconnect()
  }
}
