// `tandem memory graph` and `split`: the entities an agent knows (people, things and rules), and how they relate.
import type { CommandResult } from '@tandem/contract/command'
import {
  isUserEntity,
  type MemoryRelationship,
  type MemoryRelationshipEntity,
  relationshipEdgeTexts,
  relationshipEntityTexts,
} from '@tandem/contract/memory'
import { resolveAgent } from '../command/policy.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import type { CommandAnswer, RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'
import { flag, idProblem, isId, json, text } from '../terminal/options.ts'
import { counted } from '../terminal/quantity.ts'
import { refused } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { singleLine } from '../terminal/terminal-text.ts'
import { answered } from './answer.ts'

export const graphUsage = explainedUsage(
  'tandem memory graph [--agent NAME] [--conversation ID] [--entities] [--json]',
  'Shows how the entities an agent knows (people, things and rules) relate. --entities: the entities with their ids.',
)
export const splitUsage = explainedUsage(
  'tandem memory split ENTITY --part ID[,ID]… --part ID[,ID]… [--agent NAME] [--json]',
  'Separates entities that were merged into one by mistake. Each --part lists the ids that belong together; tandem memory graph --entities shows them.',
)

type Graph = CommandResult<'memory_get_relationship_graph'>

export async function graph(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { agent: text, conversation: text, entities: flag, json }, graphUsage)
  if (!given.ok) return given.code
  const { agent, conversation, entities } = given.values
  if (given.words.length > 0) return printUsage(`unexpected argument "${given.words[0]}"`, graphUsage)
  const problem = idProblem('--conversation', conversation)
  if (problem) return printUsage(problem, graphUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = await resolveAgent(client, agent)
    if (!agent_id.ok) return refused(agent_id.error)
    const whole = await wholeGraph(client, agent_id.value, conversation)
    if (!whole.ok) return refused(whole.error)
    if (given.values.json) console.log(JSON.stringify(whole.value))
    else if (whole.value.entities.length === 0) console.log('No entities are known yet.')
    else console.log(entities ? entityTable(whole.value.entities) : edgeTable(whole.value))
    return 0
  })
}

/** All pages as one. */
async function wholeGraph(client: RuntimeClient, agent_id: string, conversation: string | undefined): Promise<CommandAnswer<Graph>> {
  const entities = new Map<string, MemoryRelationshipEntity>()
  const edges: MemoryRelationship[] = []
  for (let cursor: string | null = null; ; ) {
    const page: CommandAnswer<Graph> = await client.call('memory_get_relationship_graph', {
      agent_id,
      limit: 200,
      ...(conversation === undefined ? {} : { conversation_id: conversation }),
      ...(cursor === null ? {} : { cursor }),
    })
    if (!page.ok) return page
    for (const entity of page.value.entities) entities.set(entity.id, entity)
    edges.push(...page.value.edges)
    cursor = page.value.next_cursor
    if (cursor === null) return { ok: true, value: { ...page.value, entities: [...entities.values()], edges: heaviestFirst(edges) } }
  }
}

/** Pages come in the order of the ids, which says nothing to a reader. */
function heaviestFirst(edges: readonly MemoryRelationship[]): MemoryRelationship[] {
  return edges.toSorted((left, right) => right.edge_weight - left.edge_weight || (left.id < right.id ? -1 : 1))
}

function edgeTable({ entities, edges }: Graph): string {
  if (edges.length === 0)
    return `${counted(entities.length, 'entity is', 'entities are')} known, but no relationships. List the entities with --entities.`
  const byId = new Map(entities.map((entity) => [entity.id, entity]))
  const nameOf = (id: string) => {
    const entity = byId.get(id)
    return entity ? shownName(entity) : id
  }
  /** "You expect", but "Ana Reis expects". */
  const relationOf = (subject: string, edge_kind: MemoryRelationship['edge_kind']) => {
    const entity = byId.get(subject)
    return entity && isUserEntity(entity) ? relationshipEdgeTexts[edge_kind].replace(/^(\w+)s\b/, '$1') : relationshipEdgeTexts[edge_kind]
  }
  const rows = edges.map(({ subject_entity_id, edge_kind, object_entity_id, edge_weight, relation_source, via_entity_ids }) => [
    nameOf(subject_entity_id),
    relationOf(subject_entity_id, edge_kind),
    nameOf(object_entity_id),
    edge_weight.toLocaleString('en-US', { maximumFractionDigits: 2 }),
    via_entity_ids.length === 0 ? relation_source : `${relation_source} via ${via_entity_ids.map(nameOf).join(', ')}`,
  ])
  return table([['subject', 'relation', 'object', 'weight', 'source'], ...rows])
}

/** With the ids that `tandem memory split` needs. */
function entityTable(entities: readonly MemoryRelationshipEntity[]): string {
  return table(
    entities.map((entity) => {
      const { id, entity_kind, aliases, mention_count, source_entity_ids = [] } = entity
      return [
        id,
        relationshipEntityTexts[entity_kind].toLowerCase(),
        shownName(entity),
        aliases.length === 0 ? '' : `also ${singleLine(aliases.join(', '), 60)}`,
        counted(mention_count, 'mention'),
        source_entity_ids.length > 1 ? `merged from ${source_entity_ids.join(',')}` : '',
      ]
    }),
  )
}

export async function split(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { part: { type: 'string', multiple: true }, agent: text, json }, splitUsage)
  if (!given.ok) return given.code
  const [entity_id, ...more] = given.words
  if (!isId(entity_id) || more.length > 0)
    return printUsage('specify one entity by its id. List them with tandem memory graph --entities', splitUsage)
  const parts = (given.values.part ?? []).map((part) => part.split(','))
  if (parts.length < 2) return printUsage('specify at least two parts, each with --part', splitUsage)
  if (!parts.flat().every(isId)) return printUsage('a part is one id, or several separated by commas', splitUsage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const agent_id = await resolveAgent(client, given.values.agent)
    if (!agent_id.ok) return refused(agent_id.error)
    const params = { agent_id: agent_id.value, entity_id, parts }
    return await answered(client, 'memory_split_entity', params, given.values.json, ({ entities }) =>
      [`Split into ${counted(entities.length, 'entity', 'entities')}; they stay separate:`, ...entities.map(entityLine)].join('\n'),
    )
  })
}

function entityLine(entity: MemoryRelationshipEntity): string {
  return `  ${entity.id}  ${shownName(entity)}`
}

function shownName(entity: MemoryRelationshipEntity): string {
  return isUserEntity(entity) ? 'You' : singleLine(entity.canonical_name, 50)
}
