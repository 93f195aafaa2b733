// Memories, questions and messages for measuring time: any number of memories, all different, the same in every run.
import type { MemoryKind } from '@tandem/contract/memory'
import { extractMemories } from '../packages/runtime/src/memory/rule/extract/extract.ts'
import { loadMonth, type MonthMessage } from './memory-month-data.ts'
import { type SubjectType, shares, templates, words } from './memory-words.ts'
import { seeded } from './recall-data.ts'

export const dimension = 512
export const agentCount = 4

export interface BenchMemory {
  readonly memory_kind: MemoryKind
  readonly subject: string
  readonly content: string
  /** One of the agents; null for what all of them share. */
  readonly agent: number | null
  /** Where it was learned; null for what was added by hand. */
  readonly conversation: number | null
  /** Words that end an earlier memory. */
  readonly revokes: readonly string[] | null
  readonly created_at: string
}

const started = Date.parse('2026-01-05T08:00:00.000Z')
const perConversation = 8
const byHand = 0.02

/** The first `count` are the memories that are there; the others are to be added. */
export function benchMemories(count: number, more: number): readonly BenchMemory[] {
  const random = seeded(17)
  const index = (length: number) => Math.floor(random() * length)
  const pick = <Item>(list: readonly Item[]): Item => list[index(list.length)] as Item
  const workspaces = Math.max(4, Math.min(400, Math.round(count / 250)))
  const people = Math.max(20, Math.min(1_600, Math.round(count / 20)))
  const name = (no: number) => `${words.first[no % 40]} ${words.last[(no + Math.floor(no / 40)) % 40]}`
  const workspace = (no: number) => `workspace:${words.place[no % 20]}-${words.project[Math.floor(no / 20)]}`

  function subjectOf(type: SubjectType): { readonly subject: string; readonly agent: number } {
    if (type === 'user') return { subject: 'user', agent: index(agentCount) }
    const no = index(type === 'workspace' ? workspaces : people)
    return { subject: type === 'workspace' ? workspace(no) : `entity:${name(no)}`, agent: no % agentCount }
  }

  function chosenKind(): (typeof shares)[number] {
    let left = random()
    for (const share of shares) {
      left -= share[0]
      if (left < 0) return share
    }
    return shares[0] as (typeof shares)[number]
  }

  const seen = new Set<string>()
  const memories: BenchMemory[] = []
  while (memories.length < count + more) {
    const [, type, memory_kind] = chosenKind()
    const { subject, agent } = subjectOf(type)
    const tools: string[] = []
    const content = pick(templates[type][memory_kind] ?? []).replace(/\{(\w+)\}/g, (_, slot: string) => {
      if (slot === 'name') return subject.slice('entity:'.length)
      const most = Number(slot)
      if (most > 0) return String(1 + index(most))
      const word = pick<string>(words[slot as keyof typeof words])
      if (slot === 'tool') tools.push(word)
      return word
    })
    const key = `${subject} ${content}`
    if (seen.has(key)) continue
    seen.add(key)
    const isEnding = /^\S+ is out|^I stop paying/.test(content)
    const no = memories.length
    memories.push({
      memory_kind,
      subject,
      content,
      agent: type === 'user' && memory_kind === 'preference' ? null : agent,
      conversation: random() < byHand ? null : agent + agentCount * Math.floor(no / (perConversation * agentCount)),
      revokes: isEnding ? tools.slice(0, 1) : null,
      created_at: new Date(started + no * 60_000).toISOString(),
    })
  }
  return memories
}

/** Requests of the months, questions about what is stored, and words of it. */
export function benchQueries(memories: readonly BenchMemory[], count: number): readonly string[] {
  const asked = ['tuning', 'tuning-2'].flatMap((half) => loadMonth(half).requests.map(({ request }) => request))
  const random = seeded(23)
  return Array.from({ length: count }, (_, no) => {
    const { content = '', subject = '' } = memories[Math.floor(random() * memories.length)] ?? {}
    if (no % 3 === 0) return asked[no % asked.length] ?? ''
    const about = subject.replace(/^\w+:/, '')
    const said = content.split(' ').slice(no % 5, (no % 5) + 6)
    return no % 3 === 1 ? `What did we say about ${said.slice(2).join(' ')} for ${about}?` : said.join(' ')
  })
}

export interface BenchConversation {
  /** The user and the agent, in turns. */
  readonly messages: readonly Pick<MonthMessage, 'author' | 'text'>[]
  /** What the local rules find in it. */
  readonly facts: readonly string[]
}

/** Both months, divided into conversations of `length` messages; the rest is left out. */
export function benchConversations(length: number): readonly BenchConversation[] {
  const messages = ['tuning', 'tuning-2'].flatMap((half) => loadMonth(half).messages)
  const of = (author: MonthMessage['author']) => messages.filter((message) => message.author === author)
  const [said, answered] = [of('person'), of('agent')]
  const turns = length / 2
  return Array.from({ length: Math.floor(Math.min(said.length, answered.length) / turns) }, (_, no) => {
    const [theirs, ours] = [said, answered].map((list) => list.slice(no * turns, (no + 1) * turns))
    const facts = (theirs ?? []).flatMap(({ text, workspace, at }) => extractMemories({ text, workspace, at, before: [] }))
    return {
      messages: (theirs ?? []).flatMap((one, turn) => [one, ours?.[turn] ?? one]).map(({ author, text }) => ({ author, text })),
      facts: facts.map(({ content }) => content),
    }
  })
}
