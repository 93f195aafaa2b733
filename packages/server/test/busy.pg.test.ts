// The sockets of a node that lost messages check their sessions in small shares while requests wait. Here: that they are told when.
import { expect, test } from 'vitest'
import { testApp } from './support/test-app.ts'
import { waitFor } from './support/test-wait.ts'

test('the sockets know whether requests are waiting for a slot', async () => {
  let busy: (() => boolean) | undefined
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let isHeld = false
  let held = 0
  const hub = {
    ...{ sockets: 0, tell: () => undefined, endSessions: () => undefined, join: () => undefined, leave: () => undefined },
    onLoss(_renew: unknown, isBusy: () => boolean) {
      busy = isBusy
    },
  }
  await using backend = await testApp({ services: { hub } })
  const { database } = backend.services
  const { asUser } = database
  Object.assign(database, {
    async asUser(...args: Parameters<typeof asUser>) {
      if (isHeld) {
        held += 1
        await released
      }
      return await asUser(...args)
    },
  })
  const user = await backend.user()
  const ask = () => backend.app.inject({ url: '/api/v1/users/devices', headers: user.headers, remoteAddress: backend.address() })
  expect(busy?.()).toBe(false)

  isHeld = true
  // As many as one user may have served at a time, which is less than the node has slots.
  const served = Array.from({ length: 3 }, ask)
  await waitFor(() => held === served.length)
  expect(busy?.()).toBe(false)
  const waiting = ask()
  await waitFor(() => busy?.() === true)

  release()
  const replies = await Promise.all([...served, waiting])
  expect([replies.map(({ statusCode }) => statusCode), busy?.()]).toEqual([[200, 200, 200, 200], false])
})
