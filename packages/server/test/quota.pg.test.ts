// The limit for files of one account is the same on every platform.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { callRoute } from './support/contract-client.ts'
import { type PlatformName, platformNames, startPlatform } from './support/platforms.ts'
import { upload } from './support/user-with-data.ts'

test.each(platformNames)(
  '%s: an upload over MAX_USER_BYTES is refused, and deleting frees space',
  async (name: PlatformName) => {
    await using platform = await startPlatform(name, { MAX_USER_BYTES: '100000' })
    const account = async () => {
      const password = `pw ${randomBytes(8).toString('hex')}`
      const body = { email: `${randomBytes(8).toString('hex')}@example.org`, password }
      return (await callRoute(platform.url, 'auth_register', { body })).body.access_token as string
    }
    const token = await account()
    const send = (size: number, headers = {}, as = token) =>
      callRoute(platform.url, 'files_upload', { token: as, raw: upload('x'.repeat(size), 'a.txt'), headers })

    const key = { 'idempotency-key': 'the-first' }
    const first = await send(60_000, key)
    expect(first.status).toBe(201)
    const refused = await send(40_001)
    expect([refused.status, refused.problem?.code, refused.problem?.limits]).toEqual([
      413,
      'payload_too_large',
      [{ name: 'user_bytes', limit: 100_000, actual: 100_001 }],
    ])
    // Concurrent uploads cannot exceed it together.
    const statuses = (await Promise.all(Array.from({ length: 4 }, () => send(15_000)))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 201, 413, 413])
    // A stored upload is not counted again, and other users have their own limit.
    expect((await send(60_000, key)).body).toEqual(first.body)
    expect((await send(60_000, {}, await account())).status).toBe(201)
    expect((await callRoute(platform.url, 'files_delete', { token, params: { id: first.body.id } })).status).toBe(204)
    expect((await send(60_000)).status).toBe(201)
  },
  60_000,
)
