// A Redis for a benchmark, without persistence, on a free port of loopback.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface BenchRedis {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

export async function startBenchRedis(): Promise<BenchRedis> {
  const port = await freePort()
  const redis = spawn('redis-server', ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  })
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (redis.exitCode !== null || tries === 100) throw new Error('redis-server did not start; install Redis 7 or newer')
    await sleep(100)
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: redis.pid ?? 0,
    async stop() {
      const ended = once(redis, 'exit')
      redis.kill('SIGTERM')
      await ended
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
