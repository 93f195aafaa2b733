import { type Memory, memoryAuthorities, memoryKinds, memoryStates, type UserModel } from '@tandem/contract/memory'
import { AgentIdentityProfile, UserModel as UserModelSchema } from '@tandem/contract/memory/schema'
import fc from 'fast-check'
import Value from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { cadenceSignals } from './cadence.ts'
import { identityFrom } from './identity.ts'
import { partRows } from './part-words.ts'
import { profilesFrom } from './profile.ts'

const at = '2026-03-01T08:00:00.000Z'
const uuid = (no: number) => `01900000-0000-7000-8000-${String(no).padStart(12, '0')}`

function memory(no: number, content: string, rest: Partial<Memory> = {}): Memory {
  return {
    id: uuid(no),
    agent_id: null,
    conversation_id: uuid(901),
    only_in_conversation: false,
    memory_kind: 'preference',
    subject: 'user',
    slot: null,
    content,
    quotes: [{ message_id: uuid(no + 500), excerpt: `said: ${content}` }],
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

const none = { summary: '', signals: [] }
const nothing = {
  preference_signals: [],
  habit_profile: none,
  goal_profile: none,
  persona_profile: none,
  communication_profile: none,
  cadence_profile: none,
  risk_profile: none,
}
const empty: UserModel = { id: uuid(1), agent_id: 'clerk', conversation_id: null, ...nothing, created_at: at, updated_at: at, version: 1 }
const evidence = (no: number, content: string) => [
  { source: 'memory', id: uuid(no), excerpt: content },
  { source: 'message', id: uuid(no + 500), excerpt: `said: ${content}` },
]

describe('the parts', () => {
  test.each(partRows)('$part, $name: $example', ({ part, name, example }) => {
    const parts = profilesFrom([memory(1, example, { memory_kind: 'semantic' })], empty)
    const signal = { name, value: example, confidence: 0.8, evidence: evidence(1, example) }
    expect(parts[part]).toEqual({ summary: example, signals: [signal] })
    expect(parts.preference_signals).toEqual([])
  })

  test('without memories everything is empty', () => expect(profilesFrom([], empty)).toEqual(nothing))

  test('a preference is a signal, named by its slot; equal ones become one with all evidence', () => {
    const parts = profilesFrom(
      [
        memory(3, 'no cucumber', { slot: 'diet', confidence: 0.9 }),
        memory(2, 'No cucumber.', { slot: 'diet', confirmed_by_user: true }),
        memory(1, 'Blue.', { confidence: 0.5 }),
      ],
      empty,
    )
    expect(parts).toEqual({
      ...nothing,
      preference_signals: [
        { name: 'diet', value: 'No cucumber.', confidence: 1, evidence: [...evidence(2, 'No cucumber.'), ...evidence(3, 'no cucumber')] },
        { name: 'preference', value: 'Blue.', confidence: 0.5, evidence: evidence(1, 'Blue.') },
      ],
    })
  })

  test('a summary is made of the surest signals', () => {
    const texts = ['I usually walk.', 'I usually swim.', 'I usually run.', 'I usually row.', 'I usually ski.', 'I usually sit.']
    const { habit_profile } = profilesFrom(
      texts.map((text, index) => memory(index + 1, text, { confidence: 0.1 * (index + 1) })),
      empty,
    )
    expect(habit_profile.summary).toBe(texts.toReversed().slice(0, 5).join('\n'))
  })
})

describe('evidence is only', () => {
  const content = 'I usually start with the tests.'
  const counts = (rest: Partial<Memory>, model = empty) =>
    profilesFrom([memory(1, content, rest)], model).habit_profile.signals.length === 1
  test('active memories', () => expect(memoryStates.filter((state) => counts({ state }))).toEqual(['active']))
  test("the user's own words", () => expect(memoryAuthorities.filter((authority) => counts({ authority }))).toEqual(['person']))
  test('memories about the user', () =>
    expect(['user', 'agent', 'workspace:x', 'entity:x'].filter((subject) => counts({ subject }))).toEqual(['user']))
  test('shared memories and those of this agent', () =>
    expect([null, 'clerk', 'other'].filter((agent_id) => counts({ agent_id }))).toEqual([null, 'clerk']))
  test('what is not restricted to another conversation', () => {
    expect(counts({ only_in_conversation: true })).toBe(false)
    expect(counts({ only_in_conversation: true }, { ...empty, conversation_id: uuid(901) })).toBe(true)
    expect(counts({ only_in_conversation: true }, { ...empty, conversation_id: uuid(902) })).toBe(false)
    expect(counts({ only_in_conversation: true, conversation_id: null })).toBe(false)
  })

  const anyMemory = fc
    .record({
      row: fc.constantFrom(...partRows),
      state: fc.constantFrom(...memoryStates),
      authority: fc.constantFrom(...memoryAuthorities),
      memory_kind: fc.constantFrom(...memoryKinds),
      agent_id: fc.constantFrom(null, 'clerk', 'other'),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      only_in_conversation: fc.boolean(),
      subject: fc.constantFrom('user', 'agent', 'workspace:x'),
    })
    .map(
      ({ row, ...rest }) =>
        (no: number) =>
          memory(no, row.example, rest),
    )
  test('for any memories: allowed by the contract, independent of the order', () => {
    fc.assert(
      fc.property(fc.array(anyMemory, { maxLength: 30 }), (makers) => {
        const memories = makers.map((make, index) => make(index + 1))
        const parts = profilesFrom(memories, empty)
        expect(profilesFrom(memories.toReversed(), empty)).toEqual(parts)
        expect(Value.Check(UserModelSchema, { ...empty, ...parts })).toBe(true)
        const { preference_signals, ...profiles } = parts
        const signals = [...preference_signals, ...Object.values(profiles).flatMap((profile) => profile.signals)]
        expect(signals.filter((signal) => signal.evidence.length === 0)).toEqual([])
        const trusted = memories.filter(
          (one) =>
            one.state === 'active' &&
            one.authority === 'person' &&
            one.agent_id !== 'other' &&
            !one.only_in_conversation &&
            one.subject === 'user',
        )
        const allowed = new Set(trusted.flatMap(({ id, quotes }) => [id, ...quotes.map(({ message_id }) => message_id)]))
        expect(signals.flatMap((signal) => signal.evidence).filter(({ id }) => !allowed.has(id))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('within the limits of the contract, for very many and very long memories', () => {
    const quotes = Array.from({ length: 20 }, (_, index) => ({ message_id: uuid(index), excerpt: 'x'.repeat(2_000) }))
    const memories = Array.from({ length: 300 }, (_, index) => memory(index, `I usually do ${index} ${'y'.repeat(3_000)}`, { quotes }))
    expect(Value.Check(UserModelSchema, { ...empty, ...profilesFrom(memories, empty) })).toBe(true)
  })
})

describe('cadence', () => {
  const of = (hours: number[]) => ({
    hours,
    messages: hours.map((_, index) => ({ message_id: uuid(index + 1), conversation_id: uuid(9_000) })),
  })
  test('the four hours in which most messages were written', () => {
    const signals = cadenceSignals(of([...Array(20).fill(22), ...Array(16).fill(1), 9, 12, 15, 18]))
    expect(signals).toMatchObject([{ name: 'active_hours', value: 'You mostly write from 22:00 to 2:00', confidence: 0.9 }])
    expect(signals[0]?.evidence).toHaveLength(20)
    expect(signals[0]?.evidence[0]).toEqual({
      source: 'message',
      id: uuid(17),
      conversation_id: uuid(9_000),
      excerpt: '36 of 40 messages were written from 22:00 to 2:00',
    })
    expect(profilesFrom([], empty, of(Array(30).fill(8))).cadence_profile.summary).toBe('You mostly write from 5:00 to 9:00')
  })
  test('few messages, messages at all hours, and hours without a message say nothing', () => {
    expect(cadenceSignals(of(Array(29).fill(8)))).toEqual([])
    expect(cadenceSignals(of(Array.from({ length: 96 }, (_, index) => index % 24)))).toEqual([])
    expect(cadenceSignals({ hours: Array(50).fill(8), messages: [] })).toEqual([])
    expect(cadenceSignals(of(Array(50).fill(24)))).toEqual([])
  })
})

describe('the identity of an agent', () => {
  const agent = {
    agent_id: 'clerk',
    conversation_id: null,
    name: 'Clerk',
    description: 'Keeps the books.',
    identity: { role: 'bookkeeper', tone: null },
    instructions: '- Always check the totals.\n- Never send a payment.\nThe office is in Oslo.',
  }
  test('is its description, and what the user said about it', () => {
    const parts = identityFrom(agent, [
      memory(1, 'You sound too cheerful, be formal.', { subject: 'agent' }),
      memory(2, 'Clerk handles the receipts.', { subject: 'agent' }),
      memory(3, 'Clerk may pay.', { subject: 'agent', authority: 'agent' }),
      memory(4, 'Clerk may buy.', { subject: 'agent', state: 'archived' }),
      memory(5, 'Clerk may sell.', { subject: 'agent', agent_id: 'other' }),
      memory(6, 'I usually walk.'),
    ])
    expect(parts).toEqual({
      name: 'Clerk',
      role: 'bookkeeper',
      purpose: 'Keeps the books.',
      tone: 'You sound too cheerful, be formal.',
      principles: ['You sound too cheerful, be formal.', 'Clerk handles the receipts.', 'Always check the totals.'],
      boundaries: ['Never send a payment.'],
      signals: [
        { name: 'preference', value: 'Clerk handles the receipts.', confidence: 0.8, evidence: evidence(2, 'Clerk handles the receipts.') },
        {
          name: 'preference',
          value: 'You sound too cheerful, be formal.',
          confidence: 0.8,
          evidence: evidence(1, 'You sound too cheerful, be formal.'),
        },
      ],
    })
    expect(
      Value.Check(AgentIdentityProfile, {
        id: uuid(9),
        agent_id: 'clerk',
        conversation_id: null,
        ...parts,
        created_at: at,
        updated_at: at,
        version: 1,
      }),
    ).toBe(true)
  })
  test('without evidence it has nothing but the description', () => {
    expect(identityFrom({ ...agent, instructions: '' }, [])).toEqual({
      name: 'Clerk',
      role: 'bookkeeper',
      purpose: 'Keeps the books.',
      tone: null,
      principles: [],
      boundaries: [],
      signals: [],
    })
  })
})
