// Reads a body up to a limit, decoded. A small body may be huge once decoded, so the limit applies to the decoded bytes.
import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'
import { NetworkFailure } from '../../call/failure.ts'

export const acceptedCodings = 'gzip, deflate, br, zstd'

/** More layers than any legitimate server uses. */
const deepest = 2

const decoders: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  // Browsers accept a window of 8 MiB; a frame may request gigabytes.
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
  // Some servers omit the zlib wrapper.
  deflate: (first) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
}

export async function readBody(incoming: IncomingMessage, limit: number): Promise<{ body: Uint8Array; truncated: boolean }> {
  const codings = (incoming.headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > deepest || codings.some((coding) => !Object.hasOwn(decoders, coding))) {
    throw undecodable(codings.join(', '))
  }
  let stream: Readable = incoming
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => undefined)
  for (const coding of codings.toReversed()) stream = await decoded(stream, coding, broken.reject)
  return await Promise.race([collect(stream, limit), broken.promise])
}

async function decoded(source: Readable, coding: string, fail: (error: unknown) => void): Promise<Readable> {
  const first = await firstByte(source)
  if (first === null) return source
  const decoder = decoders[coding]?.(first)
  if (!decoder) throw undecodable(coding)
  source.once('error', fail)
  decoder.once('error', (error) => fail(undecodable(coding, error)))
  source.pipe(decoder)
  return decoder
}

async function firstByte(source: Readable): Promise<number | null> {
  while (true) {
    const chunk: Buffer | null = source.read()
    if (chunk !== null) {
      source.unshift(chunk)
      return chunk[0] ?? 0
    }
    if (source.readableEnded) return null
    const ended = await new Promise<boolean>((resolve, reject) => {
      source.once('readable', () => resolve(false))
      source.once('end', () => resolve(true))
      source.once('error', reject)
    })
    if (ended) return null
  }
}

async function collect(stream: Readable, limit: number): Promise<{ body: Uint8Array; truncated: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    const room = limit - size
    if (chunk.length > room) {
      chunks.push(chunk.subarray(0, room))
      return { body: Buffer.concat(chunks), truncated: true }
    }
    chunks.push(chunk)
    size += chunk.length
  }
  return { body: Buffer.concat(chunks), truncated: false }
}

function undecodable(coding: string, cause?: unknown): NetworkFailure {
  return new NetworkFailure('body_undecodable', `the body cannot be decoded as ${coding}`, {
    subject: coding,
    recoverability: 'terminal',
    cause,
  })
}
