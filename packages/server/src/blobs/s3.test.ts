// Failures that only an S3 API can have.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestS3, type TestS3 } from '../../test/support/test-s3.ts'
import type { Blobs } from './blobs.ts'
import { StorageUnavailable } from './failure.ts'
import { openS3 } from './s3.ts'
import { createS3Client, type S3Client } from './s3-request.ts'

const MiB = 1024 * 1024
const options = { maxBytes: 100 * MiB, mediaType: 'text/plain' }
let folder: string
let s3: TestS3
let ask: S3Client
let blobs: Blobs
let lines: string[]
beforeEach(async () => {
  lines = []
  folder = await mkdtemp(join(tmpdir(), 'tandem-s3-'))
  s3 = await startTestS3(folder)
  ask = createS3Client(s3.target, 1)
  blobs = await openS3(s3.target, (line) => lines.push(line), ask)
  s3.requests.length = 0
})
afterEach(async () => {
  await s3.stop()
  await rm(folder, { recursive: true, force: true })
})

test.each([500, 503, 429])('a temporary %d is retried, also during an upload', async (status) => {
  s3.failNext('PUT', status, 2)
  s3.failNext('POST', status, 1)
  expect(await blobs.put('u1/f1', megabytes(17), options)).toMatchObject({ size: 17 * MiB })
  s3.failNext('GET', status, 3)
  let size = 0
  for await (const piece of (await blobs.get('u1/f1')) ?? []) size += piece.byteLength
  expect([size, await s3.unfinishedUploads()]).toEqual([17 * MiB, []])
})

test('gives up after four attempts with 500, and deletes the parts', async () => {
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield* megabytes(9)
    s3.failNext('PUT', 500, 1000)
    yield* megabytes(9)
  }
  await expect(blobs.put('u1/f1', source(), options)).rejects.toThrow(StorageUnavailable)
  expect(s3.requests).toEqual([
    'POST /tandem-files/u1/f1',
    'PUT /tandem-files/u1/f1',
    ...Array.from({ length: 4 }, () => 'PUT /tandem-files/u1/f1'),
    'DELETE /tandem-files/u1/f1',
  ])
  expect([await s3.unfinishedUploads(), await blobs.get('u1/f1'), lines]).toEqual([[], undefined, []])
})

test('a failed abort is logged, and the first error is thrown', async () => {
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield* megabytes(9)
    s3.failNext('DELETE', 500, 1000)
    throw new Error('the sender went away')
  }
  await expect(blobs.put('u1/f1', source(), options)).rejects.toThrow('the sender went away')
  expect(lines.map((line) => line.replace(/: S3 .*/, ''))).toEqual(['blobs: the unfinished upload of u1/f1 could not be canceled'])
})

test('a 200 with an error in its body does not complete an upload', async () => {
  const lying = await openS3(
    s3.target,
    (line) => lines.push(line),
    async (request) =>
      request.method === 'POST' && request.query?.uploadId ? new Response('<Error><Code>InternalError</Code></Error>') : ask(request),
  )
  await expect(lying.put('u1/f1', megabytes(9), options)).rejects.toThrow('could not complete the upload: InternalError')
  expect([await s3.unfinishedUploads(), await blobs.get('u1/f1')]).toEqual([[], undefined])
})

test('a small blob is one request with a known length', async () => {
  await blobs.put('u1/f1', megabytes(1), options)
  expect(s3.requests).toEqual(['PUT /tandem-files/u1/f1'])
})

// The test server cannot page (its tokens need a cipher that OpenSSL no longer has), so the pages are recorded ones of S3.
test('lists over several pages', async () => {
  const page = (keys: string[], next?: string): string =>
    `<ListBucketResult>${keys.map((key) => `<Contents><Key>${key}</Key><ETag>&quot;1&quot;</ETag></Contents>`).join('')}${
      next === undefined ? '<IsTruncated>false</IsTruncated>' : `<NextContinuationToken>${next}</NextContinuationToken>`
    }</ListBucketResult>`
  const pages: Record<string, string> = { first: page(['u1/0', 'u1/1'], '1+a/b=&amp;'), '1+a/b=&': page([], '2'), '2': page(['u1/2']) }
  const paging = await openS3(
    s3.target,
    () => undefined,
    async (request) => (request.query?.['list-type'] ? new Response(pages[request.query['continuation-token'] ?? 'first']) : ask(request)),
  )
  const keys: string[] = []
  for await (const key of paging.list('')) keys.push(key)
  expect(keys).toEqual(['u1/0', 'u1/1', 'u1/2'])
})

test.each([
  ['a wrong secret', { secret_key: 'wrong-secret-value' }],
  ['an unknown key id', { access_key: 'NOBODY' }],
  ['a missing bucket', { bucket: 'no-such-bucket' }],
  ['an unreachable server', { endpoint: 'http://127.0.0.1:1' }],
])('%s fails the opening, and reveals no secret', async (_, wrong) => {
  const target = { ...s3.target, ...wrong }
  const opening = openS3(target, () => undefined, createS3Client(target, 1))
  await expect(opening).rejects.toThrow(StorageUnavailable)
  await expect(opening).rejects.not.toThrow(/wrong-secret-value|S3RVER/)
})

test('a missing bucket is an error, not a missing blob', async () => {
  await rm(join(folder, s3.target.bucket), { recursive: true })
  await expect(blobs.get('u1/f1')).rejects.toThrow(StorageUnavailable)
})

async function* megabytes(count: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n++) yield Buffer.alloc(MiB, n)
}

test("two prefixes share a bucket and do not see each other's blobs", async () => {
  const one = await openS3({ ...s3.target, prefix: 'one/of-several' }, () => undefined)
  const other = await openS3({ ...s3.target, prefix: 'one/of' }, () => undefined)
  await one.put('u1/f1', megabytes(1), options)
  const listed = async (store: typeof one) => (await Array.fromAsync(store.list(''))).sort()
  expect([await listed(one), await listed(other), await other.get('u1/f1')]).toEqual([['u1/f1'], [], undefined])
  await one.delete('u1/f1')
  expect(await listed(one)).toEqual([])
})
