// The sources of the knowledge base: what was added, for whom, and how far it was read.
import {
  type KnowledgeOrigin,
  type KnowledgeOwner,
  type KnowledgeSource,
  type KnowledgeSourceState,
  type KnowledgeSourceTrigger,
  knowledgeSourceTransitions,
} from '@tandem/contract/knowledge'
import { transition } from '@tandem/contract/transition'
import { timestamp } from '../clock/clock.ts'
import type { AccessScope } from '../sandbox/files/access-rule.ts'
import type { Store } from '../store/store.ts'
import type { SourceFigures } from './index/knowledge-index.ts'

export interface SourceRecord extends Omit<KnowledgeSource, 'progress'> {
  /** What the agent that added it could read then. */
  readonly access: AccessScope | null
}

export interface NewSource {
  readonly name: string
  readonly origin: KnowledgeOrigin
  readonly owner: KnowledgeOwner
  readonly added_by: string | null
  readonly access: AccessScope | null
  readonly watch: boolean
}

export type SourceProblem = KnowledgeSource['problem']

interface SourceRow {
  readonly source_id: string
  readonly name: string
  readonly origin: string
  readonly owner: string
  readonly added_by: string | null
  readonly access: string | null
  readonly watch: number
  readonly state: KnowledgeSourceState
  readonly problem: string | null
  readonly files: number
  readonly left_out: number
  readonly passages: number
  readonly bytes: number
  readonly added_at: string
  readonly checked_at: string | null
  readonly removed: number
}

export interface SourceRecords {
  get(source_id: string): SourceRecord | undefined
  /** Oldest first. */
  list(): readonly SourceRecord[]
  /** Its name gets a number if another source has it. */
  add(source: NewSource): SourceRecord
  update(source_id: string, change: Partial<Pick<NewSource, 'name' | 'origin' | 'owner' | 'watch' | 'access'>>): void
  /** Null if its state does not allow it. */
  move(source_id: string, on: KnowledgeSourceTrigger, problem?: SourceProblem): SourceRecord | null
  /** All of its files were compared. */
  checked(source_id: string, figures: SourceFigures, isComplete: boolean): void
  /** Nobody finds it any more, and its name is free. */
  remove(source_id: string): void
  /** Those that were removed, and whose texts may still be there. */
  removed(): readonly string[]
  /** Nothing of it is left. */
  forget(source_id: string): void
}

export function openSourceRecords({ sql, clock, newId, kept }: Pick<Store, 'sql' | 'clock' | 'newId' | 'kept'>): SourceRecords {
  const lists = kept<readonly SourceRecord[]>('kb_sources')
  function get(source_id: string): SourceRecord | undefined {
    const row = sql.get<SourceRow>`SELECT * FROM kb_sources WHERE source_id = ${source_id} AND removed = 0`
    return row && recordOf(row)
  }

  function freeName(wanted: string, except: string | null = null): string {
    const isTaken = (name: string) => sql.get`SELECT 1 FROM kb_sources WHERE name = ${name} AND source_id IS NOT ${except}` !== undefined
    let name = wanted
    for (let number = 2; isTaken(name); number += 1) name = `${wanted} ${number}`
    return name
  }

  return {
    get,
    list: () =>
      lists.get('all', () => sql.all<SourceRow>`SELECT * FROM kb_sources WHERE removed = 0 ORDER BY added_at, source_id`.map(recordOf)),
    add({ name, origin, owner, added_by, access, watch }) {
      const source_id = newId()
      sql.run`INSERT INTO kb_sources (source_id, name, origin, owner, added_by, access, watch, state, added_at) VALUES (
        ${source_id}, ${freeName(name)}, ${JSON.stringify(origin)}, ${JSON.stringify(owner)}, ${added_by},
        ${access && JSON.stringify(access)}, ${watch ? 1 : 0}, ${knowledgeSourceTransitions.initial}, ${timestamp(clock.now())})`
      const record = get(source_id)
      if (!record) throw new Error(`the source ${source_id} was not written`)
      return record
    },
    update(source_id, { name, origin, owner, watch, access }) {
      if (name !== undefined) sql.run`UPDATE kb_sources SET name = ${freeName(name, source_id)} WHERE source_id = ${source_id}`
      if (origin !== undefined) sql.run`UPDATE kb_sources SET origin = ${JSON.stringify(origin)} WHERE source_id = ${source_id}`
      if (owner !== undefined) sql.run`UPDATE kb_sources SET owner = ${JSON.stringify(owner)} WHERE source_id = ${source_id}`
      if (access !== undefined) sql.run`UPDATE kb_sources SET access = ${access && JSON.stringify(access)} WHERE source_id = ${source_id}`
      if (watch !== undefined) sql.run`UPDATE kb_sources SET watch = ${watch ? 1 : 0} WHERE source_id = ${source_id}`
    },
    move(source_id, on, problem = null) {
      const before = get(source_id)
      if (!before) return null
      const next = transition(knowledgeSourceTransitions, before.state, on)
      if (!next.ok) return null
      sql.run`UPDATE kb_sources SET state = ${next.state}, problem = ${problem && JSON.stringify(problem)} WHERE source_id = ${source_id}`
      return get(source_id) ?? null
    },
    checked(source_id, { files, left_out, passages, bytes }, isComplete) {
      sql.run`UPDATE kb_sources SET files = ${files}, left_out = ${left_out}, passages = ${passages}, bytes = ${bytes} WHERE source_id = ${source_id}`
      if (isComplete) sql.run`UPDATE kb_sources SET checked_at = ${timestamp(clock.now())} WHERE source_id = ${source_id}`
    },
    remove: (source_id) =>
      void sql.run`UPDATE kb_sources SET removed = 1, name = source_id, origin = '', owner = '', added_by = NULL, access = NULL, problem = NULL WHERE source_id = ${source_id}`,
    removed: () => sql.all<{ source_id: string }>`SELECT source_id FROM kb_sources WHERE removed = 1`.map(({ source_id }) => source_id),
    forget: (source_id) => void sql.run`DELETE FROM kb_sources WHERE source_id = ${source_id} AND removed = 1`,
  }
}

function recordOf({ removed: _removed, ...row }: SourceRow): SourceRecord {
  return {
    ...row,
    origin: JSON.parse(row.origin) as KnowledgeOrigin,
    owner: JSON.parse(row.owner) as KnowledgeOwner,
    access: row.access === null ? null : (JSON.parse(row.access) as AccessScope),
    watch: row.watch === 1,
    problem: row.problem === null ? null : (JSON.parse(row.problem) as SourceProblem),
  }
}
