import { type Memory, type MemoryDecision, memoryStates, memoryTransitions } from '@tandem/contract/memory'
import { transition } from '@tandem/contract/transition'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRecallable } from './conflict.ts'
import { rankOf } from './rank.ts'
import { applyChanges, type ResolutionInput, resolveMemories } from './resolve.ts'
import { isSameStatement } from './same.ts'

const idOf = (no: number) => `0190a000-0000-7000-8000-${String(no).padStart(12, '0')}`
const dayOf = (day: number) => new Date(Date.UTC(2026, 3, 1) + day * 86_400_000).toISOString()

function memory(no: number, rest: Partial<Memory> = {}): Memory {
  return {
    id: idOf(no),
    agent_id: 'agent',
    conversation_id: null,
    only_in_conversation: false,
    memory_kind: 'preference',
    subject: 'user',
    slot: null,
    content: `fact ${no}`,
    quotes: [{ message_id: idOf(1_000 + no), excerpt: `words ${no}` }],
    procedure: null,
    state: 'active',
    state_reason: null,
    confidence: 1,
    source_type: 'memory_flush',
    source_run_id: null,
    authority: 'person',
    confirmed_by_user: false,
    expires_at: null,
    conflicts_with: [],
    supersedes: [],
    last_used_at: null,
    use_count: 0,
    tags: [],
    created_at: dayOf(no),
    updated_at: dayOf(no),
    version: 1,
    ...rest,
  }
}

const editor = (no: number, name: string, rest: Partial<Memory> = {}) => memory(no, { content: `My editor is ${name}.`, ...rest })
const correction = { source_type: 'user_correction' } as const
const conclusion = { authority: 'agent' } as const
const decision = (day: number, kept: number, ...over: readonly number[]): MemoryDecision => ({
  id: idOf(5_000 + day),
  kept_memory_id: idOf(kept),
  over_memory_ids: over.map(idOf),
  created_at: dayOf(day),
})

function cycle(memories: readonly Memory[], rest: Partial<ResolutionInput> = {}): readonly Memory[] {
  return applyChanges(memories, resolveMemories({ memories, decisions: [], revokes: new Map(), similar: [], ...rest }).changes)
}

/** Number, state, reason, what it is in conflict with, what it superseded. */
const outline = (memories: readonly Memory[]) =>
  memories.map(({ id, state, state_reason, conflicts_with, supersedes }) =>
    [
      Number(id.slice(-6)),
      state_reason ?? state,
      ...conflicts_with.map((other) => `against ${Number(other.slice(-6))}`),
      ...supersedes.map((other) => `over ${Number(other.slice(-6))}`),
    ].join(' '),
  )

describe('a slot with one value', () => {
  test('a newer memory of the same rank replaces the older one', () => {
    const memories = [editor(1, 'Ed'), editor(2, 'Joe')]
    const { changes, resolution } = resolveMemories({ memories, decisions: [], revokes: new Map(), similar: [] })
    expect(changes).toEqual([
      { id: idOf(1), trigger: 'supersede', reason: 'replaced', slot: 'editor' },
      { id: idOf(2), trigger: null, reason: null, slot: 'editor', supersedes: [idOf(1)] },
    ])
    expect(resolution).toEqual({ conflicting: [], superseded: [idOf(1)], archived: [] })
  })

  test('at the same time, the larger id wins', () => {
    expect(outline(cycle([editor(2, 'Joe', { created_at: dayOf(1) }), editor(1, 'Ed')]))).toEqual(['2 active over 1', '1 replaced'])
  })

  test('a newer memory of lower rank is in conflict, and only the higher one is recalled', () => {
    const memories = [editor(1, 'Ed'), editor(2, 'Joe', conclusion)]
    const after = cycle(memories)
    expect(outline(after)).toEqual(['1 active against 2', '2 active against 1'])
    expect(after.map((one) => isRecallable(one, after))).toEqual([true, false])
    expect(resolveMemories({ memories, decisions: [], revokes: new Map(), similar: [] }).resolution.conflicting).toEqual([idOf(1), idOf(2)])
  })

  test('a value that comes back is active again as the new memory', () => {
    expect(outline(cycle([editor(1, 'Ed'), editor(2, 'Joe'), editor(3, 'Ed')]))).toEqual([
      '1 replaced',
      '2 replaced over 1',
      '3 active over 2',
    ])
  })

  test('a late memory from in between reinstates what was merged too early', () => {
    const merged = cycle([editor(1, 'Ed'), editor(3, 'Ed')])
    expect(outline(merged)).toEqual(['1 active over 3', '3 merged'])
    expect(outline(cycle([...merged, editor(2, 'Joe')]))).toEqual(['1 replaced', '3 active over 2', '2 replaced over 1'])
  })

  test('takes the slot of the earliest similar memory, from the threshold on', () => {
    const plain = memory(3, { content: 'Joe it is from now on.' })
    const similar = (score: number) => ({ similar: [{ left: idOf(3), right: idOf(1), score }] })
    expect(outline(cycle([editor(1, 'Ed'), plain], similar(0.8)))).toEqual(['1 replaced', '3 active over 1'])
    expect(outline(cycle([editor(1, 'Ed'), plain], similar(0.79)))).toEqual(['1 active', '3 active'])
    const shell = memory(2, { content: 'My shell is sash.' })
    const both = { similar: [...similar(0.8).similar, { left: idOf(2), right: idOf(3), score: 0.99 }] }
    expect(cycle([editor(1, 'Ed'), shell, plain], both).map(({ slot }) => slot)).toEqual(['editor', 'shell', 'editor'])
  })

  test('an unknown slot recorded earlier supersedes nothing', () => {
    expect(outline(cycle([memory(1, { slot: 'gone' }), memory(2, { slot: 'gone' })]))).toEqual(['1 active', '2 active'])
  })
})

describe('without a slot of one value', () => {
  test('different statements stay, equal ones merge and keep their quotes', () => {
    const after = cycle([
      memory(1, { content: 'I hate pop-ups' }),
      memory(2, { content: 'I hate noise' }),
      memory(3, { content: 'I really hate pop-ups.' }),
    ])
    expect(outline(after)).toEqual(['1 active over 3', '2 active', '3 merged'])
    expect(after[0]?.quotes.map(({ excerpt }) => excerpt)).toEqual(['words 1', 'words 3'])
    expect(after[2]?.quotes.map(({ excerpt }) => excerpt)).toEqual(['words 3'])
  })

  test.each([
    ['a number', 'Tests run in 2 shards', 'Tests run in 3 shards'],
    ['a negation', 'Invoices are sent by mail', 'Invoices are not sent by mail'],
    ['the order', 'Tea before coffee', 'Coffee before tea'],
    ['a sign', 'The library is in C', 'The library is in C++'],
  ])('%s makes another statement', (_, left, right) => {
    expect(outline(cycle([memory(1, { content: left }), memory(2, { content: right })]))).toEqual(['1 active', '2 active'])
    expect(isSameStatement(left, right)).toBe(false)
  })

  test.each([
    ['fillers and punctuation', 'Please just use the metric system!', 'use metric system'],
    ['number words', 'Wait two days', 'Wait 2 days'],
    ['short negations', "Don't call on Sundays", 'Do not call on Sundays'],
    ['other short negations', "I can't and won't fly", 'I cannot and will not fly'],
  ])('%s do not', (_, left, right) => {
    expect(outline(cycle([memory(1, { content: left }), memory(2, { content: right })]))).toEqual(['1 active over 2', '2 merged'])
    expect(isSameStatement(left, right)).toBe(true)
  })

  test('of equal statements the higher rank survives, and of that the earliest', () => {
    const same = { content: 'I hate noise' }
    const after = cycle([
      memory(1, { ...same, ...conclusion }),
      memory(2, same),
      memory(3, same),
      memory(4, { ...same, confirmed_by_user: true }),
    ])
    expect(outline(after)).toEqual(['1 merged', '2 merged over 1 over 3', '3 merged', '4 active over 2'])
    expect(after[3]?.quotes.map(({ excerpt }) => excerpt)).toEqual(['words 1', 'words 2', 'words 3', 'words 4'])
  })

  test('keeps twenty quotes: its own, and the oldest and newest of the others', () => {
    const after = cycle(Array.from({ length: 30 }, (_, index) => memory(index + 1, { content: 'I hate noise' })))
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 22, 23, 24, 25, 26, 27, 28, 29, 30]
    expect(after[0]?.quotes.map(({ excerpt }) => excerpt)).toEqual(numbers.map((number) => `words ${number}`))
  })

  test('procedures with different steps are not merged', () => {
    const procedure = (tool: string) => ({
      steps: [{ tool, shape: '{}', command: null }],
      distiller: 'heuristic' as const,
      successes: 1,
      failures: 0,
    })
    const pair = [procedure('fs.read'), procedure('fs.write')].map((steps, no) => memory(no + 1, { content: 'Check it', procedure: steps }))
    expect(outline(cycle(pair))).toEqual(['1 active', '2 active'])
  })
})

describe('words that revoke', () => {
  const french = memory(1, { content: 'The site is also in Danish.', memory_kind: 'decision' })
  const dropped = memory(5, { content: 'We drop Danish, no one can proofread it.', memory_kind: 'decision' })
  const revokes = new Map([[idOf(5), ['Danish']]])

  test('end the earlier memory, also in cycles without the words', () => {
    const after = cycle([french, dropped], { revokes })
    expect(outline(after)).toEqual(['1 revoked', '5 active over 1'])
    expect(cycle(after)).toEqual(after)
  })

  test('need all of their words, and never end what happened or what came later', () => {
    expect(outline(cycle([french, dropped], { revokes: new Map([[idOf(5), ['Danish', 'shop']]]) }))).toEqual(['1 active', '5 active'])
    expect(outline(cycle([{ ...french, memory_kind: 'episodic' }, dropped], { revokes }))).toEqual(['1 active', '5 active'])
    expect(outline(cycle([{ ...french, created_at: dayOf(6) }, dropped], { revokes }))).toEqual(['1 active', '5 active'])
    expect(outline(cycle([french, dropped], { revokes: new Map([[idOf(5), ['the']]]) }))).toEqual(['1 active', '5 active'])
  })

  test('end only the closest of several statements, with everything that repeats it', () => {
    const other = memory(2, { content: 'Ann proofread the Danish menu.' })
    const again = memory(3, { content: 'the site is also in Danish' })
    const later = memory(5, { content: 'The site drops Danish.' })
    expect(outline(cycle([french, other, again, later], { revokes }))).toEqual([
      '1 revoked over 3',
      '2 active',
      '3 merged',
      '5 active over 1',
    ])
  })

  test('of lower rank are a conflict that lasts until the user decides', () => {
    const after = cycle([french, { ...dropped, ...conclusion }], { revokes })
    expect(outline(after)).toEqual(['1 active against 5', '5 active against 1'])
    expect(outline(cycle(after))).toEqual(['1 active against 5', '5 active against 1'])
    expect(outline(cycle(after, { decisions: [decision(9, 5, 1)] }))).toEqual(['1 decided', '5 active over 1'])
  })
})

describe('a decision', () => {
  const conflict = [editor(1, 'Ed', correction), editor(2, 'Joe')]

  test('keeps one and supersedes the others, also those it does not name', () => {
    expect(outline(cycle(conflict, { decisions: [decision(5, 2, 1)] }))).toEqual(['1 decided', '2 active over 1'])
    const three = [...conflict, editor(3, 'Nano', conclusion)]
    expect(outline(cycle(three, { decisions: [decision(5, 3, 1)] }))).toEqual(['1 decided', '2 decided', '3 active over 1 over 2'])
  })

  test('reinstates what was superseded', () => {
    const after = cycle([editor(1, 'Ed'), editor(2, 'Joe'), editor(3, 'Nano')])
    const decided = cycle(after, { decisions: [decision(5, 1, 3)] })
    expect(outline(decided)).toEqual(['1 active over 3', '2 replaced', '3 decided over 2'])
  })

  test('a newer memory competes with the kept one, and the losers stay superseded', () => {
    const decisions = [decision(5, 2, 1)]
    const decided = cycle(conflict, { decisions })
    expect(outline(cycle([...decided, editor(6, 'Nano')], { decisions }))).toEqual(['1 decided', '2 replaced over 1', '6 active over 2'])
    expect(outline(cycle([...decided, editor(6, 'Nano', conclusion)], { decisions }))).toEqual([
      '1 decided',
      '2 active against 6 over 1',
      '6 active against 2',
    ])
  })

  test('the later of two decisions counts', () => {
    expect(outline(cycle(conflict, { decisions: [decision(6, 1, 2), decision(5, 2, 1)] }))).toEqual(['1 active over 2', '2 decided'])
  })

  test('holds when it is not handed in any more, and when the kept memory was erased', () => {
    const decided = cycle(conflict, { decisions: [decision(5, 2, 1)] })
    expect(outline(cycle(decided))).toEqual(['1 decided', '2 active over 1'])
    expect(outline(cycle(decided.filter(({ id }) => id !== idOf(2))))).toEqual(['1 decided'])
    const twice = cycle([memory(1), memory(2), memory(3, { content: 'fact 1' })], { decisions: [decision(5, 2, 1)] })
    expect(outline(twice)).toEqual(['1 decided over 3', '2 active over 1', '3 merged'])
    expect(cycle(twice)).toEqual(twice)
  })

  test('does not move what was merged into another loser in the next cycle', () => {
    const writeback = { source_type: 'memory_writeback', authority: 'agent' } as const
    const memories = [
      editor(3, 'Ed', { confirmed_by_user: true }),
      editor(4, 'Ed', correction),
      editor(5, 'Nano', writeback),
      editor(8, 'Ed'),
    ]
    const decisions = [decision(9, 5, 99)]
    const after = cycle(memories, { decisions })
    expect(outline(after)).toEqual(['3 merged', '4 decided over 3 over 8', '5 active over 4', '8 merged'])
    expect(cycle(after, { decisions })).toEqual(after)
  })

  test('over a memory that an earlier decision kept is as stable', () => {
    const memories = [editor(1, 'Ed', conclusion), editor(3, 'Ed'), editor(4, 'Nano', conclusion), editor(6, 'Ed', correction)]
    const decisions = [decision(2, 3, 1), decision(9, 4, 1)]
    const after = cycle(memories, { decisions })
    expect(outline(after)).toEqual(['1 decided', '3 decided over 6', '4 active over 1 over 3', '6 merged'])
    expect(cycle(after, { decisions })).toEqual(after)
  })

  test('against a corrected memory ends what repeated it, at once and not a cycle later', () => {
    const wrong = memory(1, { content: 'Ann is the tester.' })
    const right = memory(2, { content: 'It is Bob.', ...correction, supersedes: [idOf(1)] })
    const known = cycle([wrong, right, memory(3, { content: 'Ann is the tester' }), memory(4)])
    expect(outline(known)).toEqual(['1 replaced', '2 active over 1', '3 active', '4 active'])
    const decisions = [decision(5, 4, 1)]
    const after = cycle(known, { decisions })
    expect(outline(after)).toEqual(['1 decided over 3', '2 active', '3 merged', '4 active over 1'])
    expect(cycle(after, { decisions })).toEqual(after)
  })

  test('against an untrusted memory supersedes it', () => {
    const after = cycle([editor(1, 'Ed'), editor(2, 'Joe', { authority: 'untrusted' })], { decisions: [decision(5, 1, 2)] })
    expect(outline(after)).toEqual(['1 active', '2 decided'])
  })
})

describe('a memory that is gone', () => {
  const replaced = cycle([editor(1, 'Ed'), editor(2, 'Joe')])
  const gone = (state_reason: Memory['state_reason']) =>
    replaced.map((one) => (one.id === idOf(2) ? { ...one, state: 'archived' as const, state_reason } : one))

  test('does not bring back the older value when it was erased, deleted or has expired', () => {
    expect(outline(cycle(replaced.slice(0, 1)))).toEqual(['1 replaced'])
    expect(outline(cycle(gone('deleted')))).toEqual(['1 replaced', '2 deleted over 1'])
    expect(outline(cycle(gone('expired')))).toEqual(['1 replaced', '2 expired over 1'])
  })

  test('brings it back when it was set aside, and replaces it again when that is undone', () => {
    const aside = cycle(gone('set_aside'))
    expect(outline(aside)).toEqual(['1 active', '2 set_aside over 1'])
    const undone = aside.map((one) => ({ ...one, state: 'active' as const, state_reason: null }))
    expect(outline(cycle(undone))).toEqual(['1 replaced', '2 active over 1'])
  })

  test('an archived memory is in no conflict and takes no duplicates', () => {
    const archived = { state: 'archived', state_reason: 'expired' } as const
    expect(outline(cycle([editor(1, 'Ed', { ...correction, ...archived }), editor(2, 'Joe'), editor(3, 'Ed', conclusion)]))).toEqual([
      '1 expired',
      '2 active against 3',
      '3 active against 2',
    ])
  })
})

test('a correction supersedes the memory it names, whatever its words', () => {
  const wrong = memory(1, { content: 'Ann is the tester.' })
  const right = memory(2, { content: 'It is Bob.', ...correction, supersedes: [idOf(1)] })
  expect(outline(cycle([wrong, right]))).toEqual(['1 replaced', '2 active over 1'])
  expect(outline(cycle([wrong, { ...right, source_type: 'tool_call', authority: 'agent' }]))).toEqual([
    '1 active against 2',
    '2 active against 1',
  ])
})

test('what was merged into a memory does not return when that one is edited', () => {
  const [first, ...rest] = cycle([memory(1, { content: 'I hate noise' }), memory(2, { content: 'I hate noise.' })])
  const edited = { ...(first ?? memory(1)), content: 'I like noise' }
  expect(outline(cycle([edited, ...rest]))).toEqual(['1 active over 2', '2 merged'])
})

test('memories of other subjects, owners and conversations do not interact', () => {
  const others: readonly Partial<Memory>[] = [
    {},
    { subject: 'workspace:site' },
    { agent_id: null },
    { agent_id: 'other' },
    { only_in_conversation: true, conversation_id: idOf(77) },
    { only_in_conversation: true, conversation_id: idOf(78) },
  ]
  const memories = others.flatMap((rest, no) => [editor(no + 1, 'Ed', rest), editor(no + 11, 'Ed', rest)])
  expect(new Set(cycle(memories).map(({ state_reason }) => state_reason))).toEqual(new Set([null, 'merged']))
  expect(cycle(memories).filter(({ state }) => state === 'active')).toHaveLength(others.length)
  const changed = others.map((rest, no) => editor(no + 1, `E${no}`, rest))
  expect(cycle(changed).every(({ state, supersedes }) => state === 'active' && supersedes.length === 0)).toBe(true)
})

describe('for any memories', () => {
  const origin = fc.constantFrom<Partial<Memory>>(
    {},
    {},
    {},
    correction,
    conclusion,
    conclusion,
    { confirmed_by_user: true },
    { authority: 'agent', source_type: 'memory_writeback' },
    { authority: 'agent', source_type: 'distillation' },
    { authority: 'agent', source_type: 'bootstrap' },
    { authority: 'untrusted' },
  )
  const content = fc.constantFrom(
    'My editor is Ed.',
    'My editor is Ed',
    'My editor is Joe.',
    'My editor is Nano.',
    'Joe it is from now on.',
    'My shell is sash.',
    'My shell is ksh.',
    'I hate noise.',
    'I hate pop-ups.',
    'Noise is fine by me.',
  )
  const subject = fc.constantFrom('user', 'user', 'user', 'workspace:site')
  const anyMemories = fc
    .array(fc.tuple(content, origin, subject, fc.integer({ min: 1, max: 8 })), { maxLength: 10 })
    .map((rows) =>
      rows.map(([text, from, about, day], index) => memory(index + 1, { content: text, subject: about, created_at: dayOf(day), ...from })),
    )
  const endings = ['Ed', 'Joe', 'noise', 'shell']
  const anyInput = anyMemories.chain((memories) =>
    fc.record({
      memories: fc.constant(memories),
      decisions: fc
        .array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 9 })), { maxLength: memories.length < 2 ? 0 : 2 })
        .map((rows) =>
          rows.flatMap(([kept, over, day], index) => {
            const [left, right] = [(kept % memories.length) + 1, (over % memories.length) + 1]
            return left === right ? [] : [{ ...decision(day, left, right), id: idOf(6_000 + index) }]
          }),
        ),
      revokes: fc
        .array(fc.tuple(fc.nat(9), fc.constantFrom(...endings)), { maxLength: 2 })
        .map((rows) => new Map(rows.map(([no, word]) => [idOf(no + 1), [word]]))),
      similar: fc
        .array(fc.tuple(fc.nat(9), fc.nat(9), fc.constantFrom(0.5, 0.8, 0.95)), { maxLength: 3 })
        .map((rows) => rows.map(([left, right, score]) => ({ left: idOf(left + 1), right: idOf(right + 1), score }))),
    }),
  )
  const byId = (memories: readonly Memory[]) => memories.toSorted((left, right) => (left.id < right.id ? -1 : 1))
  const inOrder = (memories: readonly Memory[]) =>
    memories.toSorted((left, right) => (`${left.created_at} ${left.id}` < `${right.created_at} ${right.id}` ? -1 : 1))
  const withoutQuotes = (memories: readonly Memory[]) => memories.map(({ quotes: _quotes, ...rest }) => rest)
  const quotesOf = (memories: readonly Memory[]) => new Set(memories.flatMap(({ quotes }) => quotes.map(({ excerpt }) => excerpt)))

  test('the order in which they are given does not matter', () => {
    fc.assert(
      fc.property(anyInput, fc.infiniteStream(fc.nat()), (input, numbers) => {
        const shuffled = <Item>(list: readonly Item[]) =>
          list
            .map((item) => ({ item, no: numbers.next().value as number }))
            .sort((left, right) => left.no - right.no)
            .map(({ item }) => item)
        const other = {
          ...input,
          memories: shuffled(input.memories),
          decisions: shuffled(input.decisions),
          similar: shuffled(input.similar),
        }
        expect(resolveMemories(other)).toEqual(resolveMemories(input))
      }),
      { numRuns: 500 },
    )
  })

  test('a second cycle changes nothing, with the same input and without words and similarities', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const after = applyChanges(input.memories, resolveMemories(input).changes)
        expect(resolveMemories({ ...input, memories: after }).changes).toEqual([])
        expect(resolveMemories({ ...input, memories: after, revokes: new Map(), similar: [] }).changes).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  test('a cycle after each arrival gives the same as one cycle for all, words and similarities handed in once', () => {
    fc.assert(
      fc.property(anyInput, ({ memories, revokes, similar }) => {
        let [known, ids]: [readonly Memory[], Set<string>] = [[], new Set()]
        for (const next of inOrder(memories)) {
          known = [...known, next]
          ids = new Set([...ids, next.id])
          const pairs = similar.filter(({ left, right }) => (left === next.id && ids.has(right)) || (right === next.id && ids.has(left)))
          known = cycle(known, { revokes: new Map([...revokes].filter(([id]) => id === next.id)), similar: pairs })
        }
        const [each, all] = [byId(known), byId(cycle(memories, { revokes, similar }))]
        expect(withoutQuotes(each)).toEqual(withoutQuotes(all))
        // A slot found by a later similarity can undo a merge; the quotes that were merged by then stay.
        for (const [index, one] of all.entries()) expect(each[index]?.quotes).toEqual(expect.arrayContaining(one.quotes))
      }),
      { numRuns: 1_000 },
    )
  })

  test('nothing is lost: the same memories, every quote, and a state that the table allows', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { changes } = resolveMemories(input)
        const after = applyChanges(input.memories, changes)
        expect(after.map(({ id, content: text }) => [id, text])).toEqual(input.memories.map(({ id, content: text }) => [id, text]))
        expect(quotesOf(after)).toEqual(quotesOf(input.memories))
        expect(after.every(({ state }) => memoryStates.includes(state))).toBe(true)
        for (const { id, trigger } of changes) {
          const before = input.memories.find((one) => one.id === id)
          if (trigger !== null) expect(transition(memoryTransitions, before?.state ?? 'active', trigger).ok).toBe(true)
        }
        for (const one of after) {
          for (const other of one.conflicts_with) expect(after.find(({ id }) => id === other)?.conflicts_with).toContain(one.id)
          if (one.state === 'superseded' && one.state_reason !== 'decided')
            expect(after.some(({ supersedes }) => supersedes.includes(one.id))).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('every statement of an active slot has exactly one memory that is recalled', () => {
    fc.assert(
      fc.property(anyInput, ({ memories }) => {
        const after = cycle(memories)
        for (const slot of ['editor', 'shell']) {
          for (const about of ['user', 'workspace:site']) {
            const filled = after.filter((one) => one.slot === slot && one.subject === about && rankOf(one) > 0)
            expect(filled.filter((one) => isRecallable(one, after))).toHaveLength(filled.length === 0 ? 0 : 1)
          }
        }
      }),
    )
  })

  test('a decision survives every later cycle', () => {
    const later = fc.array(fc.tuple(content, origin), { maxLength: 5 })
    fc.assert(
      fc.property(anyMemories, fc.nat(), fc.nat(), later, (memories, first, second, arrivals) => {
        fc.pre(memories.length >= 2 && first % memories.length !== second % memories.length)
        const [kept, lost] = [(first % memories.length) + 1, (second % memories.length) + 1]
        const decisions = [decision(20, kept, lost)]
        let known = cycle(cycle(memories), { decisions })
        const stateOf = (no: number) => known.find(({ id }) => id === idOf(no))
        expect(stateOf(kept)?.state).toBe('active')
        for (const [index, [text, from]] of arrivals.entries()) {
          known = cycle([...known, memory(100 + index, { content: text, ...from })], { decisions })
          expect(stateOf(lost)).toMatchObject({ state: 'superseded', state_reason: 'decided' })
          const replacedBy = known.find(({ supersedes }) => supersedes.includes(idOf(kept)))
          expect(stateOf(kept)?.state === 'active' || (replacedBy?.created_at ?? '') > dayOf(20)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('the latest user correction of a slot is always the one that is recalled', () => {
    fc.assert(
      fc.property(anyInput, fc.integer({ min: 1, max: 9 }), ({ memories }, day) => {
        const right = memory(50, { content: 'My editor is Vile.', created_at: dayOf(day), ...correction })
        const all = [...memories.filter(({ source_type }) => source_type !== 'user_correction'), right]
        const after = cycle(all)
        const recalled = after.filter((one) => one.slot === 'editor' && one.subject === 'user' && isRecallable(one, after))
        expect(recalled.map(({ id }) => id)).toEqual([right.id])
      }),
    )
  })

  test('untrusted memories change nothing for the others, and are left alone', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const isTrusted = ({ authority }: Memory) => authority !== 'untrusted'
        const without = { ...input, decisions: [], memories: input.memories.filter(isTrusted) }
        expect(resolveMemories({ ...input, decisions: [] })).toEqual(resolveMemories(without))
      }),
      { numRuns: 500 },
    )
  })

  test('each subject has the result that it has alone', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const alone = ['user', 'workspace:site'].flatMap((about) =>
          resolveMemories({ ...input, memories: input.memories.filter((one) => one.subject === about) }).changes.map((change) => change),
        )
        expect(resolveMemories(input).changes.toSorted((left, right) => (left.id < right.id ? -1 : 1))).toEqual(
          alone.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
        )
      }),
      { numRuns: 500 },
    )
  })
})
