// Long-term memory: what an agent knows about its user after a month, where it learned each thing, and what it should no longer use.
import type { Agent } from '@tandem/contract/agent'
import type { MemoryWritebackCandidate, OutcomeVerdict } from '@tandem/contract/learning'
import { isMemoryExpired, type Memory } from '@tandem/contract/memory'
import { timestamp } from '../clock/clock.ts'
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { Outcome } from '../feature/outcome.ts'
import { continuedBy } from '../journal/conversation-line.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { addMonthUsage } from '../journal/usage-by-month.ts'
import { addressKey, checkedAddress } from '../model/base-url.ts'
import type { Model } from '../model/model.ts'
import type { Recall } from '../recall/recall.ts'
import { othersFirst } from '../scheduler/slices.ts'
import { afterRestore } from './after-restore.ts'
import { browseHandlers } from './command/browse.ts'
import { memoryHandlers } from './command/memory.ts'
import type { MemoryCommandPorts } from './command/ports.ts'
import { openDistill } from './distill-runs.ts'
import { clearConversation } from './erased-conversation.ts'
import type { BackgroundModel } from './extract-with-model.ts'
import { openFlush } from './flush.ts'
import { type ForgottenCopies, openForget } from './forget.ts'
import { openGraphViews } from './graph-views.ts'
import { openInjection } from './injection.ts'
import { openLearned } from './learned.ts'
import { openMeanings } from './meanings.ts'
import { openCorrections } from './record/corrections.ts'
import { openDecisions } from './record/decisions.ts'
import { openDistillationPolicies } from './record/distillation-policies.ts'
import { openDropped } from './record/dropped.ts'
import { openExclusions } from './record/exclusions.ts'
import { openFlushMarks } from './record/flush-marks.ts'
import { openForgottenWords } from './record/forgotten.ts'
import { openGraphRecords } from './record/graph-records.ts'
import { openMemories } from './record/memories.ts'
import { openOutdated } from './record/outdated.ts'
import { openProcedureRuns } from './record/procedure-runs.ts'
import { openProfiles } from './record/profiles.ts'
import { openReviews } from './record/reviews.ts'
import { openSpending } from './record/spending.ts'
import { openMemoryTerms } from './record/terms.ts'
import { openRemember } from './remember.ts'
import { openResolutionCycle } from './resolution-cycle.ts'
import { openReview } from './review.ts'
import { quotesFor } from './rule/quotes-for.ts'
import { isRecallable } from './rule/resolve/conflict.ts'
import { expiryOf } from './rule/resolve/retention.ts'
import { isCorrectedRun, messageOf } from './run-trace.ts'
import { openMemorySearch } from './search.ts'
import { memorySettings } from './settings.ts'
import { memorySource, messageSource } from './sources.ts'
import { memoryTools } from './tools.ts'
import { commitWriteback } from './writeback.ts'

export interface MemoryNeeds {
  readonly recall: Recall
  readonly agents: {
    get(agent_id: string): { readonly agent: Agent } | undefined
    list(): readonly { readonly agent_id: string }[]
  }
  /** The models of the user; null while there are none. */
  current(): Model | null
  defaultModel(): string | null
  addressInUse(): { readonly base_url: string } | null
  compact: MemoryCommandPorts['compact']
  /** Texts that were copied from messages for other purposes are erased with a memory. In the transaction of the caller. */
  eraseCopies(copies: ForgottenCopies): void
  /** What skills told a run. */
  skillText(run_id: string): string | null
  attachment(file_id: string): Buffer | undefined
  /** How the evaluation of a run ended; null if there is none. */
  verdictOf(run_id: string): OutcomeVerdict | null
  /** The user corrected what this run did or said. */
  corrected(run_id: string): void
  /** Whether a run is in progress. */
  isRunActive(): boolean
}

const minute_ms = 60_000
const day_ms = 24 * 60 * minute_ms
/** A review runs daily, or earlier after this many new messages. */
const reviewedMessages = 200
const archivedAtOnce = 500
const termsAtOnce = 50
/** The newest messages of the user that a call of the agent may quote. */
const mostQuoted = 200
/** Memories of one conversation, the newest. */
const mostLearned = 5_000
const demoModels = 'demo/'

export interface MemoryFeature extends Feature {
  /** The model that may work in the background, within the tokens of a day. */
  readonly background: BackgroundModel
  /** A conversation is erased: its words go. In the transaction that deletes its rows. */
  clearConversation(conversation_id: string): void
  /** Whether the user corrected what a run said or did. */
  isCorrected(run: RunRecord): boolean
  /** In the transaction of the caller. */
  commit(candidate: MemoryWritebackCandidate): Outcome<Memory>
}

export function openMemoryFeature(ground: FeatureContext, needs: MemoryNeeds): MemoryFeature {
  const { store, journal, events, clock, settings, life, environment, log } = ground
  const { recall, agents } = needs
  settings.add(memorySettings)
  const choice = () => settings.section(memorySettings)
  const now = () => timestamp(clock.now())

  const terms = openMemoryTerms(store)
  const memories = openMemories(store, terms, (ids) => recall.changed('memories', ids))
  const exclusions = openExclusions(store, journal)
  const dropped = openDropped(store)
  const forgotten = openForgottenWords(store)
  const corrections = openCorrections(store)
  const decisions = openDecisions(store)
  const reviews = openReviews(store)
  const policies = openDistillationPolicies(store)
  const profiles = openProfiles(store)
  const graph = openGraphRecords(store)
  const spending = openSpending(store)
  const marks = openFlushMarks(store)
  const procedureRuns = openProcedureRuns(store)
  const cycle = openResolutionCycle({ store, memories, terms, decisions })

  // What has expired is archived later, and not at all by a process that runs a single command.
  const canRecall = (memory: Memory) => !isMemoryExpired(memory, now()) && isRecallable(memory, memories.all(memory.conflicts_with))
  const expiry = (memory: Memory) => expiryOf(memory, now())
  const learned = openLearned({
    ...{ store, journal, memories, profiles, graph, outdated: openOutdated(store), life, isRecallable: canRecall, log },
    agent: (id) => agents.get(id)?.agent,
    isExcluded: exclusions.has,
  })
  const views = openGraphViews({ store, clock, graph, refresh: () => learned.refresh('graph') })
  const agentIds = () => agents.list().map(({ agent_id }) => agent_id)

  const mayUseModel = () => choice().background_model && environment.TANDEM_MEMORY_MODEL !== 'off'
  const background: BackgroundModel = {
    current(wanted = null) {
      const { daily_tokens } = choice()
      const name = wanted ?? needs.defaultModel()
      const model = needs.current()
      if (!mayUseModel() || name === null || model === null || name.startsWith(demoModels) || spending.today() >= daily_tokens) return null
      return { model, name }
    },
    spent(kind, model, usage) {
      const address = checkedAddress(needs.addressInUse()?.base_url ?? '')
      const month = timestamp(clock.now()).slice(0, 7)
      store.transaction(() => {
        spending.add(usage.input_tokens + usage.output_tokens)
        addMonthUsage(store, { month, model, kind, usage, address: address.ok ? addressKey(address.base_url) : null })
      })
    },
  }

  const sharesPreferences = (agent_id: string) => !choice().own_preferences.includes(agent_id)
  const remember = openRemember({
    memories,
    exclusions,
    journal,
    dropped,
    forgotten,
    injectedIn: (run) => injection.of(run).items.map(({ id }) => id),
    ...{ skillText: needs.skillText, attachment: needs.attachment },
    sharesPreferences,
  })
  const meanings = openMeanings({ clock, embedder: () => (choice().compare_meaning ? recall.embedder() : null), log })
  const flush = openFlush({
    ...{ store, journal, events, marks, remember, cycle, background, meanings, dropped, forgotten, life, log },
    isWritten: memories.hasOrigin,
    learnedIn: (conversation_id) => memories.page({ conversation_id }, null, mostLearned),
    learned: learned.after,
  })
  const distill = openDistill({
    ...{ store, journal, memories, corrections, policies, runs: procedureRuns, remember, cycle, background, log },
    verdictOf: needs.verdictOf,
    learned: learned.after,
  })
  const ending = new AbortController()
  const review = openReview({ store, events, memories, reviews, flush, distill, cycle, learned: learned.after, log })
  const said = messageSource(store, journal, exclusions.has)
  const search = openMemorySearch({
    ...{ recall, memories, messages: said, isRecallable: canRecall },
    continues: (conversation_id) => continuedBy(journal, conversation_id),
  })
  const forget = openForget({
    store,
    journal,
    forgotten,
    memories,
    terms,
    corrections,
    decisions,
    reviews,
    profiles,
    graph,
    learned,
    agents: agentIds,
    eraseCopies: needs.eraseCopies,
  })
  const injection = openInjection({
    ...{ store, journal, recall, memories, profiles, life, settings: choice, expiryOf: expiry, isRecallable: canRecall },
    isExcluded: remember.isExcluded,
    refresh: learned.refresh,
  })
  learned.continue()

  recall.add(memorySource(memories, () => choice().compare_meaning))
  recall.add(said)

  const ports: MemoryCommandPorts = {
    ...{
      store,
      clock,
      journal,
      memories,
      cycle,
      corrections,
      decisions,
      reviews,
      policies,
      procedureRuns,
      graph,
      views,
      learned,
      forget,
      exclusions,
      dropped,
      search,
      flush,
      review,
    },
    sharesPreferences,
    agents: { has: (id) => agents.get(id) !== undefined, ids: agentIds },
    injected: injection.of,
    isRecallable: canRecall,
    expiryOf: expiry,
    recallAgain: () => recall.wake(),
    searchIndex: recall.health,
    ending: ending.signal,
    compact: needs.compact,
    corrected: needs.corrected,
    background() {
      const { daily_tokens } = choice()
      const name = needs.defaultModel()
      return { enabled: mayUseModel(), daily_tokens, tokens_today: spending.today(), model: name?.startsWith(demoModels) ? null : name }
    },
  }

  /** Reviews that are due, one agent after another. They wait while a run is active: it needs the model and the main thread. */
  async function reviewDue(signal: AbortSignal): Promise<void> {
    const { reviews: wanted, without_reviews } = choice()
    if (!wanted) return
    for (const agent_id of agentIds()) {
      if (signal.aborted || needs.isRunActive()) return
      if (without_reviews.includes(agent_id) || exclusions.hasAgent(agent_id)) continue
      const { messages, since } = review.waiting(agent_id)
      const isDue = since === null || clock.now() - Date.parse(since) >= day_ms || messages >= reviewedMessages
      if (messages === 0 || !isDue) continue
      try {
        await review.run({ agent_id, conversation_id: null, trigger: 'schedule', signal })
      } catch (error) {
        if (signal.aborted) throw error
        // It is recorded, and the other agents are reviewed nevertheless.
        log(`memory: the review of the agent ${agent_id} failed: ${String(error)}`)
      }
    }
  }

  function archiveExpired(): void {
    const due = memories.due(now(), archivedAtOnce)
    store.transaction(() => {
      const archived = due.flatMap((memory) => memories.move(memory.id, 'archive', 'expired') ?? [])
      cycle.apply(archived)
      for (const agent_id of archived.length === 0 ? [] : agentIds()) learned.after(archived, agent_id)
    })
  }

  /** The terms of memories that an earlier version wrote. */
  async function addTerms(signal: AbortSignal): Promise<void> {
    let last = ''
    while (!signal.aborted && !terms.isComplete()) {
      const list = memories.all(terms.missing(last, termsAtOnce))
      store.transaction(() => {
        for (const memory of list) terms.add(memory)
      })
      last = list.at(-1)?.id ?? ''
      await othersFirst()
    }
  }

  return {
    name: 'memory',
    background,
    clearConversation: (conversation_id) => clearConversation({ store, memories, forget, forgotten }, conversation_id),
    isCorrected: (run) => isCorrectedRun({ journal, corrections }, run, messageOf(journal, run.run_id)),
    commit: (candidate) => commitWriteback({ memories, remember, cycle, learned: learned.after }, candidate),
    tools: memoryTools({
      ...{ store, memories, remember, cycle, search, expiryOf: expiry },
      learned: learned.after,
      continues: (conversation_id) => continuedBy(journal, conversation_id),
      quotesFor: (content, conversation_id) => quotesFor(content, remember.own(conversation_id).slice(0, mostQuoted)),
    }),
    commands: { ...memoryHandlers(ports), ...browseHandlers(ports) },
    jobs:
      life === 'resident'
        ? [
            { name: 'review_memories', every_ms: 5 * minute_ms, first_ms: 10 * minute_ms, run: reviewDue },
            { name: 'add_memory_terms', every_ms: day_ms, first_ms: minute_ms / 6, run: addTerms },
            { name: 'archive_memories', every_ms: day_ms / 4, first_ms: 2 * minute_ms, run: archiveExpired },
          ]
        : [],
    prompt: injection,
    on: {
      from: 'now',
      hears: {
        async run_ended({ data }, signal) {
          // Its messages can be found from now on.
          recall.wake()
          distill.ended(data.run_id)
          await flush.run(data.conversation_id, 'run_end', signal)
        },
        async before_compaction({ data }, signal) {
          await flush.run(data.conversation_id, 'compaction', signal)
        },
        async checkpoint_restored({ data }) {
          afterRestore({ store, journal, memories, marks, cycle, learned: learned.after }, data.run_id, data.cursor_seq)
        },
        async agent_created({ data }) {
          learned.bootstrap(data.agent_id, null)
        },
        async conversation_created({ data }) {
          learned.bootstrap(data.agent_id, data.conversation_id)
        },
      },
    },
    stop() {
      learned.stop()
      ending.abort(new Error('the runtime is stopping'))
    },
    status() {
      const { active, to_review } = memories.counts(now())
      const waiting = to_review > 0 ? ` ${to_review} to review.` : ''
      return { works: true, note: `${active} ${active === 1 ? 'memory' : 'memories'}.${waiting}` }
    },
  }
}
