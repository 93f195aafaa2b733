// Slow uploads use no slot that others wait for, and their number is limited.
import { readdir } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type TestApp, type TestUser, testApp } from '../../test/support/test-app.ts'
import { uploadMs } from './orphans.ts'

let backend: TestApp
let port: string
let ahead = 0

beforeAll(async () => {
  backend = await testApp({ now: () => Date.now() + ahead })
  port = new URL(await backend.app.listen({ port: 0, host: '127.0.0.1' })).port
})
afterAll(() => backend.close())

const opening = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nfirst bytes'

function beginUpload(user: TestUser): ClientRequest {
  const headers = { ...user.headers, 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' }
  const outgoing = request({ host: '127.0.0.1', port, method: 'POST', path: '/api/v1/files/upload', headers })
  outgoing.on('error', () => undefined)
  outgoing.write(opening)
  return outgoing
}

const underWay = async () => (await readdir(join(backend.services.config.data_dir, 'files', '.incoming'))).length

test('64 slow uploads: the next one is refused, everything else is served, and they leave nothing behind', async () => {
  const users = await Promise.all(Array.from({ length: 16 }, () => backend.user()))
  const uploads = users.flatMap((user) => Array.from({ length: 4 }, () => beginUpload(user)))
  await expect.poll(underWay).toBe(64)

  const user = await backend.user()
  const list = await backend.app.inject({ method: 'GET', url: '/api/v1/files', headers: user.headers })
  expect(list.statusCode).toBe(200)
  const payload = `${opening}\r\n--b--\r\n`
  const headers = { ...user.headers, 'content-type': 'multipart/form-data; boundary=b' }
  const upload = () => backend.app.inject({ method: 'POST', url: '/api/v1/files/upload', headers, payload })
  const refused = await upload()
  expect([refused.statusCode, refused.json().code, refused.headers['retry-after']]).toEqual([503, 'overloaded', '2'])

  for (const one of uploads) one.destroy()
  await expect.poll(underWay).toBe(0)
  expect((await upload()).statusCode).toBe(201)
})

test('one user has at most four concurrent uploads; others still have theirs', async () => {
  const [mara, otto] = [await backend.user(), await backend.user()]
  const uploads = Array.from({ length: 4 }, () => beginUpload(mara))
  await expect.poll(underWay).toBe(4)
  const upload = async (user: TestUser) => {
    const headers = { ...user.headers, 'content-type': 'multipart/form-data; boundary=b' }
    const payload = `${opening}\r\n--b--\r\n`
    const reply = await backend.app.inject({ method: 'POST', url: '/api/v1/files/upload', headers, payload })
    return [reply.statusCode, reply.headers['retry-after']]
  }
  expect([await upload(mara), await upload(otto)]).toEqual([
    [503, '2'],
    [201, undefined],
  ])
  for (const one of uploads) one.destroy()
  await expect.poll(underWay).toBe(0)
  expect(await upload(mara)).toEqual([201, undefined])
})

test('an upload that never ends is aborted, and its slot is free again', async () => {
  const user = await backend.user()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const closed = Array.from({ length: 4 }, () => new Promise((resolve) => beginUpload(user).once('close', resolve)))
    await expect.poll(underWay).toBe(4)
    vi.advanceTimersByTime(uploadMs)
    await Promise.all(closed)
  } finally {
    vi.useRealTimers()
  }
  await expect.poll(underWay).toBe(0)
  const headers = { ...user.headers, 'content-type': 'multipart/form-data; boundary=b' }
  const payload = `${opening}\r\n--b--\r\n`
  const next = await backend.app.inject({ method: 'POST', url: '/api/v1/files/upload', headers, payload })
  expect(next.statusCode).toBe(201)
})

test('an upload that ends after the sweep could have deleted it as an orphan is refused and leaves nothing', async () => {
  const user = await backend.user()
  const outgoing = beginUpload(user)
  const status = new Promise((resolve) => outgoing.on('response', (reply) => resolve(reply.resume().statusCode)))
  await expect.poll(underWay).toBe(1)
  ahead = 46 * 60_000
  outgoing.end('\r\n--b--\r\n')
  expect(await status).toBe(408)
  ahead = 0
  const keys: string[] = []
  for await (const key of backend.services.blobs.list(`${user.user_id}/`)) keys.push(key)
  expect(keys).toEqual([])
  await expect.poll(underWay).toBe(0)
})
