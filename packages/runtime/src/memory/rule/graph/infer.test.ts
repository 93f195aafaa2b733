import { relationshipEdgeKinds } from '@tandem/contract/memory'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { edgeEnds } from './frames.ts'
import { inferEdges, inferenceRules, type NewEdge, pathOf } from './infer.ts'

function edge(subject: string, edge_kind: NewEdge['edge_kind'], object: string, rest: Partial<NewEdge> = {}): NewEdge {
  const kind = (name: string) => name.replace(/\d+$/, '') as 'resource'
  return {
    conversation_id: 'c1',
    edge_kind,
    subject_entity_id: subject,
    object_entity_id: object,
    via_entity_ids: [],
    ontology_tags: ['relationship'],
    edge_weight: 0.8,
    relation_source: 'stated',
    subject_role: 'subject',
    object_role: 'object',
    ontology_path: pathOf(kind(subject), edge_kind, kind(object)),
    interaction_pattern: null,
    memory_ids: [`m ${subject} ${object}`],
    ...rest,
  }
}

describe('each rule', () => {
  test.each(inferenceRules)('$first.from $first.edge_kind $first.to, $second.from $second.edge_kind $second.to: $gives', (rule) => {
    const continues = rule.meets === 'continues'
    const [from, via, end] = [`${rule.first.from}1`, `${rule.first.to}2`, `${continues ? rule.second.to : rule.second.from}3`]
    const first = edge(from, rule.first.edge_kind, via, { edge_weight: 0.8 })
    const second = continues
      ? edge(via, rule.second.edge_kind, end, { edge_weight: 0.5 })
      : edge(end, rule.second.edge_kind, via, { edge_weight: 0.5 })
    expect(inferEdges([first, second])).toEqual([
      {
        ...edge(from, rule.gives, end),
        via_entity_ids: [via],
        edge_weight: 0.5 * rule.weight,
        relation_source: 'inferred',
        subject_role: rule.subject_role,
        object_role: rule.object_role,
        ontology_path: [
          rule.first.from,
          rule.first.edge_kind,
          rule.first.to,
          rule.second.edge_kind,
          continues ? rule.second.to : rule.second.from,
        ],
        memory_ids: [...first.memory_ids, ...second.memory_ids].sort(),
        source_conversation_ids: ['c1'],
      },
    ])
  })

  test('has edges whose ends are allowed, a weight below one, and no twin; together they give every kind of edge', () => {
    for (const { first, second, meets, gives, weight } of inferenceRules) {
      for (const hop of [first, second]) {
        expect(edgeEnds[hop.edge_kind].subject).toContain(hop.from)
        expect(edgeEnds[hop.edge_kind].object).toContain(hop.to)
      }
      expect(meets === 'continues' ? second.from : second.to).toBe(first.to)
      expect(edgeEnds[gives].subject).toContain(first.from)
      expect(edgeEnds[gives].object).toContain(meets === 'continues' ? second.to : second.from)
      expect(weight).toBeGreaterThan(0)
      expect(weight).toBeLessThan(1)
    }
    const keys = inferenceRules.map(({ first, second, meets }) => JSON.stringify([first, second, meets]))
    expect(new Set(keys).size).toBe(keys.length)
    expect(relationshipEdgeKinds.filter((kind) => !inferenceRules.some(({ gives }) => gives === kind))).toEqual([])
  })
})

test('edges of different conversations imply one that belongs to neither and names both', () => {
  const [inferred] = inferEdges([
    edge('stakeholder1', 'operates_on', 'workflow1', { conversation_id: 'c1' }),
    edge('workflow1', 'operates_on', 'resource1', { conversation_id: 'c2' }),
  ])
  expect(inferred).toMatchObject({ conversation_id: null, source_conversation_ids: ['c1', 'c2'] })
})

test('what is known directly is not inferred, and of two ways the stronger counts', () => {
  const direct = edge('stakeholder1', 'operates_on', 'resource1', { edge_weight: 0.1 })
  const steps = [edge('stakeholder1', 'operates_on', 'workflow1'), edge('workflow1', 'operates_on', 'resource1')]
  expect(inferEdges([...steps, direct])).toEqual([])
  const stronger = [
    edge('stakeholder1', 'operates_on', 'workflow2', { edge_weight: 0.9 }),
    edge('workflow2', 'operates_on', 'resource1', { edge_weight: 0.9 }),
  ]
  expect(inferEdges([...steps, ...stronger]).map(({ via_entity_ids }) => via_entity_ids)).toEqual([['workflow2']])
})

test('an entity with very many edges does not square them', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => [
    edge(`constraint${index}`, 'protects', 'resource1', { edge_weight: 1 + index }),
    edge(`workflow${index}`, 'operates_on', 'resource1', { edge_weight: 1 + index }),
  ]).flat()
  expect(inferEdges(many)).toHaveLength(50 * 50)
})

describe('properties', () => {
  const kinds = Object.entries(edgeEnds).flatMap(([edge_kind, { subject, object }]) =>
    subject.flatMap((from) => object.map((to) => ({ edge_kind: edge_kind as NewEdge['edge_kind'], from, to }))),
  )
  const anyEdge = fc
    .record({
      kind: fc.constantFrom(...kinds),
      from: fc.integer({ min: 1, max: 3 }),
      to: fc.integer({ min: 1, max: 3 }),
      edge_weight: fc.double({ min: 0.01, max: 1_000, noNaN: true }),
      conversation_id: fc.constantFrom('c1', 'c2'),
    })
    .map(({ kind, from, to, ...rest }) => edge(`${kind.from}${from}`, kind.edge_kind, `${kind.to}${to}`, rest))
  const edges = fc.array(anyEdge, { maxLength: 20 })

  test('the path of each inferred edge exists, in at most two hops, and it is weaker than both', () => {
    fc.assert(
      fc.property(edges, (given) => {
        for (const inferred of inferEdges(given)) {
          const [via] = inferred.via_entity_ids
          expect(inferred.via_entity_ids).toHaveLength(1)
          expect(inferred.ontology_path).toHaveLength(5)
          const first = given.filter(
            (one) =>
              one.subject_entity_id === inferred.subject_entity_id &&
              one.object_entity_id === via &&
              one.edge_kind === inferred.ontology_path[1],
          )
          const second = given.filter((one) => {
            const ends = [one.subject_entity_id, one.object_entity_id]
            return ends.includes(via ?? '') && ends.includes(inferred.object_entity_id) && one.edge_kind === inferred.ontology_path[3]
          })
          expect(inferred.edge_weight).toBeLessThan(Math.max(...first.map(({ edge_weight }) => edge_weight)))
          expect(inferred.edge_weight).toBeLessThan(Math.max(...second.map(({ edge_weight }) => edge_weight)))
          expect(inferred.edge_weight).toBeGreaterThan(0)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('the order does not matter, and inferred edges imply nothing more', () => {
    fc.assert(
      fc.property(edges, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (given, noise) => {
        const inferred = inferEdges(given)
        const shuffled = given.map((one) => [noise.next().value, one] as const).sort(([left], [right]) => left - right)
        expect(inferEdges(shuffled.map(([, one]) => one))).toEqual(inferred)
        expect(inferEdges([...given, ...inferred])).toEqual(inferred)
      }),
      { numRuns: 500 },
    )
  })
})
