import { type Memory, memoryKinds, memoryStates } from '@tandem/contract/memory'
import { MemoryRelationship } from '@tandem/contract/memory/schema'
import fc from 'fast-check'
import Value from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { edgesFrom, entitiesOf, mentionsOf, type StoredEntity } from './edges.ts'
import { edgeEnds, verbFrames } from './frames.ts'

const at = '2026-03-01T08:00:00.000Z'
const uuid = (no: number) => `01900000-0000-7000-8000-${String(no).padStart(12, '0')}`

function memory(content: string, rest: Partial<Memory> = {}): Memory {
  return {
    id: uuid(1),
    agent_id: 'clerk',
    conversation_id: uuid(2),
    only_in_conversation: false,
    memory_kind: 'relationship',
    subject: 'workspace:shop',
    slot: null,
    content,
    quotes: [],
    procedure: null,
    state: 'active',
    state_reason: null,
    confidence: 0.8,
    source_type: 'user_statement',
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
    ...rest,
  }
}

/** The entities of the memory as the store would keep them, with readable ids. */
function stored(one: Memory): StoredEntity[] {
  return entitiesOf(one).map((entity) => ({ ...entity, id: entity.canonical_name }))
}

const edges = (one: Memory, entities = stored(one)) =>
  edgesFrom(one, entities).map(
    ({ subject_entity_id, edge_kind, object_entity_id }) => `${subject_entity_id} ${edge_kind} ${object_entity_id}`,
  )

describe('how someone is reached', () => {
  test.each([
    ['Ana Reis wants an email every Monday.', ['Ana Reis expects_update_via email', 'an email every Monday shapes_output_for Ana Reis']],
    ['Tell Bob in Slack.', ['Bob expects_update_via Slack']],
    ['Zoë Škvor is my dentist. You only get her by phone, she never reads mail.', ['Zoë Škvor expects_update_via phone']],
    ['Bob left Slack. Reach him on Signal now.', ['Bob expects_update_via Signal']],
    ['Bob wants comments in Miro, not in chat.', ['Bob expects_update_via comment in Miro', 'comments in Miro shapes_output_for Bob']],
    ['Mia only looks at Teams, mails to her vanish.', ['Mia expects_update_via Teams']],
    ['The newsletter goes out by mail.', ['newsletter expects_update_via email']],
    ['Bob is no longer on Slack.', []],
    ['Bob fixed the mail server.', []],
  ])('%s', (content, expected) => expect(edges(memory(content))).toEqual(expected))

  test('a pronoun means the entity that the memory is about', () => {
    const one = memory('She only reads Teams.', { subject: 'entity:Mia Lund' })
    expect(edges(one)).toEqual(['Mia Lund expects_update_via Teams'])
    const known: StoredEntity[] = [
      { id: uuid(7), canonical_name: 'Mia Lund', aliases: [], entity_kind: 'stakeholder' },
      { id: uuid(8), canonical_name: 'Teams', aliases: [], entity_kind: 'channel' },
    ]
    expect(edges({ ...one, subject: `entity:${uuid(7)}` }, known)).toEqual([`${uuid(7)} expects_update_via ${uuid(8)}`])
  })

  test('a name that could be two people gives no edge; the full name does, and so does a name known from elsewhere', () => {
    const known: StoredEntity[] = [
      { id: 'reis', canonical_name: 'Ana Reis', aliases: ['Nini'], entity_kind: 'stakeholder' },
      { id: 'kovac', canonical_name: 'Ana Kovač', aliases: [], entity_kind: 'stakeholder' },
      { id: 'mail', canonical_name: 'email', aliases: [], entity_kind: 'channel' },
    ]
    expect(edges(memory('Ana wants a mail.'), known)).toEqual([])
    expect(edges(memory('Ana K. wants a mail.'), known)).toEqual(['kovac expects_update_via mail'])
    expect(edges(memory('By mail, always, for Nini.'), known)).toEqual(['reis expects_update_via mail'])
  })
})

describe('each verb frame', () => {
  const examples = [
    ['Ana guards the harbour database.', 'protects'],
    ['Ana owns the harbour database.', 'protects'],
    ['Ana signs off the harbour database.', 'protects'],
    ['Ana maintains the harbour database.', 'operates_on'],
    ['Ana reviews the harbour database.', 'operates_on'],
    ['Ana writes the harbour database.', 'operates_on'],
    ['Ana looks at the harbour database.', 'operates_on'],
  ] as const
  test.each(examples.map(([content, kind], index) => ({ content, kind, frame: verbFrames[index] })))(
    '$content',
    ({ content, kind, frame }) => {
      const [edge, ...others] = edgesFrom(memory(content), stored(memory(content)))
      expect(others).toEqual([])
      expect(edge).toMatchObject({ edge_kind: kind, subject_entity_id: 'Ana', object_entity_id: 'harbour database' })
      expect([edge?.subject_role, edge?.object_role]).toEqual([frame?.subject_role, frame?.object_role])
    },
  )
  test('has an example', () => expect(examples).toHaveLength(verbFrames.length))

  test.each([
    ['Ana never writes the harbour database.', []],
    ['Bob does the code review.', ['Bob operates_on code review']],
    ['Ana works at Northwind. She maintains the billing server.', ['Ana operates_on billing server']],
    ['Nothing that touches the east wall happens without Ana’s ok.', ['Ana protects east wall']],
    ['Ana Reis is our archivist. Any change to the donor list has to pass her.', ['Ana Reis protects donor list']],
  ])('%s', (content, expected) => expect(edges(memory(content))).toEqual(expected))
})

describe('what shapes the output', () => {
  test.each([
    ['preference', 'user', 'I want short answers.', ['short answers shapes_output_for user']],
    ['preference', 'user', 'Tabs, never spaces.', ['Tabs, never spaces shapes_output_for user']],
    ['relationship', 'entity:Rui', 'Rui prefers paper forms.', ['paper forms shapes_output_for Rui']],
    ['decision', 'workspace:shop', 'Nothing is deployed on Fridays after noon.', ['fridays after noon shapes_output_for deployment']],
    ['preference', 'workspace:shop', 'The weekly report is in French.', ['in French shapes_output_for weekly report']],
    ['decision', 'workspace:shop', 'The donor list must stay here until June.', ['until june protects donor list']],
  ] as const)('%s of %s: %s', (memory_kind, subject, content, expected) => {
    expect(edges(memory(content, { memory_kind, subject })).sort()).toEqual([...expected].sort())
  })
})

test('a procedure connects its workflow with what it uses', () => {
  const one = memory('Releasing: migrate staging, run the smoke script, never the seed script, then tell Bob in Slack.', {
    memory_kind: 'procedural',
  })
  expect(edges(one)).toEqual(['Bob expects_update_via Slack', 'release operates_on staging', 'release operates_on smoke script'])
})

test('an edge has every field of the contract', () => {
  const one = memory('Ana Reis wants an email every Monday.', { confirmed_by_user: true })
  const [edge] = edgesFrom(one, stored(one))
  expect(edge).toEqual({
    conversation_id: uuid(2),
    edge_kind: 'expects_update_via',
    subject_entity_id: 'Ana Reis',
    object_entity_id: 'email',
    via_entity_ids: [],
    ontology_tags: ['communication', 'person', 'relationship'],
    edge_weight: 1,
    relation_source: 'stated',
    subject_role: 'recipient',
    object_role: 'channel',
    ontology_path: ['stakeholder', 'expects_update_via', 'channel'],
    interaction_pattern: 'every Monday',
    memory_ids: [uuid(1)],
  })
  const record = {
    ...edge,
    id: uuid(5),
    agent_id: 'clerk',
    subject_entity_id: uuid(6),
    object_entity_id: uuid(7),
    created_at: at,
    updated_at: at,
    version: 1,
  }
  expect(Value.Check(MemoryRelationship, record)).toBe(true)
  expect(edgesFrom({ ...one, authority: 'agent', confirmed_by_user: false }, stored(one))[0]).toMatchObject({
    relation_source: 'observed',
    edge_weight: 0.8 * 0.6,
  })
})

test('only what holds and can be trusted, of four kinds, is in the graph', () => {
  const content = 'Ana Reis wants an email.'
  const kinds = memoryKinds.filter((memory_kind) => edges(memory(content, { memory_kind }), stored(memory(content))).length > 0)
  expect(kinds).toEqual(['preference', 'decision', 'procedural', 'relationship'])
  expect(memoryStates.filter((state) => entitiesOf(memory(content, { state })).length > 0)).toEqual(['active'])
  expect(memoryStates.filter((state) => edges(memory(content, { state }), stored(memory(content))).length > 0)).toEqual(['active'])
  expect(entitiesOf(memory(content, { authority: 'untrusted' }))).toEqual([])
  expect(edges(memory(content, { authority: 'untrusted' }), stored(memory(content)))).toEqual([])
})

test('the entities of a memory: each once, with its other names and how often it occurs', () => {
  const one = memory('Robert Lind, everyone calls him Bob, is my builder. Tell Bob by mail. Mail him early.')
  expect(entitiesOf(one)).toEqual([
    { canonical_name: 'Robert Lind', aliases: ['Bob'], entity_kind: 'stakeholder', ontology_domain: 'person', mention_count: 2 },
    { canonical_name: 'user', aliases: [], entity_kind: 'stakeholder', ontology_domain: 'person', mention_count: 1 },
    { canonical_name: 'email', aliases: [], entity_kind: 'channel', ontology_domain: 'communication', mention_count: 2 },
  ])
  expect(mentionsOf(memory('Tabs.', { memory_kind: 'preference' })).map(({ name }) => name)).toEqual(['Tabs'])
})

test('edges connect given entities of allowed kinds, each pair once, in any text', () => {
  const piece = fc.constantFrom(
    'Ana Reis',
    'Bob',
    'she',
    'wants',
    'a mail',
    'maintains',
    'the billing server',
    'never',
    'before the 5th',
    'I',
    'the release',
    ',',
    '.',
    'in French',
    'on Slack',
    'guards',
  )
  const content = fc.array(piece, { minLength: 1, maxLength: 20 }).map((words) => words.join(' '))
  fc.assert(
    fc.property(
      content,
      fc.constantFrom(...memoryKinds),
      fc.constantFrom('user', 'entity:Ana Reis', 'workspace:x'),
      (text, memory_kind, subject) => {
        const one = memory(text, { memory_kind, subject })
        const entities = stored(one).map((entity, index) => ({ ...entity, id: `${index}` }))
        const kindOf = new Map<string, string>(entities.map(({ id, entity_kind }) => [id, entity_kind]))
        const given = edgesFrom(one, entities)
        for (const { edge_kind, subject_entity_id, object_entity_id, edge_weight, ontology_path } of given) {
          const [from, to] = [kindOf.get(subject_entity_id), kindOf.get(object_entity_id)]
          expect(ontology_path).toEqual([from, edge_kind, to])
          expect(edgeEnds[edge_kind].subject).toContain(from)
          expect(edgeEnds[edge_kind].object).toContain(to)
          expect(edge_weight > 0 && edge_weight <= 1).toBe(true)
        }
        expect(new Set(edges(one, entities)).size).toBe(given.length)
        expect(edgesFrom(one, [])).toEqual([])
      },
    ),
    { numRuns: 500 },
  )
})
