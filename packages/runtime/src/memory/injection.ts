// The memories of a run's prompt. They are chosen once, when the run starts, so that the prompt caches of model providers stay valid and a run
// that continues after a crash gets the same ones. One that was corrected meanwhile is replaced at the next turn.
import type { Memory } from '@tandem/contract/memory'
import type { PromptSection } from '../feature/feature.ts'
import { continuedBy } from '../journal/conversation-line.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Recall } from '../recall/recall.ts'
import type { Store } from '../store/store.ts'
import type { Memories } from './record/memories.ts'
import type { Profiles } from './record/profiles.ts'
import { olderValues } from './rule/older-values.ts'
import { identityPart, memoryPrompt } from './rule/prompt-text.ts'
import { isVisible, needsReview, type Reader, scopesFor } from './rule/visible.ts'
import { currentMemory } from './used-memories.ts'

export interface InjectedMemories {
  readonly items: readonly { readonly id: string; readonly version: number }[]
  /** Of the last prompt. */
  readonly tokens: number
}

/** `earlier`: in an earlier prompt of the run, but not in the last one, because it was corrected or removed meanwhile. */
type InjectedMemory = InjectedMemories['items'][number] & {
  readonly earlier?: true
  /** `identityPart`, or the part of the user's profile that it is shown in. */
  readonly part?: string
}

interface ChosenMemory {
  readonly memory: Memory
  readonly part: string | null
}

export interface InjectionPorts {
  readonly store: Store
  readonly journal: Journal
  readonly recall: Recall
  readonly memories: Memories
  readonly profiles: Profiles
  /** Brings profiles up to date. */
  refresh(part: 'identity' | 'user_model'): void
  readonly life: 'resident' | 'errand'
  settings(): { readonly use_in_runs: boolean; readonly prompt_tokens: number }
  isExcluded(agent_id: string, conversation_id: string): boolean
  expiryOf(memory: Memory): string | null
  isRecallable(memory: Memory): boolean
}

interface RecordedInjection {
  readonly items: readonly InjectedMemory[]
  readonly tokens: number
  /** The search took too long: the next turn searches again. */
  readonly isLate: boolean
}

/** How many memories recall returns; the budget of the prompt decides how many are used. */
const mostFound = 40
/** Preferences of the user that are always offered, whatever the request is about. */
const mostPreferences = 12
/** Claims of one part of the profile. */
const mostOfPart = 2
/** What the user told the agent about itself, whatever the request is about. */
const mostOfIdentity = 20
const profileParts = [
  { field: 'persona_profile', name: 'person' },
  { field: 'goal_profile', name: 'goal' },
  { field: 'communication_profile', name: 'communication' },
  { field: 'habit_profile', name: 'habit' },
  { field: 'risk_profile', name: 'risk' },
] as const
const order = 40
/** In a process that lives for one command, nothing else brings the index up to date, and no model for meanings is loaded. */
const errand = { channels: ['lexical'], patience_ms: 700 } as const
/** The start of a run does not wait longer for its memories. */
const limit_ms = 1_000

/** `of`: everything that the run was given, in any of its prompts. */
export function openInjection(ports: InjectionPorts): PromptSection & { of(run: RunRecord): InjectedMemories } {
  const { store, journal, recall, memories, profiles, life, settings, isExcluded, expiryOf, isRecallable, refresh } = ports
  const { sql } = store
  const records = store.kept<RecordedInjection | null>('memory_injections')

  function stored(run: number): RecordedInjection | null {
    const row = sql.get<{ items: string; tokens: number; is_late: number }>`
      SELECT items, tokens, is_late FROM memory_injections WHERE run = ${run}`
    return row ? { items: JSON.parse(row.items), tokens: row.tokens, isLate: row.is_late === 1 } : null
  }

  function recorded(run: number): RecordedInjection | null {
    return records.get(String(run), () => stored(run))
  }

  function record(
    run: number,
    list: readonly ChosenMemory[],
    { tokens, isLate }: Omit<RecordedInjection, 'items'>,
    before: RecordedInjection | null,
  ) {
    const given = new Set(list.map(({ memory }) => memory.id))
    const earlier = (before?.items ?? []).filter(({ id }) => !given.has(id)).map((item) => ({ ...item, earlier: true }))
    const chosen = list.map(({ memory: { id, version }, part }) => ({ id, version, ...(part === null ? {} : { part }) }))
    const items = JSON.stringify([...chosen, ...earlier])
    // Most turns are given the same as the one before.
    if (before?.tokens === tokens && before.isLate === isLate && JSON.stringify(before.items) === items) return
    const known = new Set(before?.items.map(({ id }) => id))
    store.relaxed(() => {
      sql.run`
        INSERT OR REPLACE INTO memory_injections (run, items, tokens, is_late) VALUES (${run}, ${items}, ${tokens}, ${isLate ? 1 : 0})`
      // What replaces a corrected memory was not chosen for this run.
      if (!before || before.isLate)
        memories.used(
          [...given].filter((id) => !known.has(id)),
          expiryOf,
        )
    })
  }

  const readerOf = ({ agent_id, conversation_id }: RunRecord): Reader => ({
    agent_id,
    conversation_id,
    continues: continuedBy(journal, conversation_id),
  })

  function usable(run: RunRecord): (memory: Memory) => boolean {
    // Most memories apply everywhere.
    let reader: Reader | null = null
    return (memory) => {
      if (memory.state !== 'active' || needsReview(memory)) return false
      if (memory.only_in_conversation) reader ??= readerOf(run)
      return isVisible(memory, reader ?? run) && isRecallable(memory)
    }
  }

  /** The request: what the user wrote last, and before. */
  function requestOf({ conversation }: RunRecord): string {
    const latest = journal.messages.latest(conversation, 6).filter(({ role, set_aside }) => role === 'user' && !set_aside)
    return latest
      .map(({ text }) => text.slice(0, 2_000))
      .slice(0, 2)
      .join('\n')
  }

  /** What was chosen before, in its present form. */
  function current(items: readonly InjectedMemory[], run: RunRecord): readonly ChosenMemory[] {
    const isUsable = usable(run)
    const list = items.flatMap(({ id, part = null }) => {
      const memory = currentMemory(memories, id)
      return memory && isUsable(memory) ? [{ memory, part }] : []
    })
    return [...new Map(list.map((one) => [one.memory.id, one])).values()]
  }

  /** The memories behind the surest claims of each part of the user's profile. */
  function profileOf(run: RunRecord): readonly ChosenMemory[] {
    refresh('user_model')
    const model = profiles.userModel(run.agent_id, null)
    const list = profileParts.flatMap(({ field, name }) => {
      const ids = (model?.[field].signals ?? [])
        .slice(0, mostOfPart)
        .map(({ evidence }) => evidence.find(({ source }) => source === 'memory')?.id)
      return memories.all(ids.flatMap((id) => id ?? [])).map((memory) => ({ memory, part: name }))
    })
    // A memory that several parts rest on is shown once.
    return list.filter((one, at) => usable(run)(one.memory) && list.findIndex(({ memory }) => memory.id === one.memory.id) === at)
  }

  /** What the user told the agent about itself. */
  function identityOf(run: RunRecord): readonly ChosenMemory[] {
    refresh('identity')
    const signals = profiles.identity(run.agent_id, null)?.signals ?? []
    const ids = signals.flatMap(({ evidence }) => evidence.find(({ source }) => source === 'memory')?.id ?? [])
    const list = memories.all([...new Set(ids)]).filter(usable(run))
    return list.slice(0, mostOfIdentity).map((memory) => ({ memory, part: identityPart }))
  }

  /** If the index took too long, this turn has general preferences only, and the next one asks again. */
  async function choose(run: RunRecord): Promise<{ readonly list: readonly ChosenMemory[]; readonly isLate: boolean }> {
    const query = requestOf(run)
    // Without memories no thread is started to search them.
    if (query.trim() === '' || memories.count() === 0) return { list: [], isLate: false }
    const search = { scope: scopesFor(readerOf(run)), query, k: mostFound, limit_ms, ...(life === 'errand' ? errand : {}) }
    const { hits, isLate } = await recall.search(search)
    const profile = [...identityOf(run), ...profileOf(run)]
    const inProfile = new Set(profile.map(({ memory }) => memory.id))
    const found = memories.all(hits.map(({ id }) => id)).filter((memory) => usable(run)(memory) && !inProfile.has(memory.id))
    const known = new Set([...inProfile, ...found.map(({ id }) => id)])
    const general = memories
      .page({ agent_id: run.agent_id, memory_kinds: ['preference'], states: ['active'], subject: 'user' }, null, 200)
      .filter((memory) => usable(run)(memory) && !known.has(memory.id))
      .toSorted((left, right) => right.use_count - left.use_count || right.confidence - left.confidence)
      .slice(0, mostPreferences)
    const list = [...profile, ...[...found, ...general].map((memory) => ({ memory, part: null }))]
    const gone = olderValues(list.map(({ memory }) => memory))
    return { list: list.filter(({ memory }) => !gone.has(memory.id)), isLate }
  }

  /** Chosen before, and after a search that took too long, what is found now: it comes after what the prompt had. */
  async function chosenFor(run: RunRecord, before: RecordedInjection | null) {
    const had = before ? current(before.items, run) : []
    if (before && !before.isLate) return { list: had, isLate: false }
    const { list, isLate } = await choose(run)
    const known = new Set(had.map(({ memory }) => memory.id))
    return { list: [...had, ...list.filter(({ memory }) => !known.has(memory.id))], isLate }
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
        if (before) record(run.no, [], { tokens: 0, isLate: before.isLate }, before)
        return ''
      }
      const { list: chosen, isLate } = await chosenFor(run, before)
      const [cadence] = profiles.userModel(run.agent_id, null)?.cadence_profile.signals ?? []
      const { text, ids, tokens } = memoryPrompt(
        chosen.map(({ memory, part }) => ({ ...memory, part })),
        budget,
        cadence?.value ?? null,
      )
      const taken = new Set(ids)
      const list = chosen.filter(({ memory }) => taken.has(memory.id))
      record(run.no, list, { tokens, isLate }, before)
      return text
    },
    record(run) {
      const { items, tokens } = recorded(run.no) ?? { items: [], tokens: 0 }
      const given = items.filter(({ earlier }) => earlier === undefined).map(({ id, version }) => ({ id, version }))
      return given.length > 0 ? { memories: { items: given, tokens } } : {}
    },
  }
}
