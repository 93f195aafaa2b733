import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import { openStore } from '../../store/store.ts'
import { openMemories } from './memories.ts'
import { openMemoryTerms } from './terms.ts'

test('what was replaced and has expired does not hide what is still to be archived', () => {
  const home = mkdtempSync(join(tmpdir(), 'memories-'))
  const store = openStore({ home, clock: systemClock })
  const memories = openMemories(store, openMemoryTerms(store), () => undefined)
  const [replaced, active] = ['2025-01-01T00:00:00.000Z', '2025-01-02T00:00:00.000Z'].map((expires_at) =>
    memories.add({
      ...{ agent_id: null, conversation_id: null, memory_kind: 'semantic', subject: 'user', content: 'The locker is empty.' },
      ...{ source_type: 'memory_flush', authority: 'person', confidence: 0.8, origin_key: null, expires_at },
    }),
  )
  memories.move(replaced?.id ?? '', 'supersede', 'replaced')
  expect(memories.due('2026-01-01T00:00:00.000Z', 1)).toEqual([active])
  store.close()
  rmSync(home, { recursive: true })
})
