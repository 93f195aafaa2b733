import { stripVTControlCharacters } from 'node:util'
import type { RecordedEvent } from '@tandem/contract/command'
import { expect, test } from 'vitest'
import { reportPolicyChanges } from './policy-report.ts'

const undone = (agent_id: string) =>
  ({ no: 1, event: { event: 'policy_rollback_completed', agent_id, data: { reason: 'A run failed.' } } }) as unknown as RecordedEvent

test('a change is one line beside the run, also after the command went on to another run', async () => {
  const listeners = new Set<(recorded: RecordedEvent) => void>()
  const client = {
    async watch(listener: (recorded: RecordedEvent) => void, until?: AbortSignal) {
      listeners.add(listener)
      until?.addEventListener('abort', () => listeners.delete(listener))
    },
  }
  const shown: string[] = []
  const follow = (name: string) =>
    reportPolicyChanges(client, { agent_id: 'mine' }, { settle: () => shown.push(`${name} settled`) }, (line) =>
      shown.push(stripVTControlCharacters(line)),
    )
  await follow('first')
  await follow('second')
  for (const agent_id of ['other', 'mine']) for (const hear of listeners) hear(undone(agent_id))
  expect(shown).toEqual(['second settled', "A change of this agent's policy was undone: A run failed."])
})
