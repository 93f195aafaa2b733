// Measures the rules of resolution with a scripted month: which values that changed are superseded, and by what, and whether anything is
// superseded that still holds. Prints figures only. Usage: node bench/memory-resolution.ts tuning|held-out
import type { Memory } from '@tandem/contract/memory'
import { applyChanges, resolveMemories } from '../packages/runtime/src/memory/rule/resolve/resolve.ts'
import { stems } from '../packages/runtime/src/memory/rule/resolve/revoke.ts'
import { slotThreshold } from '../packages/runtime/src/memory/rule/resolve/slot-assignment.ts'
import { slotOf } from '../packages/runtime/src/memory/rule/resolve/slots.ts'
import { type ExpectedItem, loadMonth } from './memory-month-data.ts'

const half = process.argv[2]
if (half !== 'tuning' && half !== 'held-out') throw new Error('Usage: node bench/memory-resolution.ts tuning|held-out')
const month = loadMonth(half)
const items = month.expected
const messages = new Map(month.messages.map((message) => [message.id, message]))

measure('statements of the list', ({ statement }) => statement)
measure('her own words', ownWords)

function measure(title: string, contentOf: (item: ExpectedItem) => string) {
  const contents = new Map(items.map((item) => [item.id, contentOf(item)]))
  const memories = items.map((item) => memoryOf(item, contents.get(item.id) ?? ''))
  const revokes = new Map(items.flatMap(({ id }) => endingWords(contents.get(id) ?? '').map((words) => [id, words] as const)))
  const similar = pairsOf(items).map(([left, right]) => ({
    left: left.id,
    right: right.id,
    score: similarity(contents.get(left.id) ?? '', contents.get(right.id) ?? ''),
  }))
  const none = { memories, decisions: [], revokes: new Map(), similar: [] }
  const bySlot = supersededIn(memories, resolveMemories(none).changes)
  const byWords = supersededIn(memories, resolveMemories({ ...none, revokes }).changes)
  const bySimilarity = supersededIn(memories, resolveMemories({ ...none, revokes, similar }).changes)
  const replaced = items.filter(({ change }) => change === 'replaced')
  const revoked = items.filter(({ change }) => change === 'revoked')
  const subjectOf = new Map(items.map(({ id, about }) => [id, about]))
  const reachable = replaced.filter(({ about, replaced_by }) => about === subjectOf.get(replaced_by ?? ''))
  const count = (list: readonly ExpectedItem[], ids: ReadonlySet<string>) => list.filter(({ id }) => ids.has(id)).length
  // One sentence that states two items gives one memory.
  const stated = Map.groupBy(items, ({ id }) => contents.get(id))
  const holds = items.filter(({ id, change }) => change === null && stated.get(contents.get(id))?.length === 1)
  const slotPairs = pairsOf(items).filter(([left, right]) => {
    const [leftSlot, rightSlot] = [left, right].map((item) => slotOf(memoryOf(item, contents.get(item.id) ?? '')))
    return leftSlot !== null && leftSlot === rightSlot
  })
  console.log(`\n${title}`)
  console.table({
    'replaced pairs': replaced.length,
    'of these with the same subject': reachable.length,
    'superseded by slot': count(replaced, bySlot),
    'and with the words that revoke': count(replaced, byWords),
    [`and with similarity of at least ${slotThreshold}`]: count(replaced, bySimilarity),
    'revoked items': revoked.length,
    'of these superseded': count(revoked, bySimilarity),
    'items that still hold': holds.length,
    'of these superseded by slot': count(holds, bySlot),
    'of these superseded by anything': count(holds, bySimilarity),
    'items with a slot': items.filter((item) => slotOf(memoryOf(item, contents.get(item.id) ?? '')) !== null).length,
    'pairs of one subject': pairsOf(items).length,
    'pairs in the same slot': slotPairs.length,
  })
}

function supersededIn(memories: readonly Memory[], changes: Parameters<typeof applyChanges>[1]): ReadonlySet<string> {
  return new Set(
    applyChanges(memories, changes)
      .filter(({ state }) => state === 'superseded')
      .map(({ id }) => id),
  )
}

function memoryOf({ id, kind, about, from }: ExpectedItem, content: string): Memory {
  const at = new Date(messages.get(from)?.at ?? 0).toISOString()
  return {
    id,
    agent_id: null,
    conversation_id: null,
    only_in_conversation: false,
    memory_kind: kind,
    subject: about,
    slot: null,
    content,
    quotes: [],
    procedure: null,
    state: 'active',
    state_reason: null,
    confidence: 1,
    source_type: 'memory_flush',
    source_run_id: null,
    authority: 'person',
    confirmed_by_user: false,
    expires_at: null,
    conflicts_with: [],
    supersedes: [],
    last_used_at: null,
    use_count: 0,
    tags: [],
    created_at: at,
    updated_at: at,
    version: 1,
  }
}

/** The shortest run of sentences in the first message that has the words the statement needs; of equal ones the most similar. */
function ownWords({ statement, contains, from }: ExpectedItem): string {
  const sentences = (messages.get(from)?.text ?? '').split(/(?<=[.!?])\s+|\n+/u).filter((sentence) => sentence.trim() !== '')
  const runs = sentences.flatMap((_, start) => sentences.slice(start).map((_last, length) => sentences.slice(start, start + length + 1)))
  const telling = runs.filter((run) =>
    contains.every((words) => words.split('|').some((word) => run.join(' ').toLowerCase().includes(word.toLowerCase()))),
  )
  const [best] = (telling.length > 0 ? telling : runs).toSorted(
    (left, right) => left.length - right.length || similarity(right.join(' '), statement) - similarity(left.join(' '), statement),
  )
  return best?.join(' ') ?? statement
}

/** A stand-in for extraction: the commonest ways in which words end something. */
function endingWords(content: string): readonly (readonly string[])[] {
  const patterns = [
    /(?:instead of|rather than|no longer|no more|scrap|replacing|drop)\s+(?:the\s+)?([\p{L}\p{N}:.'-]+(?:\s(?!because|since|so|as|for|in|on)[\p{L}-]+)?)/iu,
    /^(?:the\s+|and\s+|so\s+)?([\p{L}\p{N} -]{3,30}?)\s(?:is|are|was|were)\s(?:out|dead|gone|off|dropped|scrapped|shelved|history|cancelled|taken out)/iu,
    /^([\p{L}\p{N}-]+) out,/iu,
    /^so no ([\p{L}-]+(?: [\p{L}-]+)?)(?:$|[.,])/iu,
  ]
  const found = patterns.flatMap((pattern) => pattern.exec(content)?.[1] ?? [])
  return found.length === 0 ? [] : [[found[0] ?? '']]
}

function pairsOf(list: readonly ExpectedItem[]): readonly (readonly [ExpectedItem, ExpectedItem])[] {
  return list.flatMap((left, index) =>
    list.slice(index + 1).flatMap((right) => (left.about === right.about ? [[left, right] as const] : [])),
  )
}

/** A stand-in for recall: the cosine of the sets of words. */
function similarity(left: string, right: string): number {
  const [leftWords, rightWords] = [stems(left), stems(right)]
  const shared = [...leftWords].filter((word) => rightWords.has(word)).length
  return shared / Math.max(1, Math.sqrt(leftWords.size * rightWords.size))
}
