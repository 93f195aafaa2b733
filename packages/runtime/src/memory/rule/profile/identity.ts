// What an agent knows about itself: its own description, and what the user said about it. Pure.
import type { AgentIdentityProfile, Memory } from '@tandem/contract/memory'
import { evidenceOf, mergedSignals, sureness } from './signals.ts'

export interface AgentDescription {
  readonly agent_id: string
  readonly conversation_id: string | null
  readonly name: string
  readonly description: string
  readonly identity: { readonly role: string; readonly tone: string | null }
  readonly instructions: string
}

export type IdentityParts = Pick<AgentIdentityProfile, 'name' | 'role' | 'purpose' | 'principles' | 'boundaries' | 'signals'> & {
  /** Null if neither the description nor the user states one. */
  readonly tone: string | null
}

const mostRules = 50
const boundary = /\b(?:never|not|don['’]t|no|nothing|only|without|must not|mustn['’]t|may not|avoid|refuse|isn['’]t|cannot|can['’]t)\b/i
const rule = /\b(?:always|should|must|prefer|keep|make sure|whenever|before|after|first|every|you (?:are|do|write|answer|check|handle))\b/i
const toneWords = /\b(?:tone|voice|sound|friendly|formal|informal|polite|blunt|terse|warm|dry|cheerful|calm)\b/i

/** `memories` may contain any; only those of the user about this agent count. */
export function identityFrom(agent: AgentDescription, memories: readonly Memory[]): IdentityParts {
  const known = memories.filter((memory) => isAboutAgent(memory, agent)).toSorted((left, right) => (left.id < right.id ? -1 : 1))
  const said = known.map(({ content }) => line(content))
  const instructed = agent.instructions.split(/(?<=[.!?])\s+|\n+/).map((text) => line(text.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '')))
  const rules = unique([...said, ...instructed.filter((text) => boundary.test(text) || rule.test(text))])
  const spoken = known.findLast(({ content }) => toneWords.test(content))
  return {
    name: agent.name,
    role: agent.identity.role,
    purpose: agent.description,
    tone: spoken ? line(spoken.content) : agent.identity.tone,
    principles: rules.filter((text) => !boundary.test(text)).slice(0, mostRules),
    boundaries: rules.filter((text) => boundary.test(text)).slice(0, mostRules),
    signals: mergedSignals(
      known.map((memory) => ({
        name: memory.slot ?? memory.memory_kind,
        value: line(memory.content),
        confidence: sureness(memory),
        evidence: evidenceOf(memory),
      })),
    ),
  }
}

function isAboutAgent(memory: Memory, { agent_id, conversation_id }: AgentDescription): boolean {
  const isOwn = memory.agent_id === null || memory.agent_id === agent_id
  const isHere = !memory.only_in_conversation || (memory.conversation_id !== null && memory.conversation_id === conversation_id)
  return memory.subject === 'agent' && memory.state === 'active' && memory.authority === 'person' && isOwn && isHere
}

function line(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 500)
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text !== ''))]
}
