// Which values that changed are superseded when a scripted month is read message by message with local rules, and whether anything is
// superseded that still holds: `node bench/memory-resolution.ts MONTH [--words] [--show]`, of tuning, tuning-2, held-out, fourth, fifth and sixth.
// The last two print figures only. With `--words`, the embedder is not used.
import { readFileSync } from 'node:fs'
import type { Memory } from '@tandem/contract/memory'
import { openMeanings } from '../packages/runtime/src/memory/meanings.ts'
import { type ExtractedMemory, extractMemories } from '../packages/runtime/src/memory/rule/extract/extract.ts'
import { comparedTexts, type Likeness } from '../packages/runtime/src/memory/rule/replace/meaning.ts'
import { replacedBy } from '../packages/runtime/src/memory/rule/replace/replaced.ts'
import { applyChanges, resolveMemories } from '../packages/runtime/src/memory/rule/resolve/resolve.ts'
import { slotOf } from '../packages/runtime/src/memory/rule/resolve/slots.ts'
import { similarPairs } from '../packages/runtime/src/memory/rule/similar.ts'
import { openBundledEmbedder } from '../packages/runtime/src/recall/embed/bundled.ts'
import { atOnce } from '../packages/runtime/src/scheduler/slices.ts'
import { isMonth, loadMonth, type MonthMessage, unreadMonths } from './memory-month-data.ts'

interface Expected {
  readonly id: string
  readonly statement: string
  readonly contains: readonly string[]
  readonly messages: readonly string[]
  readonly change: 'replaced' | 'revoked' | null
}

interface Stored extends ExtractedMemory {
  readonly id: string
  readonly message: MonthMessage
  readonly words: string
}

const [half = '', ...options] = process.argv.slice(2)
const isShown = options.includes('--show')
if (!isMonth(half) || options.some((one) => one !== '--show' && one !== '--words'))
  throw new Error('Usage: node bench/memory-resolution.ts tuning|tuning-2|held-out|fourth|fifth|sixth [--words] [--show]')
if (isShown && unreadMonths.includes(half)) throw new Error('This month prints figures only.')
const embedder = options.includes('--words') ? null : openBundledEmbedder({ after: () => () => undefined })
const meanings = openMeanings({ clock: { after: () => () => undefined }, embedder: () => embedder, log: console.error })

const { messages } = loadMonth(half)
const expected = readFileSync(new URL(`./memory-month/${half}/expected.jsonl`, import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Expected)
const { stored, memories } = await readMonth()
const stateOf = (id: string) => memories.get(id)
const isSuperseded = (id: string) => stateOf(id)?.state === 'superseded'
const changed = expected.filter(({ change }) => change !== null)
const outcomes = changed.map((item) => {
  const old = stored.filter((one) => isStated(one, item))
  return { item, old, isDone: old.length > 0 && old.every(({ id }) => isSuperseded(id)) }
})
const replaced = stored.filter(({ id }) => isSuperseded(id) && stateOf(id)?.state_reason !== 'merged')
const wrong = replaced.filter((one) => expected.filter((item) => isStated(one, item)).every(({ change }) => change === null))
console.log(`${half}: ${stored.length} memories`)
console.log(`values that changed or were revoked: ${changed.length}`)
console.log(`  of these stored: ${outcomes.filter(({ old }) => old.length > 0).length}`)
console.log(`  of these superseded: ${outcomes.filter(({ isDone }) => isDone).length}`)
console.log(`superseded in all: ${replaced.length}, of these still true or not expected: ${wrong.length}`)
if (isShown) {
  for (const { item, old } of outcomes.filter(({ isDone }) => !isDone))
    console.log(`\n${item.id} ${item.change}: ${item.statement}\n  ${old.map(({ content }) => content).join('\n  ') || 'not stored'}`)
  for (const { id, content } of wrong)
    console.log(`\nwrong: ${content}\n  by: ${[...memories.values()].find(({ supersedes }) => supersedes.includes(id))?.content}`)
}

await embedder?.stop()

/** As a flush does it: extracted, compared with what is known, resolved. */
async function readMonth(): Promise<{ readonly stored: readonly Stored[]; readonly memories: ReadonlyMap<string, Memory> }> {
  const [all, known, revokes] = [[] as Stored[], new Map<string, Memory>(), new Map<string, readonly string[]>()]
  for (const [index, message] of messages.entries()) {
    if (message.author !== 'person') continue
    const touched = new Set<string>()
    const found = extractMemories(spoken(message, index))
    const wordsOf = ({ quote }: ExtractedMemory) => message.text.slice(quote.start, quote.end)
    const contents = [...known.values()].filter(({ state }) => state === 'active').map(({ content }) => content)
    const likeness = await meanings.likenessOf(atOnce(comparedTexts(found.map(wordsOf), contents)), new AbortController().signal)
    for (const [at, extracted] of found.entries()) {
      const words = wordsOf(extracted)
      const one: Stored = { ...extracted, id: `${message.id}.${at}`, message, words }
      const memory = placed(one, [...known.values()], likeness)
      if (memory === null) continue
      if (memory.supersedes.length === 0 && extracted.revokes) revokes.set(one.id, extracted.revokes.words)
      all.push(one)
      known.set(memory.id, memory)
      touched.add(groupOf(memory))
    }
    for (const group of touched) {
      const list = [...known.values()].filter((memory) => groupOf(memory) === group)
      const similar = similarPairs(list, new Set(list.map(({ id }) => id)))
      const { changes } = resolveMemories({ memories: list, decisions: [], revokes, similar })
      for (const memory of applyChanges(list, changes)) known.set(memory.id, memory)
    }
  }
  return { stored: all, memories: known }
}

function spoken({ id, conversation, text, workspace, at }: MonthMessage, index: number) {
  const before = messages
    .slice(0, index)
    .flatMap((one) =>
      one.conversation === conversation && one.author !== 'tool' && one.id !== id ? [{ author: one.author, text: one.text }] : [],
    )
  return { text, workspace, at, before: before.slice(-6) }
}

function placed(one: Stored, known: readonly Memory[], likeness: Likeness | undefined): Memory | null {
  const { memory_kind, subject, content, words, message, isHint } = one
  const visible = known.filter(({ id, agent_id }) => (agent_id === null || agent_id === message.agent) && !id.startsWith(`${message.id}.`))
  const { workspace } = message
  const before = message.text.slice(0, one.quote.start)
  const found = replacedBy(
    { memory_kind, subject, content, words, before, workspace, isHint, revokes: one.revokes?.words ?? [] },
    visible,
    likeness,
  )
  if (found === null && one.isTentative) return null
  const isShared = memory_kind === 'preference' && subject === 'user'
  const owner = { agent_id: found ? found.memory.agent_id : isShared ? null : message.agent }
  const about = { memory_kind: found?.memory_kind ?? memory_kind, subject: found?.memory.subject ?? subject, content }
  const created_at = new Date(message.at).toISOString()
  return {
    ...{
      id: one.id,
      ...owner,
      conversation_id: null,
      only_in_conversation: false,
      ...about,
      slot: slotOf(about),
      quotes: [],
      procedure: null,
    },
    ...{ state: 'active', state_reason: null, confidence: 1, source_type: 'memory_flush', source_run_id: null, authority: 'person' },
    ...{ confirmed_by_user: false, expires_at: null, conflicts_with: [], supersedes: found ? [found.memory.id] : [], last_used_at: null },
    ...{ use_count: 0, tags: [], created_at, updated_at: created_at, version: 1 },
  }
}

function groupOf({ subject, agent_id }: Memory): string {
  return JSON.stringify([subject, agent_id])
}

function isStated({ message, content, words }: Stored, { messages: ids, contains }: Expected): boolean {
  const text = `${content}\n${words}`.toLowerCase()
  return ids.includes(message.id) && contains.every((entry) => entry.split('|').some((word) => text.includes(word.toLowerCase())))
}
