// The names in a ZIP archive, from the list at its end. Nothing is unpacked.

const endOfList = 0x06054b50
const entry = 0x02014b50
const mostNames = 10_000

/** Empty if the list cannot be read. */
export function zipNames(bytes: Uint8Array): readonly string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endRecord(view)
  if (end < 0) return []
  const names: string[] = []
  let at = view.getUint32(end + 16, true)
  while (names.length < mostNames && at + 46 <= view.byteLength && view.getUint32(at, true) === entry) {
    const length = view.getUint16(at + 28, true)
    names.push(Buffer.from(bytes.subarray(at + 46, at + 46 + length)).toString('latin1'))
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return names
}

/** The last record, before a comment of at most 64 KiB. */
function endRecord(view: DataView): number {
  const first = Math.max(0, view.byteLength - 22 - 0xffff)
  for (let at = view.byteLength - 22; at >= first; at--) if (view.getUint32(at, true) === endOfList) return at
  return -1
}

/** Whether the bytes contain these characters, each of which is one byte. */
export function isPartOf(bytes: Uint8Array, characters: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(characters, 0, 'latin1')
}
