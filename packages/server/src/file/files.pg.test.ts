import { createHash, randomBytes } from 'node:crypto'
import type { StoredFile } from '@tandem/contract/file'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../test/support/test-app.ts'
import { StorageUnavailable } from '../blobs/blobs.ts'
import { openInProcessCache } from '../cache/in-process.ts'
import { newId } from '../http/id.ts'
import { blobKey } from './blob-key.ts'
import { sweepOrphanBlobs } from './orphans.ts'
import { insertFile } from './store.ts'

let clock = Date.now()
let backend: TestApp
let mara: TestUser
let noor: TestUser

beforeAll(async () => {
  backend = await testApp({ now: () => clock })
  mara = await backend.user()
  noor = await backend.user()
})
afterAll(() => backend.close())

/** The state after an upload. */
async function put(user: TestUser, bytes: Uint8Array, changes: Partial<StoredFile> = {}): Promise<StoredFile> {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = {
    id: newId(clock),
    name: 'report.csv',
    size: bytes.length,
    media_type: 'text/csv',
    sha256,
    created_at: new Date(clock).toISOString(),
    ...changes,
  }
  await putBlob(user.user_id, file.id, bytes)
  await backend.services.database.asUser(user.user_id, (sql) => insertFile(sql, user.user_id, file))
  return file
}

async function putBlob(userId: string, fileId: string, bytes: Uint8Array): Promise<void> {
  async function* source() {
    yield bytes
  }
  await backend.services.blobs.put(blobKey(userId, fileId), source(), { maxBytes: 1e9, mediaType: 'application/octet-stream' })
}

function ask(user: TestUser, method: 'GET' | 'HEAD' | 'DELETE', path: string, headers: Record<string, string> = {}) {
  return backend.app.inject({ method, url: `/api/v1/files${path}`, headers: { ...user.headers, ...headers } })
}

const content = randomBytes(5_000)

test('a file is sent as an attachment with its declared type, never to be displayed', async () => {
  const file = await put(mara, content, { name: 'evil "\u202e.html', media_type: 'text/html' })
  const reply = await ask(mara, 'GET', `/${file.id}`, { 'accept-encoding': 'gzip, br' })
  expect([reply.statusCode, reply.rawPayload.equals(content)]).toEqual([200, true])
  expect(reply.headers).toMatchObject({
    'content-type': 'text/html',
    'content-length': '5000',
    'content-disposition': `attachment; filename="evil __.html"; filename*=UTF-8''evil%20%22_.html`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag: `"${file.sha256}"`,
  })
})

test('JSON is sent unchanged too: no compression, the length and ETag of the file', async () => {
  const bytes = Buffer.from(JSON.stringify(Array.from({ length: 2_000 }, () => 'the same')))
  const file = await put(mara, bytes, { media_type: 'application/json' })
  const reply = await ask(mara, 'GET', `/${file.id}`, { 'accept-encoding': 'gzip' })
  expect([reply.headers['content-encoding'], reply.headers['content-length'], reply.rawPayload.equals(bytes)]).toEqual([
    undefined,
    String(bytes.length),
    true,
  ])
})

test.each<[string, number, number]>([
  ['bytes=0-0', 0, 0],
  ['bytes=100-199', 100, 199],
  ['bytes=4999-', 4_999, 4_999],
  ['bytes=-10', 4_990, 4_999],
  ['bytes=0-999999', 0, 4_999],
])('%s returns that part', async (range, start, end) => {
  const file = await put(mara, content)
  const reply = await ask(mara, 'GET', `/${file.id}`, { range })
  expect([reply.statusCode, reply.headers['content-range'], reply.headers['content-length']]).toEqual([
    206,
    `bytes ${start}-${end}/5000`,
    String(end - start + 1),
  ])
  expect(reply.rawPayload.equals(content.subarray(start, end + 1))).toBe(true)
})

test('the parts together are the file', async () => {
  const file = await put(mara, content)
  const parts: Buffer[] = []
  for (let start = 0; start < content.length; start += 1_337) {
    parts.push((await ask(mara, 'GET', `/${file.id}`, { range: `bytes=${start}-${start + 1_336}` })).rawPayload)
  }
  expect(Buffer.concat(parts).equals(content)).toBe(true)
})

test('a range past the end is refused with the size', async () => {
  const file = await put(mara, content)
  const reply = await ask(mara, 'GET', `/${file.id}`, { range: 'bytes=5000-' })
  expect([reply.statusCode, reply.headers['content-range'], reply.json().code, reply.headers['content-disposition']]).toEqual([
    416,
    'bytes */5000',
    'range_not_satisfiable',
    undefined,
  ])
})

test('several ranges, or a range of other bytes, return the whole file', async () => {
  const file = await put(mara, content)
  const etag = `"${file.sha256}"`
  const status = async (headers: Record<string, string>) => (await ask(mara, 'GET', `/${file.id}`, headers)).statusCode
  expect([
    await status({ range: 'bytes=0-1,3-4' }),
    await status({ range: 'bytes=0-1', 'if-range': '"other"' }),
    await status({ range: 'bytes=0-1', 'if-range': etag }),
    await status({ range: 'nonsense' }),
  ]).toEqual([200, 200, 206, 200])
})

test('what the caller already has is not sent again', async () => {
  const file = await put(mara, content)
  const reply = await ask(mara, 'GET', `/${file.id}`, { 'if-none-match': `"x", "${file.sha256}"` })
  expect([reply.statusCode, reply.body, reply.headers.etag]).toEqual([304, '', `"${file.sha256}"`])
})

test('HEAD returns all headers without reading the file, and ignores ranges', async () => {
  const file = await put(mara, content)
  await backend.services.blobs.delete(blobKey(mara.user_id, file.id))
  for (const headers of [{}, { range: 'bytes=0-9' }]) {
    const reply = await ask(mara, 'HEAD', `/${file.id}`, headers)
    expect([reply.statusCode, reply.body, reply.headers['content-length'], reply.headers.etag, reply.headers['content-type']]).toEqual([
      200,
      '',
      '5000',
      `"${file.sha256}"`,
      'text/csv',
    ])
  }
  expect((await ask(mara, 'HEAD', `/${file.id}`, { 'if-none-match': '*' })).statusCode).toBe(304)
  expect((await ask(mara, 'GET', `/${file.id}`)).json()).toMatchObject({ status: 404, detail: `the content of file ${file.id} is missing` })
})

test('an empty file has no ranges but can be read', async () => {
  const file = await put(mara, Buffer.alloc(0))
  const replies = [
    await ask(mara, 'GET', `/${file.id}`),
    await ask(mara, 'GET', `/${file.id}`, { range: 'bytes=0-' }),
    await ask(mara, 'GET', `/${file.id}`, { range: 'bytes=-1' }),
  ]
  expect(replies.map((reply) => reply.statusCode)).toEqual([200, 416, 200])
})

test("another user's file is not found", async () => {
  const file = await put(mara, content)
  const replies = [await ask(noor, 'GET', `/${file.id}`), await ask(noor, 'HEAD', `/${file.id}`), await ask(noor, 'DELETE', `/${file.id}`)]
  expect(replies.map((reply) => reply.statusCode)).toEqual([404, 404, 404])
  expect((await ask(noor, 'GET', '')).json()).toEqual({ items: [], next_cursor: null })
  expect((await ask(mara, 'GET', `/${file.id}`)).statusCode).toBe(200)
})

test('delete removes the row and the bytes', async () => {
  const file = await put(mara, content)
  const reply = await ask(mara, 'DELETE', `/${file.id.toUpperCase()}`)
  expect([reply.statusCode, reply.body]).toEqual([204, ''])
  expect(await backend.services.blobs.get(blobKey(mara.user_id, file.id))).toBeUndefined()
  expect([(await ask(mara, 'GET', `/${file.id}`)).statusCode, (await ask(mara, 'DELETE', `/${file.id}`)).statusCode]).toEqual([404, 404])
})

test('the list is sorted newest first; q matches a part of the name in any case', async () => {
  const user = await backend.user()
  const files: StoredFile[] = []
  for (const name of ['100%.txt', 'a_b.csv', 'Ünï.csv']) {
    clock += 1
    files.push(await put(user, content, { name, media_type: name.endsWith('.csv') ? 'text/csv' : 'text/plain' }))
  }
  const list = async (query: Record<string, string>) => (await ask(user, 'GET', `?${new URLSearchParams(query)}`)).json().items
  expect(await list({})).toEqual(files.toReversed())
  const names = async (query: Record<string, string>) => (await list(query)).map(({ name }: StoredFile) => name)
  expect([await names({ q: '%' }), await names({ q: '_' }), await names({ q: 'üNÏ' }), await names({ media_type: 'Text/CSV' })]).toEqual([
    ['100%.txt'],
    ['a_b.csv'],
    ['Ünï.csv'],
    ['Ünï.csv', 'a_b.csv'],
  ])
  expect((await ask(user, 'GET', '?q=%00')).json().errors).toEqual([
    { pointer: '/query/q', message: 'must not contain the character U+0000' },
  ])
})

test('bytes without a row are deleted after an hour; those with one, and newer ones, are kept', async () => {
  const user = await backend.user()
  const other = await backend.user()
  const hour = 60 * 60 * 1_000
  const file = await put(user, content)
  const orphans = [newId(clock), newId(clock - hour)]
  for (const id of orphans) await putBlob(user.user_id, id, content)
  await putBlob(other.user_id, orphans[0] ?? '', content)
  const there = async () => {
    const keys: string[] = []
    for (const one of [user, other]) for await (const key of backend.services.blobs.list(`${one.user_id}/`)) keys.push(key)
    return keys.toSorted()
  }
  const keyOf = (one: TestUser, id: string | undefined) => blobKey(one.user_id, id ?? '')

  await sweepOrphanBlobs(backend.services)
  expect(await there()).toEqual([keyOf(user, file.id), keyOf(user, orphans[0]), keyOf(other, orphans[0])].toSorted())
  await sweepOrphanBlobs({ ...backend.services, now: () => clock + hour })
  expect(await there()).toEqual([keyOf(user, file.id)])
})

test('a sweep looks at a limited number of blobs, and the next one continues there', async () => {
  const before = clock - 2 * 60 * 60 * 1_000
  const users = [await backend.user(), await backend.user(), await backend.user()]
  for (const one of users) await putBlob(one.user_id, newId(before), content)
  const cache = openInProcessCache({ log: () => undefined })
  let listed = 0
  const { blobs } = backend.services
  const counting = {
    ...blobs,
    async *list(prefix: string, after?: string) {
      for await (const key of blobs.list(prefix, after)) {
        listed += 1
        yield key
      }
    },
  }
  const total = (await Array.fromAsync(blobs.list(''))).length
  const rounds: number[] = []
  while (rounds.length < 2 || (await cache.get('orphans-after')) !== undefined) {
    listed = 0
    await sweepOrphanBlobs({ ...backend.services, cache, blobs: counting }, undefined, 2)
    rounds.push(listed)
  }
  // One more is read to see whether there is one.
  expect(Math.max(...rounds)).toBeLessThanOrEqual(3)
  expect(rounds.length).toBeGreaterThanOrEqual(Math.floor(total / 2))
  for (const one of users) expect(await Array.fromAsync(blobs.list(`${one.user_id}/`))).toEqual([])
  await cache.close()
})

test('a blob that cannot be deleted does not stop the sweep', async () => {
  const [stuck, loose] = [newId(clock - 2 * 60 * 60 * 1_000), newId(clock - 2 * 60 * 60 * 1_000)]
  const [first, second] = [await backend.user(), await backend.user()]
  for (const one of [first, second]) for (const id of [stuck, loose]) await putBlob(one.user_id, id, content)
  const { blobs } = backend.services
  const removed: string[] = []
  const partly = {
    ...blobs,
    async delete(key: string) {
      if (key.endsWith(stuck)) throw new StorageUnavailable('a folder stands in its place')
      removed.push(key)
      await blobs.delete(key)
    },
  }
  await sweepOrphanBlobs({ ...backend.services, blobs: partly })
  expect(removed).toEqual(expect.arrayContaining([blobKey(first.user_id, loose), blobKey(second.user_id, loose)]))
})

test('an outage of the storage is reported, and a deletion that failed is completed by the sweep', async () => {
  const { blobs } = backend.services
  const down = () => Promise.reject(new StorageUnavailable('the disk is away'))
  const away = await testApp({ services: { blobs: { ...blobs, get: down, delete: down, put: down } } })
  try {
    const user = await away.user()
    const id = newId(clock)
    const file = { id, name: 'x', size: 3, media_type: 'text/plain', sha256: '0'.repeat(64), created_at: new Date(clock).toISOString() }
    await away.services.database.asUser(user.user_id, (sql) => insertFile(sql, user.user_id, file))
    const ask = (method: 'GET' | 'DELETE') => away.app.inject({ method, url: `/api/v1/files/${id}`, headers: user.headers })
    const read = await ask('GET')
    expect([read.statusCode, read.json().code, read.headers['retry-after']]).toEqual([503, 'storage_unavailable', '2'])
    expect((await ask('DELETE')).statusCode).toBe(204)
    expect((await ask('GET')).statusCode).toBe(404)
  } finally {
    await away.close()
  }
})
