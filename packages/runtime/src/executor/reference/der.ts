// The few DER encodings that a certificate needs.

export function sequence(...parts: readonly Buffer[]): Buffer {
  return encoded(0x30, ...parts)
}

export function set(...parts: readonly Buffer[]): Buffer {
  return encoded(0x31, ...parts)
}

/** Of the bytes of a positive number. */
export function integer(bytes: Buffer): Buffer {
  return encoded(0x02, ((bytes[0] ?? 0) & 0x80) === 0 ? bytes : Buffer.concat([Buffer.of(0), bytes]))
}

export function bitString(bytes: Buffer): Buffer {
  return encoded(0x03, Buffer.of(0), bytes)
}

export function octetString(bytes: Buffer): Buffer {
  return encoded(0x04, bytes)
}

export function utf8String(text: string): Buffer {
  return encoded(0x0c, Buffer.from(text))
}

export function boolean(value: boolean): Buffer {
  return encoded(0x01, Buffer.of(value ? 0xff : 0))
}

/** Four digits for the year: `UTCTime` ends in 2049. */
export function generalizedTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)
  return encoded(0x18, Buffer.from(`${digits}Z`))
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return encoded(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** A field of a choice, numbered in the definition. */
export function explicit(number: number, ...parts: readonly Buffer[]): Buffer {
  return encoded(0xa0 + number, ...parts)
}

export function implicit(number: number, bytes: Buffer): Buffer {
  return encoded(0x80 + number, bytes)
}

function base128(value: number): number[] {
  const groups = [value & 0x7f]
  for (let left = value >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80)
  return groups
}

function encoded(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const bytes: number[] = []
  for (let left = length; left > 0; left >>>= 8) bytes.unshift(left & 0xff)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}
