// Tests that apply to all three stores.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3Process } from '../../test/support/s3-process.ts'
import { startTestSupabase } from '../../test/support/test-supabase.ts'
import { type Blobs, BlobTooLarge, openBlobs, StorageUnavailable } from './blobs.ts'

const KiB = 1024
const MiB = 1024 * KiB
const text = { maxBytes: 100 * MiB, mediaType: 'text/plain; charset=utf-8' }

const stores = {
  folder: async (folder: string) => ({ target: { kind: 'folder' as const, folder }, stop: async () => undefined }),
  s3: startS3Process,
  supabase: startTestSupabase,
}

describe.each(['folder', 's3', 'supabase'] as const)('%s', (kind) => {
  let home: string
  let blobs: Blobs
  let stop: () => Promise<unknown>
  const lines: string[] = []
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), `tandem-blobs-${kind}-`))
    const store = await stores[kind](home)
    stop = store.stop
    blobs = await openBlobs(store.target, (line) => lines.push(line))
  })
  afterAll(async () => {
    await stop()
    await rm(home, { recursive: true, force: true })
    expect(lines).toEqual([])
  })

  test('reports its kind and answers a ping', async () => {
    expect(blobs.kind).toBe(kind)
    await blobs.ping()
  })

  test('a missing blob is undefined, and deleting it succeeds', async () => {
    expect(await blobs.get('nobody/nothing')).toBeUndefined()
    await blobs.delete('nobody/nothing')
    expect(await keys(blobs, 'nobody/')).toEqual([])
  })

  // Sizes around a part (8 MiB) and far from it; chunks of all sizes.
  test.each([0, 1, 64 * KiB, 8 * MiB - 1, 8 * MiB, 8 * MiB + 1, 20 * MiB + 7])('stores and returns %d bytes unchanged', async (size) => {
    const content = randomBytes(size)
    expect(await blobs.put('u1/round-trip', chunked(content, 100_003), text)).toEqual({ size, sha256: sha256(content) })
    expect(sha256(await bytes(blobs, 'u1/round-trip'))).toBe(sha256(content))
  })

  test('the same bytes in any chunks are the same blob', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), async (pieces) => {
        const whole = Buffer.concat(pieces)
        expect(await blobs.put('u1/pieces', from(pieces), text)).toEqual({ size: whole.length, sha256: sha256(whole) })
        expect(await bytes(blobs, 'u1/pieces')).toEqual(whole)
      }),
      { numRuns: 20 },
    )
  })

  test('replaces the whole blob, also with a smaller one', async () => {
    await blobs.put('u1/again', from([Buffer.from('the first and longer one')]), text)
    await blobs.put('u1/again', from([Buffer.from('second')]), text)
    expect((await bytes(blobs, 'u1/again')).toString()).toBe('second')
  })

  test('ranges are inclusive, cut at the end, and empty past it', async () => {
    await blobs.put('u1/range', from([Buffer.from('0123456789')]), text)
    const cut = async (start: number, end: number): Promise<string> => (await bytes(blobs, 'u1/range', { start, end })).toString()
    expect(
      await Promise.all([
        cut(0, 0),
        cut(0, 9),
        cut(3, 5),
        cut(9, 9),
        cut(7, 1000),
        cut(0, Number.MAX_SAFE_INTEGER),
        cut(10, 20),
        cut(500, 501),
      ]),
    ).toEqual(['0', '0123456789', '345', '9', '789', '0123456789', '', ''])
    await blobs.put('u1/empty', from([]), text)
    expect([await bytes(blobs, 'u1/empty'), await bytes(blobs, 'u1/empty', { start: 0, end: 5 })]).toEqual([
      Buffer.alloc(0),
      Buffer.alloc(0),
    ])
    expect(await blobs.get('u1/none', { start: 0, end: 1 })).toBeUndefined()
    for (const range of [
      { start: -1, end: 3 },
      { start: 3, end: 2 },
      { start: 0.5, end: 2 },
      { start: 0, end: Number.NaN },
    ]) {
      await expect(blobs.get('u1/range', range)).rejects.toThrow(TypeError)
    }
  })

  test('stores exactly the limit, and refuses one byte more without storing anything', async () => {
    expect(await blobs.put('u2/fits', chunked(Buffer.alloc(9 * MiB), 70_001), { ...text, maxBytes: 9 * MiB })).toMatchObject({
      size: 9 * MiB,
    })
    let pulled = 0
    let released = false
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          pulled += MiB
          yield Buffer.alloc(MiB)
        }
      } finally {
        released = true
      }
    }
    await expect(blobs.put('u2/too-large', endless(), { ...text, maxBytes: 9 * MiB })).rejects.toThrow(BlobTooLarge)
    await expect(blobs.put('u2/too-large-at-once', from([Buffer.alloc(11)]), { ...text, maxBytes: 10 })).rejects.toThrow(BlobTooLarge)
    expect([pulled, released]).toEqual([10 * MiB, true])
    expect([await keys(blobs, 'u2/'), await blobs.get('u2/too-large')]).toEqual([['u2/fits'], undefined])
  })

  test.each([0, 3, 19])('a source that fails after %d MiB leaves nothing, and its own error is thrown', async (megabytes) => {
    const broken = new Error('the sender went away')
    const source = async function* (): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < megabytes; n++) yield Buffer.alloc(MiB)
      throw broken
    }
    await expect(blobs.put('u3/broken', source(), text)).rejects.toBe(broken)
    expect([await keys(blobs, 'u3/'), await blobs.get('u3/broken')]).toEqual([[], undefined])
  })

  test('a failed overwrite keeps the old blob', async () => {
    await blobs.put('u4/kept', from([Buffer.from('old')]), text)
    const source = async function* (): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 12; n++) yield Buffer.alloc(MiB)
      throw new Error('half way')
    }
    await expect(blobs.put('u4/kept', source(), text)).rejects.toThrow('half way')
    expect((await bytes(blobs, 'u4/kept')).toString()).toBe('old')
  })

  test('a blob is not visible before it is complete', async () => {
    const seen: unknown[] = []
    const source = async function* (): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 10; n++) {
        yield Buffer.alloc(MiB)
        if (n % 3 === 0) seen.push(await blobs.get('u5/growing'), await keys(blobs, 'u5/'))
      }
    }
    await blobs.put('u5/growing', source(), text)
    expect(seen).toEqual([undefined, [], undefined, [], undefined, [], undefined, []])
    expect(await keys(blobs, 'u5/')).toEqual(['u5/growing'])
  })

  test('lists all blobs, or those of one user', async () => {
    for (const key of ['list-a/1', 'list-a/2', 'list-ab/3', 'list-b/4']) await blobs.put(key, from([Buffer.from(key)]), text)
    expect(await keys(blobs, 'list-a/')).toEqual(['list-a/1', 'list-a/2'])
    expect((await keys(blobs, '')).filter((key) => key.startsWith('list-'))).toEqual(['list-a/1', 'list-a/2', 'list-ab/3', 'list-b/4'])
  })

  test('lists what comes after a key', async () => {
    for (const key of ['after-a/1', 'after-a/2', 'after-b/3', 'after-b/4']) await blobs.put(key, from([Buffer.from(key)]), text)
    const listed = async (after: string) => (await Array.fromAsync(blobs.list('', after))).filter((key) => key.startsWith('after-'))
    expect([await listed('after-a/1'), await listed('after-a/9'), await listed('after-b/4')]).toEqual([
      ['after-a/2', 'after-b/3', 'after-b/4'],
      ['after-b/3', 'after-b/4'],
      [],
    ])
  })

  test('deleting while listing reaches every blob', async () => {
    for (let n = 0; n < 15; n++) await blobs.put(`gc/${n}`, from([Buffer.from('x')]), text)
    for await (const key of blobs.list('gc/')) await blobs.delete(key)
    expect(await keys(blobs, 'gc/')).toEqual([])
  })

  test('hostile keys, prefixes and media types are never sent to the store', async () => {
    const hostile = [
      '',
      '/',
      'u1',
      'u1/',
      '/f1',
      '../f1',
      'u1/..',
      'u1/../u2',
      '../../etc/passwd',
      'u1/f1/f2',
      'u1//f1',
      'u1/f 1',
      'u1/f?x=1',
      'u1/f#1',
    ]
    const stranger = [
      'u1/%2e%2e',
      'u1\\f1',
      'u1/f1\n',
      'u1/f\u0000',
      'U1/F1',
      'u1/.incoming',
      '.incoming/x',
      'ü/f',
      `u1/${'f'.repeat(65)}`,
      '-u/f',
    ]
    for (const key of [...hostile, ...stranger]) {
      await expect(blobs.get(key), key).rejects.toThrow(TypeError)
      await expect(blobs.delete(key), key).rejects.toThrow(TypeError)
      await expect(blobs.put(key, from([]), text), key).rejects.toThrow(TypeError)
    }
    for (const prefix of ['u1', '../', 'u1/f', '/', 'u1/../', '.incoming/']) expect(() => blobs.list(prefix), prefix).toThrow(TypeError)
    for (const mediaType of ['', 'text', 'text/plain\r\nx-evil: 1']) {
      await expect(blobs.put('u1/f1', from([]), { ...text, mediaType })).rejects.toThrow(TypeError)
    }
  })

  test('100 MiB are written and read in bounded memory', async () => {
    const chunk = randomBytes(256 * KiB)
    const memory = watchMemory()
    const source = async function* (): AsyncGenerator<Uint8Array> {
      for (let sent = 0; sent < 100 * MiB; sent += chunk.length) {
        memory.passed(chunk.length)
        yield Buffer.from(chunk)
      }
    }
    expect(await blobs.put('u6/large', source(), text)).toMatchObject({ size: 100 * MiB })
    let read = 0
    for await (const piece of (await blobs.get('u6/large')) ?? []) {
      memory.passed(piece.byteLength)
      read += piece.byteLength
    }
    expect(read).toBe(100 * MiB)
    expect(memory.liveMiB).toBeLessThan(64) // the whole blob would be 100
    expect(memory.rssMiB).toBeLessThan(128)
    await blobs.delete('u6/large')
  })

  test('a reader that stops early blocks nothing', async () => {
    await blobs.put('u7/long', chunked(randomBytes(5 * MiB), 64 * KiB), text)
    for (let n = 0; n < 20; n++) {
      for await (const piece of (await blobs.get('u7/long')) ?? []) {
        expect(piece.byteLength).toBeGreaterThan(0)
        break
      }
    }
    expect(await bytes(blobs, 'u7/long', { start: 5 * MiB - 2, end: 5 * MiB })).toHaveLength(2)
  })

  test('concurrent blobs do not mix', async () => {
    const contents = Array.from({ length: 12 }, (_, n) => Buffer.alloc(300_000, n))
    await Promise.all(contents.map((content, n) => blobs.put(`u8/${n}`, chunked(content, 10_007), text)))
    const back = await Promise.all(contents.map((_, n) => bytes(blobs, `u8/${n}`)))
    expect(back.map(sha256)).toEqual(contents.map(sha256))
  })
})

test('opening times out if the store accepts the connection and never responds', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const url = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`
  const s3 = { kind: 's3', endpoint: url, region: 'us-east-1', bucket: 'b', prefix: '', access_key: 'id', secret_key: 'secret' } as const
  await Promise.all(
    [s3, { kind: 'supabase', url, key: 'k', bucket: 'b' } as const].map((target) =>
      expect(openBlobs(target, () => undefined, 300)).rejects.toThrow(StorageUnavailable),
    ),
  )
  silent.close()
})

async function* from(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}

async function* chunked(content: Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += bytes) yield content.subarray(at, at + bytes)
}

async function bytes(blobs: Blobs, key: string, range?: { start: number; end: number }): Promise<Buffer> {
  const body = await blobs.get(key, range)
  if (!body) throw new Error(`${key} is missing`)
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function keys(blobs: Blobs, prefix: string): Promise<string[]> {
  const found: string[] = []
  for await (const key of blobs.list(prefix)) found.push(key)
  return found.sort()
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The maximum live memory, measured every 25 MiB after a garbage collection, and the maximum allocated from the system. */
function watchMemory() {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  // Buffers are freed after a collection, by a thread that a busy machine may delay; a second collection waits for it.
  const held = (): number => {
    collect()
    collect()
    return process.memoryUsage().arrayBuffers
  }
  const before = { held: held(), rss: process.memoryUsage.rss() }
  let since = 0
  const watch = {
    liveMiB: 0,
    rssMiB: 0,
    passed(bytes: number): void {
      since += bytes
      if (since < 25 * MiB) return
      since = 0
      watch.rssMiB = Math.max(watch.rssMiB, (process.memoryUsage.rss() - before.rss) / MiB)
      watch.liveMiB = Math.max(watch.liveMiB, (held() - before.held) / MiB)
    },
  }
  return watch
}
