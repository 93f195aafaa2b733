// What PostgreSQL answers until a new connection is ready: each message is a letter, a length of four bytes that includes itself, and content.

export type StartupOutcome = 'pending' | 'ready' | 'out_of_connections' | 'failed'

const letters = { ready: 0x5a, error: 0x45 } as const
const outOfConnections = '53300'

/** `bytes`: everything that was received so far. */
export function startupOutcome(bytes: Buffer): StartupOutcome {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const letter = bytes[at]
    const end = at + 1 + bytes.readUInt32BE(at + 1)
    if (letter === letters.ready) return 'ready'
    if (letter === letters.error) {
      if (end > bytes.length) return 'pending'
      return stateOf(bytes.subarray(at + 5, end)) === outOfConnections ? 'out_of_connections' : 'failed'
    }
    at = end
  }
  return 'pending'
}

/** The fields of an error: a letter and a text that ends with a zero byte; `C` is the state. */
function stateOf(fields: Buffer): string | undefined {
  const found = fields
    .toString('latin1')
    .split('\0')
    .find((field) => field.startsWith('C'))
  return found?.slice(1)
}
