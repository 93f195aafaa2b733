// The texts of the relationship graph.

import { relationshipEdgeTexts, relationshipEntityTexts } from '@tandem/contract/memory'
import { translated } from '../language/language.ts'
import { locale } from './locale.ts'

const number = (value: number) => value.toLocaleString(locale)

export const graphWords = translated('memory-graph', {
  title: 'Relationships',
  lead: 'The entities an agent knows (people, things and rules), and how they relate.',
  none: 'Nothing yet. Relationships appear when you mention people, workflows and rules in conversations.',
  noMatch: 'Nothing matches these filters.',
  view: 'View',
  views: { picture: 'Graph', table: 'Table' },
  entityKinds: 'Show entities',
  edgeKinds: 'Show relationships',
  entity: relationshipEntityTexts,
  entities: {
    stakeholder: 'People and organizations',
    workflow: 'Workflows',
    preference: 'Preferences',
    channel: 'Channels',
    resource: 'Resources',
    constraint: 'Rules',
  },
  edges: relationshipEdgeTexts,
  you: 'You',
  youAsObject: 'you',
  edgesOfYou: {
    expects_update_via: 'expect updates via',
    operates_on: 'work on',
    protects: 'protect',
    shapes_output_for: 'shape results for',
  },
  mostConnected: (names: readonly string[]) => `Most connected: ${names.join(', ')}`,
  sources: { stated: 'stated', observed: 'observed', inferred: 'inferred' },
  sums: (entities: number, edges: number, hasMore = false) =>
    `Entities: ${number(entities)}${hasMore ? '+' : ''} · Relationships: ${number(edges)}${hasMore ? '+' : ''}`,
  cut: (edges: number) => `Only the first ${number(edges)} relationships are shown.`,
  picture: 'Relationship graph. Use the arrow keys to move it, and plus and minus to zoom. The table shows the same data.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Show all',
  from: 'From',
  relation: 'Relationship',
  to: 'To',
  via: 'through',
  source: 'Known from',
  pick: (name: string) => `Details of ${name}`,
  open: 'details',
  part: (value: number) => `Part ${number(value)}`,
  clear: 'Close details',
  aliases: 'Also called',
  domain: 'Category',
  mentions: 'Mentions',
  conversations: (value: number) => `merged from ${number(value)} ${value === 1 ? 'conversation' : 'conversations'}`,
  memories: 'Memories',
  memoryNumber: (value: number) => `Memory ${number(value)}`,
  relations: 'Relationships',
  noRelations: 'No relationships.',
  split: 'Split',
  splitLead: 'Select the entities that belong to someone or something else. They stay separate.',
  splitSave: 'Split',
  splitPart: (name: string, title: string) => `${name}, from “${title}”`,
  unknownConversation: 'Unknown conversation',
})
