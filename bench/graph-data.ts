// Memories about people and what they maintain, from which Tandem builds a graph of at least 2,000 entities.
import type { Memory } from '@tandem/contract/memory'

const firsts =
  'Ada Bela Cora Dario Edith Fabio Greta Henrik Ivana Jonas Katja Lorenz Marit Nils Olga Petra Quentin Rosa Stefan Tilda Ulrich Vera Walter Xenia Yannick Zora'.split(
    ' ',
  )
const lasts =
  'Abelson Bergmann Castell Dahlberg Engstrom Falkner Granlund Hartwig Isaksen Jankovic Kessler Lindholm Marquard Norberg Ostergard Pettersen Quarles Rasmus Sandberg Thorsen Ullmann Vestergaard Wallin Yardley Zeller'.split(
    ' ',
  )
const words =
  'Amber Basalt Cedar Delta Ember Fjord Garnet Harbor Indigo Jasper Kelvin Lagoon Maple Nectar Onyx Pepper Quartz Raven Saffron Topaz Umbra Velvet Willow Yonder Zephyr'.split(
    ' ',
  )

const channels = ['Slack', 'Signal', 'WhatsApp', 'Telegram', 'Discord', 'email']

/** Two for each person: what only they maintain, and the channel that they share with others. At most 1,000 people. */
export function relationshipMemories(people: number): readonly Memory[] {
  return Array.from({ length: people }, (_, at) => {
    const [low, high, again] = [at % 25, Math.floor(at / 25) % 25, Math.floor(at / 625)]
    const person = `${firsts[(low + high + again * 7) % 26]} ${lasts[low]}-${lasts[high]}`
    const service = `${words[low]}${words[high]}${again === 0 ? '' : 'Two'}`
    return [
      memoryAt(2 * at, person, `${person} maintains the ${service} service.`),
      memoryAt(2 * at + 1, person, `${person} expects updates via ${channels[at % channels.length]}.`),
    ]
  }).flat()
}

function memoryAt(at: number, person: string, content: string): Memory {
  const created_at = new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString()
  return {
    ...{
      id: `01a00000-0000-7000-8000-${String(at).padStart(12, '0')}`,
      agent_id: null,
      conversation_id: null,
      only_in_conversation: false,
    },
    ...{ memory_kind: 'relationship' as const, subject: `entity:${person}`, slot: null, content, quotes: [], procedure: null },
    ...{ state: 'active' as const, state_reason: null, confidence: 1, source_type: 'user_statement' as const, source_run_id: null },
    ...{ authority: 'person' as const, confirmed_by_user: true, expires_at: null, conflicts_with: [], supersedes: [], last_used_at: null },
    ...{ use_count: 0, tags: [], created_at, updated_at: created_at, version: 1 },
  }
}
