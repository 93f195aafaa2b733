import type { Memory } from '@tandem/contract/memory'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { slotOf } from '../resolve/slots.ts'
import { canReplace, relatedTo, replacedBy, type Statement } from './replaced.ts'
import { differ, namesOldValue } from './values.ts'

let made = 0
function memory(content: string, rest: Partial<Memory> = {}): Memory {
  const { memory_kind = 'decision', subject = 'user' } = rest
  made += 1
  return {
    ...{ id: `m${made}`, agent_id: 'a', conversation_id: null, only_in_conversation: false, memory_kind, subject, content },
    ...{ slot: slotOf({ memory_kind, subject, content }), quotes: [], procedure: null, state: 'active', state_reason: null },
    ...{ confidence: 1, source_type: 'memory_flush', source_run_id: null, authority: 'person', confirmed_by_user: false },
    ...{ expires_at: null, conflicts_with: [], supersedes: [], last_used_at: null, use_count: 0, tags: [] },
    ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z', version: 1 },
    ...rest,
  }
}

const said = (content: string, rest: Partial<Statement> = {}): Statement => ({
  ...{ memory_kind: 'decision', subject: 'user', content, revokes: [], workspace: 'shop', words: content },
  ...rest,
})
const replaced = (statement: Statement, existing: readonly Memory[]) => replacedBy(statement, existing)?.memory.content ?? null

describe('a statement replaces', () => {
  test('the value of the same slot, although it was said elsewhere or looked like another kind', () => {
    const old = memory('Neovim is my editor.', { memory_kind: 'semantic' })
    const now = said('Zed is my editor now.', { memory_kind: 'relationship', subject: 'entity:Zed' })
    expect(replacedBy(now, [old])).toEqual({ memory: old, memory_kind: 'semantic' })
  })

  test.each([
    ['So no skylight.', ['skylight'], 'We want a skylight over the stairs.', 'workspace:shop'],
    ['Zod out, valibot in.', ['zod'], 'Validation of payloads goes through zod.', 'user'],
    ['NOTIFY goes, Redis it is.', ['notify'], "Let's go with LISTEN/NOTIFY for the board.", 'workspace:shop'],
  ])('what its words end: %s', (content, revokes, old, subject) => {
    expect(replaced(said(content, { revokes }), [memory('We like blue paint.'), memory(old, { subject })])).toBe(old)
  })

  test.each([
    ['Bring the morning summary forward, 7:45.', 'I want a summary every weekday at 8:30.'],
    ["I'm moving the hand-in once more: 8 May.", 'The hand-in is on 29 April.'],
    ['The kitchen money drops to 7500.', 'We put 9000 euros aside for the kitchen.'],
    ["We're moving the trip from the 14th to 21 April.", 'The trip is set for 14 April.'],
    ["Marp is a pain with fonts, I've moved over to Slidev.", 'My slides are Marp, in git.'],
    ['Print the wine card monthly, weekly was daft.', 'The wine card is printed weekly.'],
    ['Ann can have her updates by e-mail from now on.', 'Updates for the board go on Slack.'],
    ['The rehearsal is at 6:45 instead, half seven is too late.', 'We have the rehearsal at 7:30.'],
    ["I've moved the swimming to Saturdays, 8 o'clock.", 'I swim on Tuesdays at 6:30.'],
    ['The heating comes on the 25th, so the move is now on 3 October.', 'The move is on the 19th.'],
    ['Releases work differently now: tag, and CI deploys from staging.', 'A release: migrate staging, tag, deploy.'],
  ])('the same thing with another value: %s', (content, old) => {
    expect(replaced(said(content), [memory('The rent is due on Mondays.'), memory(old)])).toBe(old)
  })
})

test('what is left for something else may be named just before', () => {
  const old = memory('We use Fastpost for parcels.')
  const now = said("We're switching to Parcelforce, from Tuesday.", { before: 'Fastpost lost a pallet. Forty minutes on hold. ' })
  expect(replaced(now, [old, memory('We like blue paint.')])).toBe(old.content)
  expect(replaced({ ...now, before: 'They lost a pallet. ' }, [old])).toBeNull()
  expect(replaced({ ...now, words: 'We told them to call.', content: 'We told them to call.' }, [old])).toBeNull()
})

test('two days name what has no other words', () => {
  const old = memory("From October we're open Thursday to Sunday only.")
  const now = said("Scratch that Thursday to Sunday thing, it's Wednesday to Saturday.", { revokes: ['thursday', 'sunday'] })
  expect(replaced(now, [memory('No calls on Sunday.'), old])).toBe(old.content)
})

describe('a statement does not replace', () => {
  test.each([
    ['what holds elsewhere, when it is about this place', 'In this repo semicolons stay.', 'I leave semicolons out.', 'user'],
    ['what belongs to another workspace', 'The hand-in moves to 8 May.', 'The hand-in is on 29 April.', 'workspace:other'],
    [
      'what shares only the name of a person',
      "Peter Garside called, and we're moving to the barn.",
      'Peter Garside minds the walls.',
      'user',
    ],
    ['what merely shares a word', 'From now on, mention the Kysely version.', 'Our queries use Kysely.', 'user'],
    ['anything, without words of a change', 'The lab tour takes 45 minutes.', 'The lab tour took 90 minutes.', 'user'],
  ])('%s', (_, content, old, subject) => {
    expect(replaced(said(content), [memory(old, { subject })])).toBeNull()
  })

  test('an event, or what is not active', () => {
    const words = 'The hand-in moves to 8 May.'
    const old = 'The hand-in is on 29 April.'
    expect(replaced(said(words), [memory(old)])).toBe(old)
    expect(replaced(said(words), [memory(old, { memory_kind: 'episodic' }), memory(old, { state: 'archived' })])).toBeNull()
  })

  test('one of two that fit equally well', () => {
    const two = [memory('The lab report is due on 3 May.'), memory('The lab report for Ann is due on 4 May.')]
    expect(replaced(said('The lab report moves to 9 May.'), two)).toBeNull()
  })
})

describe('with an embedder, a statement replaces', () => {
  const trip = memory('Half term: we are going to my sister in Falmouth, 24th to 30th.')
  const words = 'Half term we go to Aberystwyth instead, same dates.'
  const likely = (score: number) => (left: string, right: string) => (left === words && right === trip.content ? score : 0.1)
  const others = [memory('The Falmouth office is closed.'), memory('Paint the fence green.')]

  test('what means nearly the same, if it hints at a change', () => {
    expect(replacedBy(said(words), [...others, trip], likely(0.68))?.memory).toBe(trip)
    expect(replacedBy(said(words, { isHint: true }), [...others, trip], likely(0.6))?.memory).toBe(trip)
    expect(replacedBy(said(words), [...others, trip], likely(0.59))?.memory).toBeUndefined()
    expect(replacedBy(said(words), [...others, trip])?.memory).toBeUndefined()
  })

  test('nothing that means the same without a hint', () => {
    const repeated = 'We spend half term with my sister in Falmouth.'
    expect(replacedBy(said(repeated), [trip], () => 0.9)).toBeNull()
  })

  test('nothing that it shares only words with', () => {
    const old = memory('My sister in Falmouth gets a copy of everything.')
    const now = said('We moved to a flat near my sister in Falmouth.')
    expect(replacedBy(now, [old], () => 0.5)?.memory).toBe(old)
    expect(replacedBy(now, [old], () => 0.44)).toBeNull()
    expect(replacedBy(now, [old], () => null)?.memory).toBe(old)
    // What is ended or has another value needs no likeness.
    const day = memory('The hand-in is on 29 April.')
    expect(replacedBy(said('The hand-in moves to 8 May.'), [day], () => 0.1)?.memory).toBe(day)
    expect(replacedBy(said('So no skylight.', { revokes: ['skylight'] }), [memory('We want a skylight.')], () => 0.1)).not.toBeNull()
  })
})

test('a hint takes no slot', () => {
  const old = memory('Neovim is my editor.', { memory_kind: 'preference' })
  const now = said('Zed is my editor now.', { memory_kind: 'preference' })
  expect(replacedBy(now, [old])?.memory).toBe(old)
  expect(replacedBy({ ...now, isHint: true }, [old])).toBeNull()
})

test('what is denied is not ended with what it denies', () => {
  const now = said('Chapters follow the months now instead of the fish.', { revokes: ['fish'] })
  const plan = memory('Chapters follow the fish in season.')
  expect(replaced(now, [memory('No farmed fish on my menu.')])).toBeNull()
  expect(replaced(now, [memory('No farmed fish on my menu.'), plan])).toBe(plan.content)
})

test('what is replaced is one of the given memories, and the order of others does not matter', () => {
  const words = fc.constantFrom(
    'skylight',
    'summary',
    'kitchen',
    'Marp',
    'now',
    '7:45',
    '8:30',
    'moves to',
    '8 May',
    'no longer',
    'paint',
    'the',
  )
  const sentence = fc.array(words, { minLength: 1, maxLength: 7 }).map((list) => `${list.join(' ')}.`)
  fc.assert(
    fc.property(sentence, fc.uniqueArray(sentence, { maxLength: 8 }), (content, contents) => {
      const existing = contents.map((one) => memory(one))
      const found = replacedBy(said(content), existing)?.memory
      expect(found === undefined || existing.includes(found)).toBe(true)
      const others = [memory('An unrelated remark about geese.'), ...existing]
      expect(replacedBy(said(content), others)?.memory).toBe(found)
    }),
  )
})

test('what a model takes for replaced must be active, no event, and about something that both name', () => {
  const old = memory('The hand-in is on 29 April.')
  expect(canReplace('The hand-in is now on 8 May.', old)).toBe(true)
  expect(canReplace('The user likes tea.', old)).toBe(false)
  expect(canReplace('The hand-in is now on 8 May.', { ...old, memory_kind: 'episodic' })).toBe(false)
  expect(canReplace('The hand-in is now on 8 May.', { ...old, state: 'superseded' })).toBe(false)
})

test('related memories are those with the most words in common', () => {
  const [one, two, three] = [memory('Geese are loud.'), memory('The blue kitchen is small.'), memory('The kitchen paint is blue.')]
  expect(relatedTo('Which blue paint for the kitchen?', [one, two, three], 2)).toEqual([three, two])
})

test('values of the same type differ, and the old one may be named', () => {
  expect(differ('at 7:45', 'at 8:30')).toBe(true)
  expect(differ('at 8:30', 'at 8:30')).toBe(false)
  expect(differ('on 8 May', 'at 8:30')).toBe(false)
  expect(namesOldValue('from the 14th to 21 April', 'set for 14 April')).toBe(true)
  expect(namesOldValue('set for 21 April', 'set for 14 April')).toBe(false)
  expect(namesOldValue('Thursday instead of Friday', 'every Friday')).toBe(true)
})

test('spoken times, how often and channels are values', () => {
  expect(namesOldValue('at 6:45, half seven is too late', 'daily at 7:30')).toBe(true)
  expect(namesOldValue('at 7:45, not quarter past eight', 'at 8:15')).toBe(true)
  expect(differ('print it monthly', 'printed weekly')).toBe(true)
  expect(differ('on WhatsApp from now on', 'by email')).toBe(true)
})
