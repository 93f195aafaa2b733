import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { openFeatureContext } from '../feature/open-feature-context.ts'
import { openFlush } from './flush.ts'
import { openFlushMarks } from './record/flush-marks.ts'

test('other work goes on while a long conversation is read', async () => {
  const home = mkdtempSync(join(tmpdir(), 'flush-'))
  let elapsed = 0
  // Reading takes long: each look at the clock is 10 ms later.
  const clock = { ...systemClock, elapsed: () => (elapsed += 10) }
  const ground = openFeatureContext({ home, environment: {}, clock, life: 'errand', log: () => undefined })
  const { store, journal, events } = ground
  const flush = openFlush({
    ...{ store, journal, events, marks: openFlushMarks(store), log: () => undefined, learned: () => undefined },
    dropped: { add: () => undefined },
    forgotten: { isTouched: () => false },
    learnedIn: () => [],
    remember: {
      write: (proposals) => ({ written: [], dropped: proposals.map((proposal) => ({ proposal, reason: 'empty' })) }),
      judging: () => () => ({ ok: false, reason: 'empty' }),
      own: () => [],
      isExcluded: () => false,
      known: () => [],
      *read() {
        yield
        return { said: { persons: () => undefined, person: [], workspace: null }, known: [] }
      },
    },
    cycle: { apply: () => ({ conflicting: [], superseded: [], archived: [] }), decide: () => expect.fail() },
    background: { current: () => null, spent: () => undefined },
    life: 'resident',
    isWritten: () => false,
  })
  const agent_id = 'agent-1'
  const conversation = journal.conversations.create({ agent_id, title: 'Long', workspace: home })
  for (let no = 0; no < 20; no += 1) {
    const text = `I prefer tea over coffee in week ${no}.`
    const message_id = journal.messages.write({ conversation: conversation.no, run: null, role: 'user', author: 'person', text })
    journal.start({ conversation: conversation.no, agent_id, title: 'Run', model: 'm', sandbox_mode: 'workspace', message_id })
  }
  let turns = 0
  let isDone = false
  const others = (async () => {
    while (!isDone) {
      turns += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  const { messages, dropped } = await flush.run(conversation.conversation_id, 'manual', new AbortController().signal)
  isDone = true
  await others
  expect([messages, dropped.length]).toEqual([20, 20])
  expect(turns).toBeGreaterThanOrEqual(20)
  await ground.scheduler.stop()
  store.close()
  rmSync(home, { recursive: true })
})
