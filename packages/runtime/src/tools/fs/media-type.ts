// Detects the type of a binary file by its first bytes.

export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Each row: offset, bytes, type. The first match counts. */
const table: readonly (readonly [number, string, string])[] = [
  [0, '\x89PNG\r\n\x1a\n', 'image/png'],
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [8, 'WEBP', 'image/webp'],
  [0, 'BM', 'image/bmp'],
  [0, 'II*\0', 'image/tiff'],
  [0, 'MM\0*', 'image/tiff'],
  [0, '\0\0\x01\0', 'image/x-icon'],
  [4, 'ftypavif', 'image/avif'],
  [4, 'ftypheic', 'image/heic'],
  [4, 'ftypM4A', 'audio/mp4'],
  [4, 'ftypqt', 'video/quicktime'],
  [4, 'ftyp', 'video/mp4'],
  [0, '%PDF-', 'application/pdf'],
  [0, 'PK\x03\x04', 'application/zip'],
  [0, 'PK\x05\x06', 'application/zip'],
  [0, '\x1f\x8b\x08', 'application/gzip'],
  [0, 'BZh', 'application/x-bzip2'],
  [0, '\xfd7zXZ\0', 'application/x-xz'],
  [0, '\x28\xb5\x2f\xfd', 'application/zstd'],
  [0, "7z\xbc\xaf'\x1c", 'application/x-7z-compressed'],
  [0, 'Rar!\x1a\x07', 'application/vnd.rar'],
  [257, 'ustar', 'application/x-tar'],
  [0, '\x7fELF', 'application/x-elf'],
  [0, 'MZ', 'application/vnd.microsoft.portable-executable'],
  [0, '\xcf\xfa\xed\xfe', 'application/x-mach-binary'],
  [0, '\xca\xfe\xba\xbe', 'application/x-mach-binary'],
  [0, '\0asm', 'application/wasm'],
  [0, 'SQLite format 3\0', 'application/vnd.sqlite3'],
  [8, 'WAVE', 'audio/wav'],
  [8, 'AVI ', 'video/x-msvideo'],
  [0, 'OggS', 'audio/ogg'],
  [0, 'fLaC', 'audio/flac'],
  [0, 'ID3', 'audio/mpeg'],
  [0, '\x1aE\xdf\xa3', 'video/webm'],
  [0, 'wOFF', 'font/woff'],
  [0, 'wOF2', 'font/woff2'],
  [0, '\0\x01\0\0\0', 'font/ttf'],
  [0, 'OTTO', 'font/otf'],
  [0, '!<arch>\n', 'application/x-archive'],
]

/** Their short signatures also occur in text: they count only if a zero byte is near. */
const short = ['image/bmp', 'application/vnd.microsoft.portable-executable', 'application/x-bzip2', 'audio/mpeg']

export function mediaType(sample: Uint8Array): string | null {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, Math.min(sample.length, 512))
  const zero = bytes.includes(0)
  for (const [offset, magic, type] of table) {
    if (bytes.toString('latin1', offset, offset + magic.length) !== magic) continue
    if (short.includes(type) && !zero) continue
    if (['image/webp', 'audio/wav', 'video/x-msvideo'].includes(type) && bytes.toString('latin1', 0, 4) !== 'RIFF') continue
    return type
  }
  return null
}

/** Width and height, if the first bytes contain them. */
export function imageSize(sample: Uint8Array, type: string): ImageSize | null {
  const bytes = Buffer.from(sample.buffer, sample.byteOffset, sample.length)
  if (type === 'image/png' && bytes.length >= 24) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (type === 'image/gif' && bytes.length >= 10) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  if (type === 'image/bmp' && bytes.length >= 26) return { width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) }
  if (type === 'image/webp') return webpSize(bytes)
  return type === 'image/jpeg' ? jpegSize(bytes) : null
}

function webpSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 30) return null
  const kind = bytes.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return null
  const packed = bytes.readUInt32LE(21)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
}

/** Skips segments until the start of a frame. */
function jpegSize(bytes: Buffer): ImageSize | null {
  let at = 2
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (frame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}
