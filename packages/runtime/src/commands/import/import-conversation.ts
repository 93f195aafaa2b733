// A conversation of another assistant becomes one of Tandem: a run that has ended, with its messages and their dates. Nothing is learned
// from it, and no event of a run reports it: nothing ran. What a later export has in addition becomes another such run.
import type { CommandParams, CommandResult } from '@tandem/contract/command'
import { defaultSandboxMode } from '@tandem/contract/tool'
import type { CommandTable } from '../../feature/command-table.ts'
import { agentNotFound } from '../../feature/not-found.ts'
import { writeFinishedRun } from '../../journal/finished-run.ts'
import type { Features } from '../features.ts'
import { crashPoint } from './crashpoint.ts'
import { importedModel, openEarlierImports } from './earlier-imports.ts'
import { matchImport } from './match-import.ts'

type Import = CommandParams<'conversation_import'>
type Imported = CommandResult<'conversation_import'>

const longestTitle = 200

export function importHandlers({
  store,
  journal,
  events,
  agents,
}: Pick<Features, 'store' | 'journal' | 'events' | 'agents'>): CommandTable {
  const { sql } = store
  const imports = openEarlierImports(store, journal)

  function writeRun(given: Import, conversation: number, agent_id: string, messages: Import['messages'], started_at: number): void {
    const { source, title, for_memory = false } = given
    const asked = for_memory ? ({ author: 'person' } as const) : ({ author: 'import' } as const)
    writeFinishedRun(store, journal, {
      ...{ conversation, agent_id, title, sandbox_mode: defaultSandboxMode, model: importedModel(source) },
      ...{ started_at, ended_at: Math.max(started_at, Date.parse(given.updated_at)) },
      messages: messages.map(({ role, text, created_at }) => ({
        ...{ role, text, created_at: Date.parse(created_at) },
        ...(role === 'assistant' ? ({ author: 'agent' } as const) : asked),
      })),
    })
  }

  function create(given: Import, title: string, agent_id: string): string {
    // It worked in no folder: the user chooses one when continuing it.
    const created = journal.conversations.create({ agent_id, title, workspace: '', imported_from: given.source })
    const started_at = Date.parse(given.created_at)
    writeRun(given, created.no, agent_id, given.messages, started_at)
    const ended_at = Math.max(started_at, Date.parse(given.updated_at))
    sql.run`UPDATE conversations SET created_at = ${started_at}, updated_at = ${ended_at} WHERE no = ${created.no}`
    return created.conversation_id
  }

  function append(given: Import, conversation_id: string, from: number): void {
    const conversation = journal.conversations.get(conversation_id)
    const added = given.messages.slice(from)
    if (!conversation || !added[0]) return
    const { no, agent_id } = conversation
    writeRun(given, no, agent_id, added, Date.parse(added[0].created_at))
    sql.run`UPDATE conversations SET updated_at = max(updated_at, ${Date.parse(given.updated_at)}) WHERE no = ${no}`
  }

  function take(given: Import, agent_id: string): Imported {
    const same = imports.at(given)
    if (same !== null) return { conversation_id: same, outcome: 'known' }
    const match = matchImport(given.messages, imports.of(given))
    if (match.kind === 'new') return { conversation_id: create(given, given.title, agent_id), outcome: 'added' }
    const { conversation_id } = match
    if (match.kind === 'known') return { conversation_id, outcome: 'known' }
    if (imports.isContinued(conversation_id)) {
      const note = ' (newer export)'
      const title = `${given.title.slice(0, longestTitle - note.length).toWellFormed()}${note}`
      return { conversation_id: create(given, title, agent_id), outcome: 'copied' }
    }
    append(given, conversation_id, match.from)
    return { conversation_id, outcome: 'grown' }
  }

  function announce(conversation_id: string): void {
    const agent_id = journal.conversations.get(conversation_id)?.agent_id
    if (agent_id !== undefined) events.emit('conversation_changed', { agent_id, conversation_id }, { change: 'imported' })
  }

  return {
    conversation_import(given) {
      const agent_id = given.agent_id ?? agents.default().agent_id
      if (!agents.get(agent_id)) return agentNotFound(agent_id)
      crashPoint('import:begun')
      const value = store.transaction(() => {
        const imported = take(given, agent_id)
        // By its last message, it is found at once the next time.
        if (imported.outcome !== 'known' || given.leaf_id !== undefined) imports.add(given, imported.conversation_id)
        if (imported.outcome !== 'known') announce(imported.conversation_id)
        crashPoint('import:written')
        return imported
      })
      crashPoint('import:stored')
      return { ok: true, value }
    },
  }
}
