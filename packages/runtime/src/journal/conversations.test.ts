import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testClock } from '../clock/test-clock.ts'
import { openStore } from '../store/store.ts'
import { type ConversationRecord, openConversations } from './conversations.ts'

test('who keeps something about conversations hears of each new one once it is on disk, and of none that was rolled back', () => {
  const home = mkdtempSync(join(tmpdir(), 'tandem-conversations-'))
  const store = openStore({ home, clock: testClock() })
  onTestFinished(() => {
    store.close()
    rmSync(home, { recursive: true })
  })
  const heard: ConversationRecord[] = []
  const conversations = openConversations(store, { conversationCreated: (conversation) => heard.push(conversation) })
  const fresh = { agent_id: 'agent', title: 'Paint', workspace: '/work' }
  const made = store.transaction(() => {
    const inside = conversations.create(fresh)
    expect(heard).toEqual([])
    return inside
  })
  const lost = () =>
    store.transaction(() => {
      conversations.create(fresh)
      throw new Error('the disk is full')
    })
  expect(lost).toThrow('the disk is full')
  conversations.rename(made.conversation_id, 'Paint again')
  expect(heard).toEqual([made])
  expect(conversations.list({ limit: 10 })).toEqual([{ ...made, title: 'Paint again' }])
})
