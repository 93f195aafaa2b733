// A real Redis for tests, on a free loopback port, that can be killed, frozen and restarted.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TestRedis {
  readonly url: string
  readonly port: number
  /** SIGKILL, and waits until it has exited. */
  kill(): Promise<void>
  /** Restarts on the same port, empty. */
  restart(): Promise<void>
  /** SIGSTOP: it accepts connections and never answers. */
  freeze(): void
  thaw(): void
  /** Kills it and deletes its folder. */
  stop(): Promise<void>
}

export interface RedisOptions {
  readonly password?: string
  /** Additional arguments, given the new folder and the port. */
  readonly args?: (folder: string, port: number) => Promise<string[]>
  /** All arguments, instead of the defaults. */
  readonly command?: (folder: string, port: number) => Promise<string[]>
  /** What it prints when it is ready. */
  readonly ready?: string
}

export async function startTestRedis(options: RedisOptions = {}): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-redis-'))
  const port = await freePort()
  const password = options.password === undefined ? [] : ['--requirepass', options.password]
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', folder, ...password]
  args.push(...((await options.args?.(folder, port)) ?? []))
  const command = (await options.command?.(folder, port)) ?? args
  let running = await start(command, options.ready)
  const kill = async (): Promise<void> => {
    if (running.exitCode !== null || running.signalCode !== null) return
    const gone = once(running, 'exit')
    running.kill('SIGKILL')
    await gone
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill,
    async restart() {
      await kill()
      running = await start(command, options.ready)
    },
    freeze: () => void running.kill('SIGSTOP'),
    thaw: () => void running.kill('SIGCONT'),
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function start(args: string[], ready = 'Ready to accept connections'): Promise<ChildProcess> {
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    let output = ''
    child.once('error', (error) => reject(new Error('redis-server is needed for this test: install Redis 7 or newer', { cause: error })))
    child.once('exit', () => reject(new Error(`redis-server ended at its start:\n${output}`)))
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes(ready)) resolve()
    })
  })
  child.removeAllListeners('exit')
  child.stdout.removeAllListeners('data').resume()
  return child
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
