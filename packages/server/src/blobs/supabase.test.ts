// Failures that only Supabase Storage can have, and responses of the hosted service that the test server does not send.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestSupabase, type TestSupabase } from '../../test/support/test-supabase.ts'
import { BlobTooLarge, StorageUnavailable } from './failure.ts'
import { openSupabase } from './supabase.ts'

const options = { maxBytes: 1e9, mediaType: 'text/plain' }

test('creates its bucket once, private', async () => {
  const supabase = await lite()
  await openSupabase(supabase.target)
  await openSupabase(supabase.target)
  const { url, key, bucket } = supabase.target
  const made = await (await fetch(`${url}/storage/v1/bucket/${bucket}`, { headers: { apikey: key } })).json()
  expect(made).toMatchObject({ id: bucket, public: false })
  expect(supabase.requests.filter((request) => request === 'POST /storage/v1/bucket')).toHaveLength(1)
})

test('a wrong key fails the opening and is not revealed', async () => {
  const { target } = await lite()
  const opening = openSupabase({ ...target, key: 'sb_secret_wrong_key_value' })
  await expect(opening).rejects.toThrow(StorageUnavailable)
  await expect(opening).rejects.not.toThrow(/wrong_key_value/)
})

test('an unreachable server is StorageUnavailable', async () => {
  const opening = openSupabase({ kind: 'supabase', url: 'http://127.0.0.1:1', key: 'k', bucket: 'b' })
  await expect(opening).rejects.toThrow(StorageUnavailable)
})

test('a missing bucket is an error, not a missing blob', async () => {
  const { target } = await lite()
  const blobs = await openSupabase(target)
  const authorized = { headers: { apikey: target.key } }
  await fetch(`${target.url}/storage/v1/bucket/${target.bucket}`, { ...authorized, method: 'DELETE' })
  await expect(blobs.get('u1/f1')).rejects.toThrow(StorageUnavailable)
  await expect(blobs.ping()).rejects.toThrow(StorageUnavailable)
})

test('a legacy service key, which is a JWT, is sent in both headers; a new one only in apikey', async () => {
  const seen: unknown[] = []
  const url = await hosted((request) => {
    seen.push([request.headers.apikey, request.headers.authorization])
    return [200, {}]
  })
  await openSupabase({ kind: 'supabase', url, key: 'header.payload.signature', bucket: 'b' })
  await openSupabase({ kind: 'supabase', url, key: 'sb_secret_x', bucket: 'b' })
  expect(seen).toEqual([
    ['header.payload.signature', 'Bearer header.payload.signature'],
    ['sb_secret_x', undefined],
  ])
})

test('the hosted service lists folder by folder, with names relative to the folder', async () => {
  const tree: Record<string, unknown[]> = {
    '': [
      { name: 'u1', id: null },
      { name: 'u2', id: null },
      { name: '.emptyFolderPlaceholder', id: 'x' },
    ],
    u1: [
      { name: 'f1', id: '1' },
      { name: 'f2', id: '2' },
    ],
    u2: Array.from({ length: 1500 }, (_, n) => ({ name: `f${n}`, id: String(n) })),
  }
  const url = await hosted((_request, body) => {
    if (!body) return [200, {}]
    const { prefix, limit, offset } = JSON.parse(body)
    return [200, tree[prefix]?.slice(offset, offset + limit)]
  })
  const blobs = await openSupabase({ kind: 'supabase', url, key: 'k', bucket: 'b' })
  const keys: string[] = []
  for await (const key of blobs.list('')) keys.push(key)
  expect([keys.length, keys.slice(0, 3), keys.at(-1)]).toEqual([1502, ['u1/f1', 'u1/f2', 'u2/f0'], 'u2/f1499'])
})

test('a listing that continues near the end reads few of the folders before it', async () => {
  const folders = Array.from({ length: 20_000 }, (_, n) => ({ name: `u${String(n).padStart(6, '0')}`, id: null }))
  const asked: number[] = []
  const url = await hosted((_request, body) => {
    if (!body) return [200, {}]
    const { prefix, limit, offset } = JSON.parse(body)
    if (prefix !== '') return [200, offset === 0 ? [{ name: 'f1', id: '1' }] : []]
    asked.push(limit)
    return [200, folders.slice(offset, offset + limit)]
  })
  const blobs = await openSupabase({ kind: 'supabase', url, key: 'k', bucket: 'b' })
  const keys = await Array.fromAsync(blobs.list('', 'u019990/f0'))
  expect([keys.length, keys[0], keys.at(-1)]).toEqual([10, 'u019990/f1', 'u019999/f1'])
  expect([asked.length < 20, asked.reduce((sum, limit) => sum + limit, 0) < 3_000]).toEqual([true, true])
})

test.each([
  [400, { statusCode: '404', error: 'not_found', message: 'Object not found' }],
  [404, { statusCode: '404', code: 'NoSuchKey', error: 'NoSuchKey', message: 'Object not found' }],
])('both responses for a missing object (%d)', async (status, answer) => {
  const url = await hosted((request) => (request.url?.includes('/object/') ? [status, answer] : [200, {}]))
  const blobs = await openSupabase({ kind: 'supabase', url, key: 'k', bucket: 'b' })
  expect(await blobs.get('u1/f1')).toBeUndefined()
})

test.each([
  [400, { statusCode: '403', error: 'Unauthorized', message: 'new row violates row-level security policy' }],
  [502, 'Bad gateway'],
])('a refusal is StorageUnavailable with its reason (%d)', async (status, answer) => {
  const url = await hosted((request) => (request.url?.includes('/object/') ? [status, answer] : [200, {}]))
  const blobs = await openSupabase({ kind: 'supabase', url, key: 'k', bucket: 'b' })
  const reason = typeof answer === 'string' ? answer : answer.message
  await expect(blobs.put('u1/f1', one(), options)).rejects.toThrow(reason)
  await expect(blobs.get('u1/f1')).rejects.toThrow(StorageUnavailable)
  await expect(blobs.delete('u1/f1')).rejects.toThrow(StorageUnavailable)
})

test.each([
  [400, { statusCode: '413', error: 'Payload too large', message: 'The object exceeded the maximum allowed size' }],
  [413, 'Request Entity Too Large'],
])('an object larger than the project accepts is too large, not an outage (%d)', async (status, answer) => {
  const url = await hosted((request) => (request.url?.includes('/object/') ? [status, answer] : [200, {}]))
  const blobs = await openSupabase({ kind: 'supabase', url, key: 'k', bucket: 'b' })
  await expect(blobs.put('u1/f1', one(), options)).rejects.toEqual(new BlobTooLarge())
})

test.each([
  ['honoured', 206],
  ['ignored', 200],
] as const)('a part of a file is the same with ranges %s', async (ranges, status) => {
  const { target } = await lite({ ranges })
  const blobs = await openSupabase(target)
  const content = randomBytes(300_000)
  await blobs.put('u1/long', onePiece(content), { maxBytes: 1e9, mediaType: 'text/plain' })
  const headers = { apikey: target.key, range: 'bytes=100000-200000' }
  const asked = await fetch(`${target.url}/storage/v1/object/${target.bucket}/u1/long`, { headers })
  expect([asked.status, (await asked.arrayBuffer()).byteLength]).toEqual([status, status === 206 ? 100_001 : 300_000])
  for (const [start, end] of [
    [0, 0],
    [100_000, 200_000],
    [299_999, 400_000],
    [300_000, 300_001],
  ] as const) {
    const body = await blobs.get('u1/long', { start, end })
    const chunks = body ? await Array.fromAsync(body) : expect.fail('nothing there')
    expect([start, Buffer.concat(chunks).equals(content.subarray(start, end + 1))]).toEqual([start, true])
  }
})

async function* onePiece(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

async function* one(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('x')
}

async function lite(options: Parameters<typeof startTestSupabase>[1] = {}): Promise<TestSupabase> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-supabase-'))
  const supabase = await startTestSupabase(folder, options)
  onTestFinished(async () => {
    await supabase.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return supabase
}

type StorageAnswer = [status: number, body: unknown]

async function hosted(reply: (request: IncomingMessage, body: string) => StorageAnswer): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const [status, answer] = reply(request, body)
    response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
