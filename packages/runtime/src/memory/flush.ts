// A flush: everything of a conversation that was not read yet becomes memories. Doing it again, or after a crash, changes nothing.
import type { Memory, MemoryFlushReason, MemoryResolution } from '@tandem/contract/memory'
import { timestamp } from '../clock/clock.ts'
import type { Events } from '../event/events.ts'
import type { Journal } from '../journal/journal.ts'
import { inSlices, othersFirst } from '../scheduler/slices.ts'
import type { Store } from '../store/store.ts'
import { type BackgroundModel, extractWithModel, isByModel } from './extract-with-model.ts'
import type { Meanings } from './meanings.ts'
import type { DroppedCounts } from './record/dropped.ts'
import type { FlushMarks } from './record/flush-marks.ts'
import type { ForgottenWords } from './record/forgotten.ts'
import { folderOf, type Proposal, type Remember, type Remembered, wordsOf } from './remember.ts'
import type { ResolutionCycle } from './resolution-cycle.ts'
import type { Verdict } from './rule/candidate.ts'
import { extractMemories } from './rule/extract/extract.ts'
import { compileSignals } from './rule/extract/signals.ts'
import { haveSameWords } from './rule/repeated.ts'
import { comparedTexts } from './rule/replace/meaning.ts'
import { prepareComparison, relatedTo } from './rule/replace/replaced.ts'
import { compileSlotsFor } from './rule/resolve/slots.ts'
import { spansOf } from './rule/spans.ts'
import { inParts } from './transcript-parts.ts'
import { type ReadMessage, unreadOf, withoutForgotten } from './unread.ts'

export interface Flushed {
  readonly memories: readonly Memory[]
  readonly resolution: MemoryResolution
  readonly dropped: Remembered['dropped']
  readonly messages: number
}

export interface FlushPorts {
  readonly store: Store
  readonly journal: Journal
  readonly events: Events
  readonly marks: FlushMarks
  readonly remember: Remember
  readonly cycle: ResolutionCycle
  readonly background: BackgroundModel
  /** Absent if statements are compared by their words alone. */
  readonly meanings?: Meanings
  readonly dropped: Pick<DroppedCounts, 'add'>
  readonly forgotten: Pick<ForgottenWords, 'isTouched'>
  /** A process that lives for one command does not wait for a model unless the user does. */
  readonly life: 'resident' | 'errand'
  /** Whether a proposal with this key was written before. */
  isWritten(origin_key: string): boolean
  /** What was remembered from a conversation, in every state. */
  learnedIn(conversation_id: string): readonly Memory[]
  /** Profiles and relationships, in the transaction of the flush. */
  learned(memories: readonly Memory[], agent_id: string): void
  log(line: string): void
}

export interface Flush {
  /** One at a time per conversation. */
  run(conversation_id: string, reason: MemoryFlushReason, signal: AbortSignal): Promise<Flushed>
}

interface Reading {
  readonly messages: readonly ReadMessage[]
  readonly agent_id: string
  readonly conversation_id: string
  readonly folder: string | null
  /** Null while only the rules read. */
  readonly model: BackgroundModel | null
}

const nothing: Flushed = { memories: [], resolution: { conflicting: [], superseded: [], archived: [] }, dropped: [], messages: 0 }

/** Earlier messages that a message may refer to. */
const contextMessages = 6
/** Memories that the model is shown, to say which of them are replaced. */
const mostKnown = 40
const step_ms = 5

export function openFlush(ports: FlushPorts): Flush {
  const { store, journal, events, marks, remember, cycle, background, meanings, dropped: counts, life, isWritten, learned, log } = ports
  const { isTouched } = ports.forgotten
  const turns = new Map<string, Promise<unknown>>()

  async function flush(conversation_id: string, reason: MemoryFlushReason, signal: AbortSignal): Promise<Flushed> {
    const conversation = journal.conversations.get(conversation_id)
    if (!conversation) return nothing
    const { agent_id, no, workspace } = conversation
    const unread = unreadOf(journal, no)
    if (unread.through.length === 0) return nothing
    const begun = store.clock.elapsed()
    const about = { agent_id, conversation_id }
    const through_seq = unread.through.at(-1)?.seq ?? 0
    events.emit('memory_flush_triggered', about, { reason, through_seq })
    const folder = folderOf(workspace)
    const isExcluded = remember.isExcluded(agent_id, conversation_id)
    // What the rules find is known at once. The messages stay unread until the model reads them: in a review, or in a runtime that stays.
    const isForLater = life === 'errand' && (reason === 'run_end' || reason === 'compaction') && background.current() !== null
    const model = isForLater ? null : background
    const proposals = isExcluded ? [] : await proposalsFor({ ...unread, ...about, folder, model }, signal)
    signal.throwIfAborted()
    const occasion = { ...about, run_id: unread.through.at(-1)?.run.run_id ?? null, source_type: 'memory_flush' } as const
    const read = await inSlices(remember.read(occasion), store.clock.elapsed)
    if (life === 'resident') await inSlices(prepareComparison(read.known), store.clock.elapsed)
    const likeness = await likenessOf(proposals, read.known, signal)
    // Meanwhile another conversation may have written.
    const known = { ...(likeness ? await inSlices(remember.read(occasion), store.clock.elapsed) : read), likeness }
    signal.throwIfAborted()
    const { resolution } = structuredClone(nothing)
    const memories: Memory[] = []
    const dropped: Remembered['dropped'][number][] = []
    const write = (proposal: Proposal) => {
      const result = remember.write([proposal], occasion, known)
      const resolved = cycle.apply(result.written)
      learned(result.written, agent_id)
      memories.push(...result.written)
      dropped.push(...result.dropped)
      for (const kind of ['conflicting', 'superseded', 'archived'] as const)
        resolution[kind] = [...new Set([...resolution[kind], ...resolved[kind]])]
    }
    const finish = () => {
      if (!isForLater || isExcluded) for (const { run, seq } of unread.through) marks.advance(run.no, seq)
      const duration_ms = Math.round(store.clock.elapsed() - begun)
      events.emit('memory_flush_completed', about, { reason, memory_ids: memories.map(({ id }) => id), resolution, duration_ms })
    }
    await inTransactions(proposals, write, finish, signal)
    return { memories, resolution, dropped, messages: unread.messages.length }
  }

  /** What a proposal replaces may be among the other proposals. A process that lives for one command does not start the embedder. */
  async function likenessOf(proposals: readonly Proposal[], known: readonly Memory[], signal: AbortSignal) {
    if (!meanings || life === 'errand') return undefined
    const contents = [...known, ...proposals.filter(({ isTentative }) => isTentative !== true)].map(({ content }) => content)
    const texts = await inSlices(comparedTexts(proposals.map(wordsOf), contents), store.clock.elapsed)
    return await meanings.likenessOf(texts, signal)
  }

  /**
   * In short transactions; `finish` is in the last one. After a crash in between, the messages are read again, and what was written has its
   * key: it is not written twice. A model may find other words then, so what it found is written in one transaction.
   */
  async function inTransactions(
    proposals: readonly Proposal[],
    write: (proposal: Proposal) => void,
    finish: () => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = store
    const longest_ms = proposals.some(isByModel) ? Number.POSITIVE_INFINITY : step_ms
    const left = proposals.values()
    for (let isDone = false; !isDone; ) {
      signal.throwIfAborted()
      isDone = store.transaction(() => {
        const begun = clock.elapsed()
        do {
          const { value, done } = left.next()
          if (done) {
            finish()
            return true
          }
          write(value)
        } while (clock.elapsed() - begun < longest_ms)
        return false
      })
      await othersFirst()
    }
  }

  /** Of the model if it may be used and answers properly; of the local rules otherwise. What the rules wrote before stays as it is. */
  async function proposalsFor(reading: Reading, signal: AbortSignal): Promise<readonly Proposal[]> {
    const { messages, agent_id, folder, model } = reading
    const local = withoutKept(await readByRules(messages, folder, signal), reading)
    const { written = [], fresh = [] } = Object.groupBy(local, ({ origin_key }) => (isWritten(origin_key) ? 'written' : 'fresh'))
    const shown = withoutForgotten(messages, isTouched)
    if (!model?.current() || !shown.some(({ author }) => author === 'person')) return fresh
    const extracted = await readByModel(shown, agent_id, model, signal)
    const proposals = extracted
      .filter((one) => !written.some((other) => haveSameWords(one, other)))
      .map((one) => (one.subject === 'workspace:' ? { ...one, subject: folder === null ? 'user' : `workspace:${folder}` } : one))
    // Where the model and the rules quote the same words, the model's sentence is kept, unless it will be dropped or must be reviewed.
    const judged = remember.judging(reading.conversation_id)
    const kept = proposals.filter((one) => !one.leansOn?.some(isTouched) && isCertain(judged(one)))
    return [...proposals, ...withoutKept(fresh, reading).filter((one) => !kept.some((other) => haveSameWords(one, other)))]
  }

  /** The model does not read such a message again, but it may have read it before, and its sentences are kept. */
  function withoutKept(local: readonly Proposal[], { conversation_id }: Reading): readonly Proposal[] {
    const isPartlyForgotten = ({ quotes }: Proposal) => quotes.some(({ message_id }) => isTouched(message_id))
    if (!local.some(isPartlyForgotten)) return local
    const learnt = ports.learnedIn(conversation_id)
    return local.filter((one) => !isPartlyForgotten(one) || !learnt.some((memory) => haveSameWords(one, memory)))
  }

  /** In several calls if it is long. Where the model fails, or today's budget is spent, the rules alone count. */
  async function readByModel(
    messages: readonly ReadMessage[],
    agent_id: string,
    model: BackgroundModel,
    signal: AbortSignal,
  ): Promise<readonly Proposal[]> {
    const all = remember.known(agent_id)
    const proposals: Proposal[] = []
    let malformed = 0
    for (const part of inParts(messages)) {
      const said = part.flatMap(({ author, text }) => (author === 'person' ? [text] : [])).join('\n')
      if (said === '') continue
      const extracted = await extractWithModel(model, { messages: part, known: relatedTo(said, all, mostKnown) }, signal)
      if (!extracted.ok) {
        log(`memory: the model was not used: ${extracted.reason}`)
        malformed += Number(extracted.isMalformed)
        continue
      }
      // It may have used words from anywhere in what it read.
      const leansOn = part.map(({ message_id }) => message_id)
      proposals.push(...extracted.proposals.map((one) => ({ ...one, leansOn })))
      malformed += extracted.malformed
    }
    const byKey = new Map(proposals.toReversed().map((one) => [one.origin_key, one]))
    store.transaction(() => {
      counts.add('malformed', malformed)
      counts.add('recalled', proposals.length - byKey.size)
    })
    return [...byKey.values()].toReversed()
  }

  /** In short steps: a long conversation must not hold up everything else. */
  async function readByRules(messages: readonly ReadMessage[], folder: string | null, signal: AbortSignal): Promise<readonly Proposal[]> {
    const { clock } = store
    const proposals: Proposal[] = []
    const usable = new Set(withoutForgotten(messages, isTouched))
    // In a process that lives for one command, nobody else waits, and most of them would be compiled for nothing.
    if (life === 'resident') await inSlices(compileSignals(messages.map(({ text }) => text)), clock.elapsed)
    let begun = clock.elapsed()
    for (const [index, message] of messages.entries()) {
      if (message.author !== 'person') continue
      const before = messages.slice(Math.max(0, index - contextMessages), index).filter((one) => usable.has(one))
      proposals.push(...byRules(message, before, folder))
      if (clock.elapsed() - begun < step_ms) continue
      await othersFirst()
      signal.throwIfAborted()
      begun = clock.elapsed()
    }
    if (life === 'resident') await inSlices(compileSlotsFor(proposals.map(({ content }) => content)), clock.elapsed)
    return proposals
  }

  return {
    run(conversation_id, reason, signal) {
      const before = turns.get(conversation_id) ?? Promise.resolve()
      const turn = before.catch(() => undefined).then(() => flush(conversation_id, reason, signal))
      const settled = turn
        .catch(() => undefined)
        .then(() => {
          if (turns.get(conversation_id) === settled) turns.delete(conversation_id)
        })
      turns.set(conversation_id, settled)
      return turn
    },
  }
}

const isCertain = (verdict: Verdict) => verdict.ok && verdict.authority === 'person'

function byRules(message: ReadMessage, before: readonly ReadMessage[], workspace: string | null): readonly Proposal[] {
  const { text, at, message_id } = message
  const context = before.map((one) => ({ author: one.author, text: one.text }))
  return extractMemories({ text, workspace, at: timestamp(at), before: context }).map(
    ({ quote, revokes, memory_kind, subject, content, confidence, isTentative, isHint }) => {
      const excerpt = text.slice(quote.start, quote.end).slice(0, 2_000)
      // A sentence that cannot be understood alone has words of those before it.
      const isAlone = spansOf(content, excerpt).length > 0
      return {
        memory_kind,
        subject,
        content,
        confidence,
        revokes: revokes?.words ?? null,
        isTentative,
        isHint,
        quotes: [{ message_id, excerpt }],
        origin_key: `rules:${message_id}:${quote.start}-${quote.end}:${memory_kind}`,
        at: timestamp(at),
        ...(isAlone ? {} : { leansOn: [message_id, ...before.map((one) => one.message_id)] }),
      }
    },
  )
}
