// The only way into the store of memories: what does not pass the rules is dropped, with its reason.
import type { Memory, MemoryQuote } from '@tandem/contract/memory'
import { timestamp } from '../clock/clock.ts'
import type { MessageRecord } from '../journal/messages.ts'
import { atOnce, type SlicedWork } from '../scheduler/slices.ts'
import { type GivenTextPorts, givenTexts } from './given-texts.ts'
import type { DroppedCounts } from './record/dropped.ts'
import type { Exclusions } from './record/exclusions.ts'
import type { ForgottenWords } from './record/forgotten.ts'
import type { Memories, NewMemory } from './record/memories.ts'
import { isAboutSpeaker } from './rule/about.ts'
import { type Candidate, judge, type RefusalReason, type Said, type Verdict } from './rule/candidate.ts'
import { containsAll, isRepeated, isSaidOf } from './rule/repeated.ts'
import type { Likeness } from './rule/replace/meaning.ts'
import { canReplace, type Replaced, replacedBy } from './rule/replace/replaced.ts'
import { slotOf } from './rule/resolve/slots.ts'
import { overlap, spansOf } from './rule/spans.ts'
import { needsReview } from './rule/visible.ts'

export interface Proposal extends Candidate {
  readonly confidence: number
  /** Words that end an earlier memory. */
  readonly revokes?: readonly string[] | null
  /** The memory that it replaces, as a model sees it. Checked before it counts. */
  readonly replaces?: string | null
  /** Not written unless it replaces something that is known. */
  readonly isTentative?: boolean
  /** It is tentative, and its words only hint at a change. */
  readonly isHint?: boolean
  /** The same proposal again has the same key. */
  readonly origin_key: string
  /** When it was said; now when absent. */
  readonly at?: string
  /** Messages whose words its text may have besides those that it quotes. */
  readonly leansOn?: readonly string[]
}

export interface Occasion {
  readonly agent_id: string
  readonly conversation_id: string
  readonly run_id: string | null
  readonly source_type: Memory['source_type']
}

export interface Remembered {
  readonly written: readonly Memory[]
  readonly dropped: readonly { readonly proposal: Proposal; readonly reason: RefusalReason | 'not_remembered' | 'forgotten' }[]
}

export interface RememberPorts extends GivenTextPorts {
  readonly memories: Memories
  readonly exclusions: Pick<Exclusions, 'has'>
  readonly dropped: Pick<DroppedCounts, 'add'>
  readonly forgotten: Pick<ForgottenWords, 'of' | 'isBeforeUser' | 'isTouched'>
  /** Whether the preferences of the user that this agent learns are for all agents. */
  sharesPreferences(agent_id: string): boolean
}

/** What is compared with new statements, read once. */
export interface Reading {
  readonly said: Said
  /** Grows with what is written. */
  readonly known: Memory[]
  /** What the texts of the proposals and of what they may replace mean; absent if that is not known. */
  readonly likeness?: Likeness | undefined
}

export interface Remember {
  /** Needed only to write in several transactions. In slices. */
  read(occasion: Occasion): SlicedWork<Reading>
  /** In one transaction of the caller. */
  write(proposals: readonly Proposal[], occasion: Occasion, reading?: Reading): Remembered
  /** What the user wrote in a conversation, and before the point at which it branched from another one. */
  own(conversation_id: string): readonly MessageRecord[]
  /** What the rules say about proposals, without writing them. */
  judging(conversation_id: string): (candidate: Candidate) => Verdict
  isExcluded(agent_id: string, conversation_id: string | null): boolean
  /** What the user may replace with what is said to this agent, the oldest first. */
  known(agent_id: string): readonly Memory[]
}

/** How many memories, the newest, a statement may replace. */
const mostCompared = 2_000
const pageSize = 100

export function openRemember(ports: RememberPorts): Remember {
  const { memories, exclusions, journal, dropped: counts, forgotten, sharesPreferences } = ports
  const isExcluded = exclusions.has

  function saidIn(conversation_id: string): Said {
    const given = givenTexts(ports, conversation_id)
    const { own } = given
    let tools: readonly string[] | null = null
    let recalled: readonly string[] | null = null
    return {
      persons: (id) => own.get(id)?.text,
      person: [...own.values()].map(({ text }) => text),
      // Read once, and only if there is something to compare with it.
      get tools() {
        tools ??= given.tools()
        return tools
      },
      get recalled() {
        recalled ??= given.recalled()
        return recalled
      },
      workspace: journal.conversations.get(conversation_id)?.workspace ?? null,
    }
  }

  /**
   * What the user may have replaced, the oldest first. What waits for the user's review is left out: it must not reach a model. What holds
   * in one conversation only is no reason to change what holds in all.
   */
  function* knownTo(agent_id: string): SlicedWork<Memory[]> {
    const isOwn = !sharesPreferences(agent_id)
    const newest: Memory[] = []
    for (let last: Memory | null = null; newest.length < mostCompared; ) {
      const page: readonly Memory[] = memories.page({ agent_id, states: ['active'] }, last, pageSize)
      newest.push(...page)
      last = page.at(-1) ?? null
      if (page.length < pageSize) break
      yield
    }
    return newest
      .filter((memory) => !memory.only_in_conversation && !needsReview(memory) && !(isOwn && memory.agent_id === null))
      .toReversed()
  }

  /** Statements of the user are about the same thing as what they replace, and for the same agents. */
  function replacedIn(proposal: Proposal, known: readonly Memory[], said: Said, likeness?: Likeness): Replaced | null {
    const { workspace: folder, persons } = said
    const workspace = folderOf(folder)
    const own = new Set(proposal.quotes.map(({ message_id }) => message_id))
    const earlier = known.filter(({ quotes }) => !quotes.some(({ message_id }) => own.has(message_id)))
    const words = wordsOf(proposal)
    const named = earlier.find(({ id }) => id === proposal.replaces)
    if (named && canReplace(`${proposal.content} ${words}`, named)) return { memory: named, memory_kind: proposal.memory_kind }
    const [first] = proposal.quotes
    const text = first ? (persons(first.message_id) ?? '') : ''
    const before = first ? text.slice(0, Math.max(0, text.indexOf(first.excerpt))) : ''
    return replacedBy({ ...proposal, revokes: proposal.revokes ?? [], workspace, words, before }, earlier, likeness)
  }

  /** A branch quotes what was said before it, too. */
  function conversationOf({ message_id }: MemoryQuote): string | undefined {
    const message = journal.messages.get(message_id)
    return message && journal.conversations.at(message.conversation)?.conversation_id
  }

  /** Whether the user has forgotten what was remembered from these words. It may have happened while they were read. */
  function isForgotten(subject: string, { message_id, excerpt }: MemoryQuote): boolean {
    if ((subject === 'user' || isAboutSpeaker(excerpt)) && forgotten.isBeforeUser(message_id)) return true
    const spans = forgotten.of(message_id)
    if (spans.length === 0) return false
    const own = spansOf(excerpt, journal.messages.get(message_id)?.text ?? '')
    return own.length === 0 || own.some((one) => spans.some((other) => overlap(one, other)))
  }

  return {
    isExcluded,
    known: (agent_id) => atOnce(knownTo(agent_id)),
    own: (conversation_id) => [...givenTexts(ports, conversation_id).own.values()],
    judging(conversation_id) {
      const said = saidIn(conversation_id)
      return (candidate) => judge(candidate, said)
    },
    *read({ agent_id, conversation_id }) {
      const known = yield* knownTo(agent_id)
      return { said: saidIn(conversation_id), known }
    },
    write(proposals, occasion, reading) {
      const { agent_id, conversation_id, run_id, source_type } = occasion
      if (isExcluded(agent_id, conversation_id))
        return { written: [], dropped: proposals.map((proposal) => ({ proposal, reason: 'not_remembered' })) }
      const said = reading?.said ?? saidIn(conversation_id)
      const known = reading?.known ?? (proposals.some(({ quotes }) => quotes.length > 0) ? atOnce(knownTo(agent_id)) : [])
      const written: Memory[] = []
      const dropped: Remembered['dropped'][number][] = []
      for (const given of proposals) {
        const proposal = { ...given, quotes: given.quotes.filter((quote) => !isForgotten(given.subject, quote)) }
        const isLeft = (proposal.quotes.length > 0 || given.quotes.length === 0) && !given.leansOn?.some(forgotten.isTouched)
        const kept = isLeft ? known.filter((memory) => isKept(proposal, memory, source_type)) : []
        // When an agent keeps words of the user, it does not change what they change.
        const change = kept.length > 0 ? replacedIn(proposal, known, said, reading?.likeness) : null
        const isChange = change !== null || (proposal.revokes ?? []).length > 0
        const isKnown = kept.length > 0 && !isChange && isRepeated(proposal, kept)
        const verdict = !isLeft ? forgottenWords : isKnown ? recalled : judge(proposal, said)
        if (!verdict.ok) {
          dropped.push({ proposal, reason: verdict.reason })
          counts.add(verdict.reason, 1)
          continue
        }
        const { content, confidence, origin_key, procedure = null, tags = [], at } = proposal
        const isStated = verdict.authority === 'person' && procedure === null
        const updated = proposal.updates ? { memory: proposal.updates, memory_kind: proposal.memory_kind } : null
        const found = updated ?? (isStated ? (change ?? replacedIn(proposal, known, said, reading?.likeness)) : null)
        // It may have been edited or forgotten since it was read.
        const replaced = found && memories.get(found.memory.id)?.content === found.memory.content ? found : null
        if (proposal.isTentative && !replaced) continue
        // Who someone is to the user is said by the user.
        const isConclusion = verdict.quotes.length === 0 && !proposal.updates && proposal.memory_kind === 'relationship'
        const memory_kind = isConclusion ? 'semantic' : (replaced ?? proposal).memory_kind
        const { subject } = replaced?.memory ?? proposal
        const { id: replaced_id } = replaced?.memory ?? { id: null }
        const isShared = memory_kind === 'preference' && subject === 'user' && verdict.authority === 'person' && sharesPreferences(agent_id)
        const owner = replaced ? replaced.memory.agent_id : isShared ? null : agent_id
        const contained = isStated ? kept.filter((one) => isPartOf(one, { ...proposal, agent_id: owner })) : []
        const memory: NewMemory = {
          agent_id: owner,
          conversation_id,
          only_in_conversation: replaced?.memory.only_in_conversation ?? false,
          memory_kind,
          subject,
          slot: procedure === null ? slotOf({ memory_kind, subject, content }) : null,
          content: content.trim(),
          quotes: verdict.quotes.map((quote) => ({ ...quote, conversation_id: conversationOf(quote) ?? conversation_id })),
          procedure,
          confidence,
          source_type,
          source_run_id: run_id,
          authority: verdict.authority,
          tags: [...tags],
          origin_key,
          supersedes: [...(replaced_id === null ? [] : [replaced_id]), ...contained.map(({ id }) => id)],
          // What its words end is known already.
          revokes: replaced_id === null ? (proposal.revokes ?? null) : null,
          ...(at === undefined ? {} : { created_at: after(contained, at) }),
        }
        const added = memories.add(memory)
        written.push(added)
        known.push(added)
      }
      return { written, dropped }
    },
  }
}

const recalled = { ok: false, reason: 'recalled' } as const
const forgottenWords = { ok: false, reason: 'forgotten' } as const

/** Whether an agent kept words that a flush reads, or the other way around. Its own are written twice on no account: they have keys. */
function isKept(proposal: Proposal, memory: Memory, source_type: Memory['source_type']): boolean {
  return !proposal.updates && memory.source_type !== source_type && isSaidOf(proposal, memory)
}

/** What the user confirmed stays as it is. */
function isPartOf(kept: Memory, { content, agent_id }: Pick<Memory, 'content' | 'agent_id'>): boolean {
  return !kept.confirmed_by_user && kept.agent_id === agent_id && containsAll(content, kept.content)
}

/** A memory replaces only older ones. */
function after(replaced: readonly Memory[], at: string): string {
  const times = replaced.map(({ created_at }) => Date.parse(created_at) + 1)
  return timestamp(Math.max(Date.parse(at), ...times))
}

/** The user's own words where it has some. */
export function wordsOf({ quotes, content }: Pick<Proposal, 'quotes' | 'content'>): string {
  return quotes.map(({ excerpt }) => excerpt).join(' ') || content
}

/** The name of a workspace, as subjects have it. */
export function folderOf(workspace: string | null): string | null {
  return workspace?.split(/[\\/]/).filter(Boolean).at(-1) ?? null
}
