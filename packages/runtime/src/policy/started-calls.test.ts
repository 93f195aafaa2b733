import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openBus } from '../event/bus.ts'
import { openEvents } from '../event/events.ts'
import { openJournal } from '../journal/journal.ts'
import { openStore } from '../store/store.ts'
import { openRates } from './rate.ts'
import { startedCalls } from './started-calls.ts'

test('calls recorded as started in the journal count after a restart', () => {
  const home = mkdtempSync(join(tmpdir(), 'tandem-rate-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const clock = testClock()
  const once = { calls: 1, per_seconds: 86_400 }

  const first = openStore({ home, clock })
  const bus = openBus(() => undefined)
  const journal = openJournal(first, openEvents(first, bus), bus)
  const conversation = journal.conversations.create({ agent_id: 'a', workspace: home, title: 't' })
  const run = { conversation: conversation.no, agent_id: 'a', title: 't', model: 'm', sandbox_mode: 'workspace', message_id: null } as const
  const { run_id } = journal.start(run)
  journal.append(run_id, { kind: 'tool.started', call_id: first.newId() }, { tool: 'shell.exec' })
  const at = clock.now()
  first.close()

  clock.advance(1_000)
  const second = openStore({ home, clock })
  onTestFinished(() => second.close())
  const earlier = startedCalls(second)
  expect([
    earlier('a', 'shell.exec', 0),
    earlier('a', 'fs.write', 0),
    earlier('b', 'shell.exec', 0),
    earlier('a', 'shell.exec', at),
  ]).toEqual([[at], [], [], []])
  const rates = openRates(clock, earlier)
  expect(rates.take('a', 'shell.exec', once)).toEqual({ ok: false, wait_ms: 86_399_000 })
  expect(rates.take('b', 'shell.exec', once)).toEqual({ ok: true })
})
