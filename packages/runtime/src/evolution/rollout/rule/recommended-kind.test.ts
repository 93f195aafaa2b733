import { expect, test } from 'vitest'
import { recommendedKind } from './recommended-kind.ts'

test.each([
  ['skill_gap', null, 'local_skill_draft'],
  ['skill_gap', 'inbox-sorter', 'bind_existing_skill'],
  ['workflow_gap', null, 'workflow'],
  ['knowledge_gap', null, null],
  ['policy_gap', null, null],
] as const)('%s with the skill %s: %s', (kind, skill, expected) => expect(recommendedKind(kind, skill)).toBe(expected))
