// The memories of a run's prompt. They are chosen once, when the run starts, so that the prompt caches of model providers stay valid and a run
// that continues after a crash gets the same ones. One that was corrected meanwhile is replaced at the next turn.
import type { Memory } from '@tandem/contract/memory'
import type { PromptSection } from '../feature/feature.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Recall } from '../recall/recall.ts'
import type { Store } from '../store/store.ts'
import type { Memories } from './record/memories.ts'
import type { Profiles } from './record/profiles.ts'
import { memoryPrompt } from './rule/prompt-text.ts'
import { isVisible, needsReview, scopesFor } from './rule/visible.ts'
import { currentMemory } from './used-memories.ts'

export interface InjectedMemories {
  readonly items: readonly { readonly id: string; readonly version: number }[]
  /** Of the last prompt. */
  readonly tokens: number
}

/** `earlier`: in an earlier prompt of the run, but not in the last one, because it was corrected or removed meanwhile. */
type InjectedMemory = InjectedMemories['items'][number] & { readonly earlier?: true }

export interface InjectionPorts {
  readonly store: Store
  readonly journal: Journal
  readonly recall: Recall
  readonly memories: Memories
  readonly profiles: Profiles
  /** Brings the identities of agents up to date. */
  refreshIdentity(): void
  readonly life: 'resident' | 'errand'
  settings(): { readonly use_in_runs: boolean; readonly prompt_tokens: number }
  isExcluded(agent_id: string, conversation_id: string): boolean
  expiryOf(memory: Memory): string | null
  isRecallable(memory: Memory): boolean
}

/** How many memories recall returns; the budget of the prompt decides how many are used. */
const mostFound = 40
/** Preferences of the user that are always offered, whatever the request is about. */
const mostPreferences = 12
const order = 40
/** In a process that lives for one command, nothing else brings the index up to date, and no model for meanings is loaded. */
const errand = { channels: ['lexical'], patience_ms: 700 } as const
/** The start of a run does not wait longer for its memories. */
const limit_ms = 1_000

/** `of`: everything that the run was given, in any of its prompts. */
export function openInjection(ports: InjectionPorts): PromptSection & { of(run: RunRecord): InjectedMemories } {
  const { store, journal, recall, memories, profiles, life, settings, isExcluded, expiryOf, isRecallable, refreshIdentity } = ports
  const { sql } = store

  function recorded(run: number): { readonly items: readonly InjectedMemory[]; readonly tokens: number } | null {
    const row = sql.get<{ items: string; tokens: number }>`SELECT items, tokens FROM memory_injections WHERE run = ${run}`
    return row ? { items: JSON.parse(row.items), tokens: row.tokens } : null
  }

  function record(run: number, list: readonly Memory[], tokens: number, before: readonly InjectedMemory[]): void {
    const given = new Set(list.map(({ id }) => id))
    const earlier = before.filter(({ id }) => !given.has(id)).map((item) => ({ ...item, earlier: true }))
    const items = JSON.stringify([...list.map(({ id, version }) => ({ id, version })), ...earlier])
    sql.run`INSERT OR REPLACE INTO memory_injections (run, items, tokens) VALUES (${run}, ${items}, ${tokens})`
  }

  const usable = (run: RunRecord) => (memory: Memory) =>
    memory.state === 'active' && !needsReview(memory) && isVisible(memory, run) && isRecallable(memory)

  /** The request: what the user wrote last, and before. */
  function requestOf({ conversation }: RunRecord): string {
    const latest = journal.messages.latest(conversation, 6).filter(({ role, set_aside }) => role === 'user' && !set_aside)
    return latest
      .map(({ text }) => text.slice(0, 2_000))
      .slice(0, 2)
      .join('\n')
  }

  /** What was chosen before, in its present form. */
  function current(items: readonly { readonly id: string }[], run: RunRecord): readonly Memory[] {
    const list = items.flatMap(({ id }) => currentMemory(memories, id) ?? [])
    return [...new Map(list.map((memory) => [memory.id, memory])).values()].filter(usable(run))
  }

  /** If the index took too long, this turn has general preferences only, and the next one asks again. */
  async function choose(run: RunRecord): Promise<{ readonly list: readonly Memory[]; readonly isLate: boolean }> {
    const query = requestOf(run)
    // Without memories no thread is started to search them.
    if (query.trim() === '' || memories.count() === 0) return { list: [], isLate: false }
    const search = { scope: scopesFor(run), query, k: mostFound, limit_ms, ...(life === 'errand' ? errand : {}) }
    const { hits, isLate } = await recall.search(search)
    const found = memories.all(hits.map(({ id }) => id)).filter(usable(run))
    const known = new Set(found.map(({ id }) => id))
    const general = memories
      .page({ agent_id: run.agent_id, memory_kinds: ['preference'], states: ['active'], subject: 'user' }, null, 200)
      .filter((memory) => usable(run)(memory) && !known.has(memory.id))
      .toSorted((left, right) => right.use_count - left.use_count || right.confidence - left.confidence)
      .slice(0, mostPreferences)
    return { list: [...found, ...general], isLate }
  }

  return {
    order,
    max_tokens: 20_000,
    stable: true,
    of(run) {
      const { items, tokens } = recorded(run.no) ?? { items: [], tokens: 0 }
      return { items: items.map(({ id, version }) => ({ id, version })), tokens }
    },
    async text(run, room) {
      const { use_in_runs, prompt_tokens } = settings()
      const budget = Math.min(prompt_tokens, room)
      const before = recorded(run.no)
      if (!use_in_runs || budget <= 0 || isExcluded(run.agent_id, run.conversation_id)) {
        if (before) store.relaxed(() => record(run.no, [], 0, before.items))
        return ''
      }
      const { list: chosen, isLate } = before ? { list: current(before.items, run), isLate: false } : await choose(run)
      refreshIdentity()
      const identity = profiles.identity(run.agent_id, null) ?? null
      const { text, ids, tokens } = memoryPrompt(chosen, identity, budget)
      if (isLate) return text
      const taken = new Set(ids)
      const list = chosen.filter(({ id }) => taken.has(id))
      store.relaxed(() => {
        record(run.no, list, tokens, before?.items ?? [])
        if (!before) memories.used(ids, expiryOf)
      })
      return text
    },
    record(run) {
      const { items, tokens } = recorded(run.no) ?? { items: [], tokens: 0 }
      const given = items.filter(({ earlier }) => earlier === undefined)
      return given.length > 0 ? { memories: { items: given, tokens } } : {}
    },
  }
}
