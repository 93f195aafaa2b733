// A TCP proxy that can be cut: connections through it close immediately, and new ones are refused until it is restored.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface NetworkProxy extends AsyncDisposable {
  readonly url: string
  cut(): void
  restore(): void
  /** Changes its destination. */
  setTarget(url: string): void
}

export async function openNetworkProxy(url: string): Promise<NetworkProxy> {
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
    restore() {
      whole = true
    },
    setTarget(next) {
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
