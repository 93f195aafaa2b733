// Bytes as text for display, or null if they are not text. A restore always writes the bytes.

/** The encoding follows from the byte order mark; without one it is UTF-8, or else a legacy single-byte encoding. */
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
    // Not in this encoding.
    return null
  }
}

/** Control characters that never occur in text; tabs, line breaks, form feeds and terminal escapes do. */
function controlsIn(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < 0x20 && ![0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte))
}
