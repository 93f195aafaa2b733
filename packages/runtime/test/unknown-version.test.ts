// An update of a whole runtime without a sign-in: what the previous version could not read is read.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { changesOfNextVersion, ids } from './support/sync/test-next-version.ts'
import { startTestAgent } from './support/test-agent.ts'

test('what was stored unread is read after the next start, without an account', async () => {
  const agent = await startTestAgent([])
  try {
    const { conversation } = await agent.call('conversation_create', { workspace: agent.workspace })
    expect(conversation.title).toBe('New conversation')
    const database = new DatabaseSync(join(agent.folder, 'home', 'tandem.db'))
    const keep = database.prepare('INSERT INTO sync_unread (entity_type, entity_id, reason, change) VALUES (?, ?, ?, ?)')
    for (const change of changesOfNextVersion()) keep.run(change.entity_type, change.entity_id, 'unknown_shape', JSON.stringify(change))
    database.close()
    await agent.restart()
    await vi.waitFor(() => expect(agent.runtime.journal.run(ids.run)?.title).toBe('Next'), 60_000)
    const { items } = await agent.call('workflow_run_list_events', { workflow_run_id: ids.workflow_run })
    expect(items.map(({ kind }) => kind)).toEqual([
      'started',
      'node.started',
      'node.waiting',
      'node.completed',
      'node.failed',
      'node.reset',
      'node.compensated',
      'unknown',
      'state',
    ])
    const steps = await agent.call('agent_run_list_steps', { run_id: ids.run })
    expect(steps.items.filter(({ kind }) => kind === 'unknown').length).toBe(2)
  } finally {
    await agent.stop()
  }
})
