// The previous port. With the same port, the window keeps its address and the browser its data for that address.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const name = 'window-port'

/** 0, which means any free port, if none is stored. */
export function lastPort(home: string): number {
  try {
    const port = Number(readFileSync(join(home, name), 'utf8'))
    return Number.isInteger(port) && port >= 1_024 && port <= 65_535 ? port : 0
  } catch {
    // The first start, or the file is not readable: use any port.
    return 0
  }
}

export function saveLastPort(home: string, port: number): void {
  writeFileSync(join(home, name), `${port}\n`, { mode: 0o600 })
}
