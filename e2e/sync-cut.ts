// A TCP proxy that can be cut: connections through it close immediately, and new ones are refused until it is restored.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Wire extends AsyncDisposable {
  readonly url: string
  cut(): void
  mend(): void
  /** Changes its destination. */
  aim(url: string): void
}

export async function wireTo(url: string): Promise<Wire> {
  let target = Number(new URL(url).port)
  const open = new Set<Socket>()
  let whole = true
  const server = createServer((near) => {
    if (!whole) {
      near.destroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const drop = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      whole = false
      drop()
    },
    mend() {
      whole = true
    },
    aim(next) {
      target = Number(new URL(next).port)
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      drop()
      await closed
    },
  }
}
