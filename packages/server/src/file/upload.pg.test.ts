// Uploads over a real socket: what is stored, what is refused, and that a refusal leaves nothing behind.
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import type { StoredFile } from '@tandem/contract/file'
import type { Problem } from '@tandem/contract/problem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../test/support/test-app.ts'
import { BlobTooLarge } from '../blobs/blobs.ts'

const maxBytes = 200_000
let backend: TestApp
let address: string

beforeAll(async () => {
  backend = await testApp({ config: { max_upload_bytes: maxBytes } })
  address = await backend.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => backend.close())

test('a file that the storage refuses as too large gets 413, not an outage', async () => {
  const refusing = await testApp({ services: { blobs: { ...backend.services.blobs, put: () => Promise.reject(new BlobTooLarge()) } } })
  const reply = await refusing.app.inject({
    method: 'POST',
    url: '/api/v1/files/upload',
    headers: { ...(await refusing.user()).headers, 'content-type': `multipart/form-data; boundary=${border}` },
    payload: encode([{ name: 'file', content: 'x', filename: 'x.txt' }]),
  })
  expect([reply.statusCode, reply.json<Problem>()]).toEqual([
    413,
    expect.objectContaining({ code: 'payload_too_large', detail: 'the file is larger than the file storage of this service accepts' }),
  ])
  await refusing.close()
})

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

interface Part {
  readonly name: string
  readonly content: Uint8Array | string
  readonly filename?: string
  readonly type?: string
}

const border = 'border-of-the-parts'

/** Written by hand, so that no library corrects malformed input. */
function encode(parts: readonly Part[], end = `--${border}--\r\n`): Buffer {
  const pieces = parts.flatMap(({ name, content, filename, type }) => {
    const disposition = `form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`
    return [
      `--${border}\r\nContent-Disposition: ${disposition}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
      content,
      '\r\n',
    ]
  })
  return Buffer.concat([...pieces, end].map((piece) => Buffer.from(piece)))
}

interface UploadAnswer {
  readonly status: number
  readonly body: StoredFile & Problem
}

async function send(user: TestUser, body: Buffer, headers: Record<string, string> = {}): Promise<UploadAnswer> {
  const type = `multipart/form-data; boundary=${border}`
  const reply = await fetch(`${address}/api/v1/files/upload`, {
    method: 'POST',
    headers: { ...user.headers, 'content-type': type, ...headers },
    body: new Uint8Array(body),
  })
  return { status: reply.status, body: (await reply.json()) as UploadAnswer['body'] }
}

const upload = (user: TestUser, content: Uint8Array | string, parts: Part[] = [], headers: Record<string, string> = {}) =>
  send(user, encode([...parts, { name: 'file', content, filename: 'report.csv', type: 'text/csv' }]), headers)

/** Everything in the storage of a user, and the incomplete files of all users. */
async function kept(user: TestUser): Promise<{ blobs: number; rows: number; temporary: number }> {
  const { blobs, config, database } = backend.services
  let count = 0
  for await (const _ of blobs.list(`${user.user_id}/`)) count += 1
  const rows = await database.asUser(user.user_id, (sql) => sql`select 1 from tandem.files where user_id = ${user.user_id}`)
  const temporary = await readdir(join(config.data_dir, 'files', '.incoming'))
  return { blobs: count, rows: rows.length, temporary: temporary.length }
}

const nothing = { blobs: 0, rows: 0, temporary: 0 }

test('bytes, name, type and checksum are returned as they were sent', async () => {
  const user = await backend.user()
  const content = randomBytes(100_000)
  const { status, body } = await upload(user, content, [
    { name: 'name', content: 'Größe.csv' },
    { name: 'sha256', content: sha256(content) },
  ])
  const expected = {
    id: body.id,
    name: 'Größe.csv',
    size: 100_000,
    media_type: 'text/csv',
    sha256: sha256(content),
    created_at: body.created_at,
  }
  expect([status, body]).toEqual([201, expected])
  const read = await fetch(`${address}/api/v1/files/${body.id}`, { headers: user.headers })
  expect(Buffer.from(await read.arrayBuffer()).equals(content)).toBe(true)
  expect(await kept(user)).toEqual({ blobs: 1, rows: 1, temporary: 0 })
})

test('the file part is enough; fields may also follow it', async () => {
  const user = await backend.user()
  expect((await upload(user, 'a,b')).body).toMatchObject({ name: 'report.csv', size: 3, media_type: 'text/csv' })
  const unnamed = await send(
    user,
    encode([
      { name: 'file', content: 'x' },
      { name: 'name', content: 'after' },
    ]),
  )
  expect([unnamed.status, unnamed.body.name]).toEqual([201, 'after'])
  expect((await send(user, encode([{ name: 'file', content: 'x' }]))).body).toMatchObject({ name: 'file', media_type: 'text/plain' })
})

test('an empty file is a file', async () => {
  const user = await backend.user()
  const { status, body } = await upload(user, '')
  expect([status, body.size, body.sha256]).toEqual([201, 0, sha256(Buffer.alloc(0))])
  const read = await fetch(`${address}/api/v1/files/${body.id}`, { headers: user.headers })
  expect([read.status, read.headers.get('content-length'), await read.text()]).toEqual([200, '0', ''])
})

test('a file of the maximum size is stored; one byte more leaves nothing', async () => {
  const user = await backend.user()
  const content = randomBytes(maxBytes + 1)
  const refused = await upload(user, content)
  expect([refused.status, refused.body]).toEqual([
    413,
    expect.objectContaining({ code: 'payload_too_large', limits: [{ name: 'upload_bytes', limit: maxBytes }] }),
  ])
  expect(await kept(user)).toEqual(nothing)
  const exact = await upload(user, content.subarray(1))
  expect([exact.status, exact.body.size]).toEqual([201, maxBytes])
})

test('a far too large file is refused before it is sent', async () => {
  const user = await backend.user()
  const refused = await upload(user, Buffer.alloc(maxBytes + 100_000))
  expect(refused.body.limits).toEqual([{ name: 'upload_bytes', limit: maxBytes, actual: expect.any(Number) }])
  expect(await kept(user)).toEqual(nothing)
})

test('bytes that do not match the checksum leave nothing', async () => {
  const user = await backend.user()
  const wrong = '0'.repeat(64)
  const before = await upload(user, 'abc', [{ name: 'sha256', content: wrong }])
  const after = await send(
    user,
    encode([
      { name: 'file', content: 'abc', filename: 'x' },
      { name: 'sha256', content: wrong },
    ]),
  )
  expect([before, after].map(({ status, body }) => [status, body.code])).toEqual([
    [422, 'checksum_mismatch'],
    [422, 'checksum_mismatch'],
  ])
  expect(await kept(user)).toEqual(nothing)
})

test.each<[string, Part[], string]>([
  ['no file', [{ name: 'name', content: 'x' }], '/file'],
  [
    'an unknown field',
    [
      { name: 'path', content: '/etc' },
      { name: 'file', content: 'x' },
    ],
    '/path',
  ],
  [
    'an unknown field after the file',
    [
      { name: 'file', content: 'x' },
      { name: 'path', content: '/etc' },
    ],
    '/path',
  ],
  [
    'a duplicate field',
    [
      { name: 'name', content: 'a' },
      { name: 'name', content: 'b' },
      { name: 'file', content: 'x' },
    ],
    '/name',
  ],
  [
    'an overlong field',
    [
      { name: 'name', content: 'a'.repeat(5_000) },
      { name: 'file', content: 'x' },
    ],
    '/name',
  ],
  [
    'a path as name',
    [
      { name: 'name', content: '../../etc/passwd' },
      { name: 'file', content: 'x' },
    ],
    '/name',
  ],
  [
    'a path with backslashes',
    [
      { name: 'name', content: '..\\x' },
      { name: 'file', content: 'x' },
    ],
    '/name',
  ],
  [
    'a name with U+0000',
    [
      { name: 'name', content: 'a\0b' },
      { name: 'file', content: 'x' },
    ],
    '/name',
  ],
  [
    'a name with a line break',
    [
      { name: 'name', content: 'a\r\nSet-Cookie: x' },
      { name: 'file', content: 'x' },
    ],
    '/name',
  ],
  [
    'a name that is empty',
    [
      { name: 'name', content: '' },
      { name: 'file', content: 'x' },
    ],
    '/name',
  ],
  [
    'a name that is too long',
    [
      { name: 'name', content: 'a'.repeat(256) },
      { name: 'file', content: 'x' },
    ],
    '/name',
  ],
  [
    'an invalid checksum',
    [
      { name: 'sha256', content: 'abc' },
      { name: 'file', content: 'x' },
    ],
    '/sha256',
  ],
  [
    'JSON as a field',
    [
      { name: 'name', content: '{"a":1}', type: 'application/json' },
      { name: 'file', content: 'x' },
    ],
    '/name',
  ],
  ['a filename that is too long', [{ name: 'file', content: 'x', filename: 'a'.repeat(300) }], '/file'],
])('%s is refused with its pointer, and nothing is stored', async (_what, parts, pointer) => {
  const user = await backend.user()
  const { status, body } = await send(user, encode(parts))
  expect([status, body.code, body.errors?.[0]?.pointer]).toEqual([400, 'invalid_request', pointer])
  expect(await kept(user)).toEqual(nothing)
})

test.each<[string, string]>([
  ['../../../etc/passwd', 'passwd'],
  ['C:\\fake\\x.txt', 'x.txt'],
  ['..%2f..%2fx', '..%2f..%2fx'],
  ['<script>alert(1)</script>.html', 'script>.html'],
  ['CON', 'CON'],
  ['__proto__', '__proto__'],
  ['日本語.txt', '日本語.txt'],
])('the filename %s is stored as %s, and never as a path', async (filename, name) => {
  const user = await backend.user()
  const { status, body } = await send(user, encode([{ name: 'file', content: 'x', filename, type: 'text/html' }]))
  expect([status, body.name, body.media_type]).toEqual([201, name, 'text/html'])
  const keys: string[] = []
  for await (const key of backend.services.blobs.list(`${user.user_id}/`)) keys.push(key)
  expect(keys).toEqual([`${user.user_id}/${body.id}`])
})

test('a second file, a prototype as a field, too many fields: refused, and nothing is stored', async () => {
  const user = await backend.user()
  const file: Part = { name: 'file', content: 'x' }
  const bodies = [
    encode([file, file]),
    encode([{ name: '__proto__', content: 'x' }, file]),
    encode([...Array.from({ length: 30 }, (_, at) => ({ name: `f${at}`, content: 'x' })), file]),
    encode([file], ''),
    encode([{ name: 'file', content: 'x'.repeat(1_000) }]).subarray(0, 600),
    Buffer.from('no parts at all'),
    Buffer.alloc(0),
  ]
  for (const body of bodies) {
    const { status, body: problem } = await send(user, body)
    expect([body.toString('latin1').slice(0, 80), status, problem.code]).toEqual([expect.any(String), 400, 'invalid_request'])
  }
  expect(await kept(user)).toEqual(nothing)
})

test('only this route accepts multipart, and it accepts nothing else', async () => {
  const user = await backend.user()
  const url = `${address}/api/v1/files/upload`
  const post = async (address: string, type: string, body: string) =>
    (await fetch(address, { method: 'POST', headers: { ...user.headers, 'content-type': type }, body })).status
  expect([
    await post(url, 'application/json', '{}'),
    await post(url, 'text/plain', 'x'),
    await post(url, 'application/octet-stream', 'x'),
    await post(`${address}/api/v1/tasks`, `multipart/form-data; boundary=${border}`, encode([{ name: 'title', content: 'x' }]).toString()),
    await post(url, 'multipart/form-data', 'x'),
  ]).toEqual([415, 415, 415, 415, 400])
})

test('an aborted upload leaves nothing', async () => {
  const user = await backend.user()
  const { host, port } = { host: '127.0.0.1', port: new URL(address).port }
  for (const breaks of ['in the file', 'after the file'] as const) {
    const whole = encode([
      { name: 'file', content: randomBytes(150_000), filename: 'x' },
      { name: 'name', content: 'never arrives' },
    ])
    const headers = { ...user.headers, 'content-type': `multipart/form-data; boundary=${border}`, 'content-length': whole.length }
    const outgoing = httpRequest({ host, port, method: 'POST', path: '/api/v1/files/upload', headers })
    const closed = new Promise<void>((resolve) => outgoing.on('close', resolve).on('error', () => undefined))
    outgoing.write(whole.subarray(0, breaks === 'in the file' ? 100_000 : whole.length - 60))
    await expect.poll(async () => (await kept(user)).temporary + (await kept(user)).blobs).toBeGreaterThan(0)
    outgoing.destroy()
    await closed
    await expect.poll(() => kept(user)).toEqual(nothing)
  }
})

test('a repeated upload gets the first response and its bytes are stored once', async () => {
  const user = await backend.user()
  const headers = { 'idempotency-key': 'upload-2026-0001' }
  const replies = await Promise.all([upload(user, 'abc', [], headers), upload(user, 'abc', [], headers)])
  const later = await upload(user, 'abc', [], headers)
  expect(replies.map(({ status }) => status)).toEqual([201, 201])
  expect([...replies, later]).toEqual([later, later, later])
  expect(await kept(user)).toEqual({ blobs: 1, rows: 1, temporary: 0 })

  for (const other of [await upload(user, 'abd', [], headers), await upload(user, 'abc', [{ name: 'name', content: 'other' }], headers)]) {
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
  }
  expect(await kept(user)).toEqual({ blobs: 1, rows: 1, temporary: 0 })
})
