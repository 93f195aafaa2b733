import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openLifecycle } from '../event/lifecycle/lifecycle.ts'
import type { LifecycleEvent } from '../event/lifecycle/lifecycle-event.ts'
import { openStore } from '../store/store.ts'
import { openConversations } from './conversations.ts'

test('each new conversation is a lifecycle event, unless it was rolled back', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tandem-conversations-'))
  const store = openStore({ home, clock: testClock() })
  onTestFinished(() => {
    store.close()
    rmSync(home, { recursive: true })
  })
  const lifecycle = openLifecycle({ store, history: () => [], log: () => undefined })
  const heard: LifecycleEvent[] = []
  lifecycle.listen({ name: 'test', from: 'now', hears: { conversation_created: async (event) => void heard.push(event) } })
  const conversations = openConversations(store, lifecycle)
  const fresh = { agent_id: 'agent', title: 'Paint', workspace: '/work' }
  const made = store.transaction(() => conversations.create(fresh))
  const lost = () =>
    store.transaction(() => {
      conversations.create(fresh)
      throw new Error('the disk is full')
    })
  expect(lost).toThrow('the disk is full')
  conversations.rename(made.conversation_id, 'Paint again')
  await lifecycle.stop({ within_ms: 1_000 })
  const { conversation_id } = made
  expect(heard).toMatchObject([
    { event: 'conversation_created', event_id: conversation_id, data: { conversation_id, agent_id: 'agent', cause: 'created' } },
  ])
  expect(conversations.list({ limit: 10 })).toEqual([{ ...made, title: 'Paint again' }])
})
