import { canonicalJson } from '@tandem/contract/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PayloadText } from './payload-text.ts'
import { readPushBody } from './push-body.ts'
import { change, facts } from './test-change.ts'
import { anyObject, anyValue, damage, habits, meaningful, type Spellable, spell } from './test-spelling.ts'

const seed = Number(process.env.TANDEM_SEED)

/** With objects in the place of texts again. */
function unread(request: unknown): unknown {
  return JSON.parse(JSON.stringify(request, (_name, value) => (value instanceof PayloadText ? JSON.parse(value.json.toString()) : value)))
}

/** With texts that can be compared. */
function shown(request: unknown): unknown {
  return JSON.parse(JSON.stringify(request, (_name, value) => (value instanceof PayloadText ? `text ${value.json.toString()}` : value)))
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

test('payloads are left as text, but for todos and deletions, whose payloads are looked into', () => {
  const changes = [...facts('m', 2), change({ entity_type: 'todos', payload: { todos: [] } }), change({ op: 'delete' })]
  const request = readPushBody(Buffer.from(JSON.stringify({ device_id: 'laptop', changes })))
  const [first, second, ...rest] = changes
  expect(shown(request)).toEqual({
    device_id: 'laptop',
    changes: [{ ...first, payload: 'text {"text":"m 0"}' }, { ...second, payload: 'text {"text":"m 1"}' }, ...rest],
  })
  expect(unread(request)).toEqual({ device_id: 'laptop', changes })
})

const one = JSON.stringify(change())
test.each([
  ['no JSON', '{"device_id":'],
  ['no JSON behind it', `{"changes":[${one}]} x`],
  ['no JSON between', `{"changes":[${one},,${one}]}`],
  ['brackets that do not match', `{"changes":[${one}}]`],
  ['no payload', '{"device_id":"laptop","changes":[]}'],
  ['a list', `[${one}]`],
  ['changes twice', `{"changes":[${one}],"changes":[]}`],
  ['a payload twice', `{"changes":[${one.slice(0, -1)},"payload":{}}]}`],
  ['a name by its numbers', `{"ch\\u0061nges":[${one}]}`],
  ['a payload by its numbers', `{"changes":[${one.slice(0, -1)},"p\\u0061yload":{}}]}`],
  ['another encoding', Buffer.from([...Buffer.from('{"changes":[{"payload":{"a":"'), 0xff, ...Buffer.from('"}}]}')])],
])('%s is left to be read as ever', (_name, body) => {
  expect(readPushBody(Buffer.from(body))).toBe(undefined)
})

test('a payload that takes more than to be put in order is read as ever, the others are not', () => {
  const body = `{"changes":[{"op":"upsert","payload":{"a":"\\u00e9"}},{"op":"upsert","payload":{"b":1,"a":2}},7,{"payload":3}]}`
  expect(shown(readPushBody(Buffer.from(body)))).toEqual({
    changes: [{ op: 'upsert', payload: { a: 'é' } }, { op: 'upsert', payload: 'text {"a":2,"b":1}' }, 7, { payload: 3 }],
  })
})

const field = (name: string, held: fc.Arbitrary<Spellable>) => held.map((value) => [name, value] as const)
const objectOf = (...fields: fc.Arbitrary<readonly [string, Spellable]>[]): fc.Arbitrary<Spellable> =>
  fc.tuple(...fields).chain((all) => fc.shuffledSubarray(all, { minLength: all.length }).map((some) => ({ fields: some })))
const said = [
  field('op', fc.constantFrom('upsert', 'delete')),
  field('entity_type', fc.constantFrom('messages', 'todos')),
  field('entity_id', anyValue),
]
const aChange = fc.oneof(
  { weight: 6, arbitrary: objectOf(field('payload', anyObject), ...said) },
  { weight: 1, arbitrary: objectOf(field('payload', anyValue), field('changes', anyValue), ...said) },
  { weight: 1, arbitrary: objectOf(field('payload', anyObject), field('payload', anyValue)) },
  { weight: 1, arbitrary: anyValue },
)
const changes = field('changes', fc.array(aChange, { minLength: 1, maxLength: 4 }))
const aBody = fc.oneof(
  { weight: 8, arbitrary: objectOf(changes, field('device_id', anyValue), field('payload', anyObject)) },
  { weight: 1, arbitrary: objectOf(changes, field('changes', anyValue)) },
  { weight: 1, arbitrary: anyObject },
)

test(`it is what JSON.parse makes of the body, or nothing (seed ${seed})`, () => {
  let taken = 0
  fc.assert(
    fc.property(aBody, habits, (value, choices) => {
      const sent = spell(value, choices)
      const request = readPushBody(Buffer.from(sent))
      if (request === undefined) return
      taken += 1
      expect(canonicalJson(unread(request))).toBe(canonicalJson(JSON.parse(sent)))
    }),
    { seed, numRuns: 2_000 },
  )
  expect(taken).toBeGreaterThan(200)
})

test(`also when a byte of it is another one (seed ${seed})`, () => {
  fc.assert(
    fc.property(aBody, habits, fc.nat(), meaningful, (value, choices, at, byte) => {
      const body = damage(spell(value, choices), at, byte)
      const sent = Buffer.from(body)
      const request = readPushBody(body)
      if (request === undefined) expect(body).toEqual(sent)
      else expect(canonicalJson(unread(request))).toBe(canonicalJson(parsed(sent)))
    }),
    { seed, numRuns: 5_000 },
  )
})
