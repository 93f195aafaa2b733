// Checks the arguments for every store. We create all keys; an invalid one is a bug and must not reach a path or URL.
import type { Blobs, ByteRange } from './blobs.ts'

const segment = '[0-9a-z][0-9a-z_-]{0,63}'
const keyPattern = new RegExp(`^${segment}/${segment}$`)
const prefixPattern = new RegExp(`^(${segment}/)?$`)
const segmentPattern = new RegExp(`^${segment}$`)
const mediaTypePattern = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(;[\x20-\x7e]*)?$/

export function isKey(text: string): boolean {
  return keyPattern.test(text)
}

export function isSegment(text: string): boolean {
  return segmentPattern.test(text)
}

export function validateBlobCalls(blobs: Blobs): Blobs {
  return {
    kind: blobs.kind,
    async put(key, source, options) {
      demand(isKey(key), 'key', key)
      demand(mediaTypePattern.test(options.mediaType), 'media type', options.mediaType)
      return blobs.put(key, source, options)
    },
    async get(key, range) {
      demand(isKey(key), 'key', key)
      if (range) demand(isRange(range), 'range', range)
      return blobs.get(key, range)
    },
    async delete(key) {
      demand(isKey(key), 'key', key)
      return blobs.delete(key)
    },
    list(prefix, after) {
      demand(prefixPattern.test(prefix), 'prefix', prefix)
      if (after !== undefined) demand(isKey(after), 'key', after)
      return blobs.list(prefix, after)
    },
    ping: () => blobs.ping(),
  }
}

function isRange({ start, end }: ByteRange): boolean {
  return Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start
}

function demand(holds: boolean, what: string, value: unknown): void {
  if (!holds) throw new TypeError(`not a ${what} for a blob: ${JSON.stringify(value)}`)
}
