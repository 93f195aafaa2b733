import { relationshipEdgeKinds } from '@tandem/contract/memory'
import { expect, test } from 'vitest'
import { entityName, objectName, relationName } from './entity-name.ts'

const you = { entity_kind: 'stakeholder', canonical_name: 'user' } as const
const ana = { entity_kind: 'stakeholder', canonical_name: 'Ana Reis' } as const
const resource = { entity_kind: 'resource', canonical_name: 'user' } as const

test('the user is called "You", and nothing else is', () => {
  expect([you, ana, resource].map(entityName)).toEqual(['You', 'Ana Reis', 'user'])
  expect([you, ana, resource].map(objectName)).toEqual(['you', 'Ana Reis', 'user'])
})

test('what the user does is told in the second person', () => {
  const said = (subject: typeof you | typeof ana) => relationshipEdgeKinds.map((edge_kind) => relationName({ edge_kind }, subject))
  expect(said(you)).toEqual(['expect updates via', 'work on', 'protect', 'shape results for'])
  expect(said(ana)).toEqual(['expects updates via', 'works on', 'protects', 'shapes results for'])
})
