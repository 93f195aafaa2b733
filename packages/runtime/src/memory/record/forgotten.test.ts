import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { testClock } from '../../../test/support/clock/test-clock.ts'
import { openLifecycle } from '../../event/lifecycle/lifecycle.ts'
import { openConversations } from '../../journal/conversations.ts'
import { openLongTexts } from '../../journal/long-texts.ts'
import { openMessages } from '../../journal/messages.ts'
import { openStore, type Store } from '../../store/store.ts'
import { openForgottenWords } from './forgotten.ts'

const day_ms = 24 * 60 * 60 * 1_000

let store: Store
afterEach(() => store.close())

function opened(home: string, clock: ReturnType<typeof testClock>) {
  store = openStore({ home, clock })
  const conversations = openConversations(store, openLifecycle({ store, history: () => [], log: () => undefined }))
  const messages = openMessages(store, openLongTexts(home, store.newId))
  const message = { run: null, role: 'user', author: 'person', text: 'I live in Porto.' } as const
  const say = (conversation: number, message_id = store.newId()) => messages.write({ ...message, conversation, message_id })
  const converse = () => conversations.create({ agent_id: 'agent', title: 'Talk', workspace: '/work' })
  return { say, converse, forgotten: openForgottenWords(store) }
}

function folder(): string {
  const home = mkdtempSync(join(tmpdir(), 'forgotten-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

test('what was said before and after the user was forgotten is told apart with a wrong clock', () => {
  const [home, clock] = [folder(), testClock()]
  clock.set(clock.now() + 10 * day_ms)
  const ahead = opened(home, clock)
  const { no } = ahead.converse()
  const early = ahead.say(no)
  ahead.forgotten.addUser()
  // The clock is corrected, and the runtime is started again.
  store.close()
  clock.set(clock.now() - 10 * day_ms)
  const corrected = opened(home, clock)
  const late = corrected.say(no)
  expect([early, late].map(corrected.forgotten.isBeforeUser)).toEqual([true, false])
  corrected.forgotten.addUser()
  expect([early, late, corrected.say(no)].map(corrected.forgotten.isBeforeUser)).toEqual([true, true, false])
})

test('a message that gets the number of an erased one counts as later', () => {
  const { say, converse, forgotten } = opened(folder(), testClock())
  const [stays, goes] = [converse(), converse()]
  const [first] = [say(stays.no), say(goes.no)]
  forgotten.addUser()
  forgotten.beforeErasing(goes.conversation_id)
  store.sql.run`DELETE FROM messages WHERE conversation = ${goes.no}`
  expect([first, say(stays.no)].map(forgotten.isBeforeUser)).toEqual([true, false])
})

test('words of a message and everything about the user in it count as touched', () => {
  const { say, converse, forgotten } = opened(folder(), testClock())
  const { no, conversation_id } = converse()
  const [message_id, other] = [say(no), say(no)]
  expect([message_id, other].map(forgotten.isTouched)).toEqual([false, false])
  forgotten.add({ message_id, conversation_id }, [{ start: 0, length: 4 }])
  expect([message_id, other].map(forgotten.isTouched)).toEqual([true, false])
  forgotten.addUser()
  expect([message_id, other].map(forgotten.isTouched)).toEqual([true, true])
})

test('a message of another device counts by when it was sent, not by when it arrived', () => {
  const { say, converse, forgotten } = opened(folder(), testClock())
  const { no } = converse()
  const [theirs, own] = [store.newId(), store.newId()]
  forgotten.addUser()
  const later = store.newId()
  const arrive = (message_id: string, device_id: string) => {
    say(no, message_id)
    const { lastInsertRowid } = store.sql.run`
      INSERT INTO runs (run_id, conversation, agent_id, device_id, title, state, model, sandbox_mode, started_at, updated_at)
      VALUES (${store.newId()}, ${no}, 'agent', ${device_id}, 'Talk', 'running', 'm', 'strict', 0, 0)`
    store.sql.run`
      INSERT INTO agent_run_steps (run, seq, step_id, ts, kind, body)
      VALUES (${Number(lastInsertRowid)}, 0, ${store.newId()}, 0, 'run.started', ${JSON.stringify({ message_id })})`
  }
  arrive(theirs, 'another')
  arrive(own, store.device_id)
  arrive(later, 'another')
  expect([theirs, own, later].map(forgotten.isBeforeUser)).toEqual([true, false, false])
})
