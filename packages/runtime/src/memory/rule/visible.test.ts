import { memoryAuthorities, memoryStates } from '@tandem/contract/memory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isVisible, needsReview, scopeOf, scopesFor } from './visible.ts'

const agent = fc.constantFrom('a', 'b', 'a:shared')
const conversation = fc.constantFrom('c1', 'c2', 'c1:agent')
const memory = fc.record({
  agent_id: fc.option(agent),
  conversation_id: fc.option(conversation),
  only_in_conversation: fc.boolean(),
  authority: fc.constantFrom(...memoryAuthorities),
  confirmed_by_user: fc.boolean(),
  state: fc.constantFrom(...memoryStates),
})
const reader = fc.record({ agent_id: agent, conversation_id: fc.option(conversation) })

test('an agent never sees what belongs to another agent or is restricted to another conversation', () => {
  fc.assert(
    fc.property(memory, reader, (one, who) => {
      if (!isVisible(one, who)) return
      expect(one.agent_id === null || one.agent_id === who.agent_id).toBe(true)
      expect(!one.only_in_conversation || one.conversation_id === who.conversation_id).toBe(true)
    }),
  )
})

test('the scopes of a reader contain exactly the active memories that are visible and need no review', () => {
  fc.assert(
    fc.property(memory, reader, (one, who) => {
      const found = scopesFor(who).includes(scopeOf(one))
      expect(found).toBe(isVisible(one, who) && one.state === 'active' && !needsReview(one))
    }),
  )
})
