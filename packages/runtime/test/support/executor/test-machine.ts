// The other machine, and the network between it and this device, which a test can cut.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('./test-machine-process.ts', import.meta.url))

export interface TestMachine {
  readonly port: number
  readonly certificate_sha256: string
  /** Null after the first start. */
  readonly token: string | null
  /** The most memory that it has used so far. */
  peak_rss(): Promise<number>
  kill(): Promise<void>
}

export async function startTestMachine(folder: string, port = 0): Promise<TestMachine> {
  const child: ChildProcess = fork(program, [folder, String(port)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [facts] = await once(child, 'message')
  return {
    ...facts,
    async peak_rss() {
      child.send({})
      const [answer] = await once(child, 'message')
      return answer.peak_rss
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

export interface TestNetwork {
  /** Ends the connection that has carried this many bytes from the machine; each of these once. */
  cutAfter(...bytes: number[]): void
  cutsLeft(): number
  stop(): Promise<void>
}

/** `127.0.0.3` leads to the machine at `127.0.0.2`. */
export async function startTestNetwork(port: number): Promise<TestNetwork> {
  const cuts: number[] = []
  const open = new Set<Socket>()
  const server: Server = createServer((client) => {
    const machine = connect(port, '127.0.0.2')
    let carried = 0
    for (const socket of [client, machine]) {
      open.add(socket)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(socket)
          client.destroy()
          machine.destroy()
        })
    }
    client.pipe(machine)
    machine.on('data', (chunk: Buffer) => {
      carried += chunk.length
      const at = cuts[0] === undefined ? -1 : carried - cuts[0]
      if (at >= 0) {
        cuts.shift()
        // In the middle of what arrives, without an orderly end.
        client.write(chunk.subarray(0, chunk.length - at), () => client.resetAndDestroy())
      } else if (!client.write(chunk)) {
        machine.pause()
        client.once('drain', () => machine.resume())
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.3', resolve))
  return {
    cutAfter: (...bytes) => void cuts.push(...bytes),
    cutsLeft: () => cuts.length,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
