export const relationshipEdgeKinds = ['expects_update_via', 'operates_on', 'protects', 'shapes_output_for'] as const
export type RelationshipEdgeKind = (typeof relationshipEdgeKinds)[number]

/** For users, between the names of two entities. */
export const relationshipEdgeTexts: Readonly<Record<RelationshipEdgeKind, string>> = {
  expects_update_via: 'expects updates via',
  operates_on: 'works on',
  protects: 'protects',
  shapes_output_for: 'shapes results for',
}

export const relationshipEntityKinds = ['stakeholder', 'workflow', 'preference', 'channel', 'resource', 'constraint'] as const
export type RelationshipEntityKind = (typeof relationshipEntityKinds)[number]

/** For users. */
export const relationshipEntityTexts: Readonly<Record<RelationshipEntityKind, string>> = {
  stakeholder: 'Person or organization',
  workflow: 'Workflow',
  preference: 'Preference',
  channel: 'Channel',
  resource: 'Resource',
  constraint: 'Rule',
}

/** At agent level, equal entities of these kinds from different conversations are one node. */
export const mergedEntityKinds = ['stakeholder', 'workflow', 'preference'] as const satisfies readonly RelationshipEntityKind[]

/** Where an edge came from: stated explicitly, inferred from a flow, or derived from other edges. */
export const relationSources = ['stated', 'observed', 'inferred'] as const
export type RelationSource = (typeof relationSources)[number]

/** The name of the entity for the user. Users see it as "You". */
export const userEntityName = 'user'

export function isUserEntity(entity: { readonly entity_kind: RelationshipEntityKind; readonly canonical_name: string }): boolean {
  return entity.entity_kind === 'stakeholder' && entity.canonical_name === userEntityName
}
