// The port of last time. With it the window keeps its address, and a browser what it remembers for that address.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const name = 'window-port'

/** 0, which stands for any free one, when there is none to be read. */
export function keptPort(home: string): number {
  try {
    const port = Number(readFileSync(join(home, name), 'utf8'))
    return Number.isInteger(port) && port >= 1_024 && port <= 65_535 ? port : 0
  } catch {
    // The first start, or nothing readable: any port will do.
    return 0
  }
}

export function keepPort(home: string, port: number): void {
  writeFileSync(join(home, name), `${port}\n`, { mode: 0o600 })
}
