// A store with lifecycle events that can be killed and reopened, and listeners that fail when a test says so.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Lifecycle, openLifecycle } from '../../../../src/event/lifecycle/lifecycle.ts'
import type { LifecycleListener, NewLifecycleEvent } from '../../../../src/event/lifecycle/lifecycle-event.ts'
import type { DatedEvent } from '../../../../src/event/lifecycle/store.ts'
import { openStore, type Store } from '../../../../src/store/store.ts'
import { testClock } from '../../clock/test-clock.ts'

export function testLifecycle(history: () => readonly DatedEvent[] = () => []) {
  const home = mkdtempSync(join(tmpdir(), 'tandem-lifecycle-'))
  const clock = testClock()
  let logged: string[] = []
  let life: { readonly store: Store; readonly lifecycle: Lifecycle } | null = null

  function kill(): void {
    life?.store.close()
    life = null
  }

  function now() {
    if (!life) throw new Error('the process was killed')
    return life
  }

  return {
    clock,
    now,
    kill,
    isKilled: () => life === null,
    /** Starts a process with what the last one left. */
    open(...listeners: readonly LifecycleListener[]): Lifecycle {
      kill()
      logged = []
      const store = openStore({ home, clock })
      const lines = logged
      const lifecycle = openLifecycle({ store, history, log: (line) => lines.push(line) })
      for (const listener of listeners) lifecycle.listen(listener)
      life = { store, lifecycle }
      return lifecycle
    },
    record(event: NewLifecycleEvent): void {
      const { store, lifecycle } = now()
      store.transaction(() => lifecycle.record(event))
    },
    logged: () => logged,
    rows: () =>
      now().store.sql.all<{ event_id: string }>`SELECT event_id FROM lifecycle_events ORDER BY no`.map(({ event_id }) => event_id),
    remove(): void {
      kill()
      rmSync(home, { recursive: true })
    },
  }
}

/** Lets everything run that does not wait for a clock. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}

export function runEnded(run_id: string, event_id = run_id): NewLifecycleEvent<'run_ended'> {
  return { event: 'run_ended', event_id, data: { run_id, conversation_id: 'c', agent_id: 'a', state: 'completed' } }
}

export function beforeCompaction(run_id: string, event_id: string): NewLifecycleEvent<'before_compaction'> {
  const range = { from: { run_id, seq: 0 }, through: { run_id, seq: 9 } }
  return { event: 'before_compaction', event_id, data: { run_id, conversation_id: 'c', agent_id: 'a', range } }
}
