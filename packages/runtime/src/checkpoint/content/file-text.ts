// Bytes as a person reads them, or nothing where they are no text. For looking only: what is put back are always the bytes.

/** Marks say it themselves; without one it is UTF-8, or else an old encoding of single bytes. */
export function textOf(bytes: Uint8Array): string | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return decoded('utf-16le', bytes)
  if (first === 0xfe && second === 0xff) return decoded('utf-16be', bytes)
  if (bytes.includes(0)) return null
  const text = decoded('utf-8', bytes)
  if (text !== null) return text
  return controlsIn(bytes) ? null : new TextDecoder('windows-1252').decode(bytes)
}

function decoded(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    // It is not in this encoding.
    return null
  }
}

/** Control letters that no text has; tabs, line ends, page ends and the escapes of terminals are found in texts. */
function controlsIn(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < 0x20 && ![0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte))
}
