// The bytes of a response in transit: delivered once there is a listener, and paused on request. Like a stream, without its overhead.
import { type Duplex, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

export interface ByteFlow {
  /** May be called once. Data that already arrived is delivered before this returns; nothing is delivered after `end` or `cut`. */
  listen(listener: FlowListener): void
  pause(): void
  resume(): void
  readonly paused: boolean
  /** The rest is not needed. */
  destroy(): void
  /** Takes all of it if everything has arrived, nobody listened, and it has at most `most` bytes. Absent if that is never known. */
  whole?(most: number): Buffer | undefined
}

export interface FlowListener {
  data(bytes: Buffer): void
  /** Everything has arrived. */
  end(): void
  /** The connection broke. */
  cut(error: Error): void
}

/** Pieces that are produced on demand. */
export function flowOf(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): ByteFlow {
  return readableFlow(Readable.from(pieces))
}

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** The same bytes, decompressed; undefined for an unknown encoding. A proxy may compress regardless of the request. */
export function decoded(flow: ByteFlow, encoding: string): ByteFlow | undefined {
  const decoder = decoders[encoding.trim().toLowerCase()]?.()
  if (!decoder) return undefined
  const plain = readableFlow(decoder)
  decoder.on('drain', () => flow.resume())
  return {
    listen(listener) {
      plain.listen(listener)
      flow.listen({
        data(bytes) {
          if (!decoder.write(bytes)) flow.pause()
        },
        end: () => void decoder.end(),
        cut: (error) => void decoder.destroy(error),
      })
    },
    pause: plain.pause,
    resume: plain.resume,
    get paused() {
      return plain.paused
    },
    destroy() {
      flow.destroy()
      decoder.destroy()
    },
  }
}

function readableFlow(source: Readable): ByteFlow {
  return {
    listen(listener) {
      let over = false
      const once = (tell: () => void) => {
        if (!over) tell()
        over = true
      }
      source.on('error', (error) => once(() => listener.cut(error)))
      source.on('close', () => once(() => listener.cut(new Error('the connection was closed'))))
      source.on('end', () => once(() => listener.end()))
      source.on('data', (piece: Uint8Array) => listener.data(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)))
    },
    pause: () => void source.pause(),
    resume: () => void source.resume(),
    get paused() {
      return source.isPaused()
    },
    destroy: () => void source.destroy(),
  }
}

/** All of it as text, up to `max` bytes; more is an error. */
export function wholeText(flow: ByteFlow, max: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    flow.listen({
      data(bytes) {
        size += bytes.length
        if (size <= max) {
          pieces.push(bytes)
          return
        }
        flow.destroy()
        reject(new Error(`an answer of more than ${max} bytes`))
      },
      end: () => resolve(Buffer.concat(pieces).toString('utf8')),
      cut: reject,
    })
  })
}
