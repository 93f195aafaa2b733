// A conversation of another assistant becomes one of Tandem: a run that has ended, with its messages and their dates. Nothing is learned
// from it, and no event reports it: nothing ran.
import type { CommandParams } from '@tandem/contract/command'
import { importSourceNames } from '@tandem/contract/import'
import { defaultSandboxMode } from '@tandem/contract/tool'
import type { CommandTable } from '../feature/command-table.ts'
import { agentNotFound } from '../feature/not-found.ts'
import { writeFinishedRun } from '../journal/finished-run.ts'
import type { Features } from './features.ts'

type Import = CommandParams<'conversation_import'>

export function importHandlers({
  store,
  journal,
  agents,
  workspaces,
}: Pick<Features, 'store' | 'journal' | 'agents' | 'workspaces'>): CommandTable {
  const { sql } = store

  /** The conversation of an earlier import, if it is still here. One that is deleted does not count: it will be erased. */
  function earlier({ source, source_id, messages }: Import) {
    // Its first run has what was imported.
    const row = sql.get<{ conversation_id: string; imported: number }>`
      SELECT i.conversation_id, (
        SELECT COUNT(*) FROM agent_run_steps s
        WHERE s.run = (SELECT MIN(r.no) FROM runs r WHERE r.conversation = c.no)
          AND (s.kind IN ('message.received', 'message.completed') OR (s.kind = 'run.started' AND s.body ->> 'message_id' IS NOT NULL))
      ) AS imported
      FROM imported_conversations i JOIN conversations c USING (conversation_id)
      WHERE i.source = ${source} AND i.source_id = ${source_id} AND c.deleted_at IS NULL`
    if (!row) return null
    const { conversation_id, imported } = row
    return { conversation_id, outcome: messages.length > imported ? ('grown' as const) : ('known' as const) }
  }

  function write(given: Import, agent_id: string, workspace: string): string {
    const { source, source_id, title, messages, for_memory = false } = given
    const { conversation_id, no: conversation } = journal.conversations.create({ agent_id, title, workspace, imported_from: source })
    const asked = for_memory ? ({ author: 'person' } as const) : ({ author: 'import' } as const)
    writeFinishedRun(store, journal, {
      ...{ conversation, agent_id, title, sandbox_mode: defaultSandboxMode, model: `${importSourceNames[source]} (imported)` },
      ...{ started_at: Date.parse(given.created_at), ended_at: Date.parse(given.updated_at) },
      messages: messages.map(({ role, text, created_at }) => ({
        ...{ role, text, created_at: Date.parse(created_at) },
        ...(role === 'assistant' ? ({ author: 'agent' } as const) : asked),
      })),
    })
    sql.run`
      INSERT OR REPLACE INTO imported_conversations (source, source_id, conversation_id, imported_at)
      VALUES (${source}, ${source_id}, ${conversation_id}, ${store.clock.now()})`
    return conversation_id
  }

  return {
    conversation_import(given) {
      const agent_id = given.agent_id ?? agents.default().agent_id
      if (!agents.get(agent_id)) return agentNotFound(agent_id)
      const folder = workspaces.resolve(undefined)
      if (!folder.ok) return folder
      return store.transaction(() => {
        const known = earlier(given)
        if (known !== null) return { ok: true, value: known }
        return { ok: true, value: { conversation_id: write(given, agent_id, folder.value), outcome: 'added' as const } }
      })
    },
  }
}
