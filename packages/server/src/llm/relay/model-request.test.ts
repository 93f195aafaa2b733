import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { membersOf } from './json-members.ts'
import { bodyFor, parseModelRequest } from './model-request.ts'

function ask(text: string) {
  const read = parseModelRequest(Buffer.from(text))
  if (!read.ok) throw new Error(read.message)
  return read.ask
}

const sent = (text: string, usage = false) => bodyFor(ask(text), 'own', { usage }).toString()

describe('parsing', () => {
  test('the fields that the gateway needs', () => {
    const {
      bytes: _,
      members: __,
      ...rest
    } = ask(
      '{"model":"a/b","models":["c/d","a/b"],"stream":true,"stream_options":{"include_usage":true},"max_tokens":5,"max_completion_tokens":9}',
    )
    expect(rest).toEqual({ models: ['a/b', 'c/d'], stream: true, wants_usage: true, max_output_tokens: 9 })
  })

  test.each([
    ['', '', 'must be a JSON object, nested at most 1,000 deep'],
    ['[]', '', 'must be a JSON object, nested at most 1,000 deep'],
    ['{"model":"a/b"', '', 'must be a JSON object, nested at most 1,000 deep'],
    ['{"model":"a/b",}', '', 'must be a JSON object, nested at most 1,000 deep'],
    ['{"model":"a/b"} x', '', 'must be a JSON object, nested at most 1,000 deep'],
    ['{}', '/model', 'is missing'],
    ['{"model":1}', '/model', 'must be the name of a model'],
    ['{"model":"a/b","models":"c"}', '/models', 'must be a list of at most 10 names of models'],
    ['{"model":"a/b","mod\\u0065l":"c/d"}', '/model', 'must be given only once'],
  ])('%s is refused', (text, pointer, message) => {
    expect(parseModelRequest(Buffer.from(text))).toEqual({ ok: false, pointer, message })
  })

  test('depth is limited', () => {
    const deep = (levels: number) => Buffer.from(`{"model":"a/b","x":${'['.repeat(levels)}${']'.repeat(levels)}}`)
    expect([parseModelRequest(deep(900)).ok, parseModelRequest(deep(500_000)).ok]).toEqual([true, false])
  })
})

describe('the body that is sent', () => {
  test.each([
    ['{"model":"a/b"}', '{"model":"own"}'],
    ['{ "x" : 12345678901234567890 , "model" : "a/b" }', '{ "x" : 12345678901234567890 , "model" : "own" }'],
    ['{"__proto__":{"y":1},"model":"a/b","z":1,"z":2}', '{"__proto__":{"y":1},"model":"own","z":1,"z":2}'],
    ['{"model":"a/b","models":["c/d"]}', '{"model":"own"}'],
    ['{"models":["c/d"], "model":"a/b"}', '{"model":"own"}'],
    ['{"x":1,"models":["c/d"],"y":2}', '{"x":1,"model":"own","y":2}'],
    ['{"x":1,"model":"a/b", "models":["c/d"] ,"y":2}', '{"x":1,"model":"own", "y":2}'],
    ['{"m":"\\"model\\":\\"x\\"","model":"ä/\\u00e4"}', '{"m":"\\"model\\":\\"x\\"","model":"own"}'],
  ])('%s', (text, expected) => {
    expect(sent(text)).toBe(expected)
  })

  test.each([
    ['{"model":"a/b","stream":true}', '{"stream_options":{"include_usage":true},"model":"own","stream":true}'],
    [
      '{"model":"a/b","stream":true,"stream_options":{ "x":1}}',
      '{"model":"own","stream":true,"stream_options":{"include_usage":true, "x":1}}',
    ],
    ['{"model":"a/b","stream":true,"stream_options":{}}', '{"model":"own","stream":true,"stream_options":{"include_usage":true}}'],
    ['{"model":"a/b","stream":true,"stream_options":null}', '{"model":"own","stream":true,"stream_options":{"include_usage":true}}'],
    [
      '{"model":"a/b","stream":true,"stream_options":{"include_usage":false}}',
      '{"model":"own","stream":true,"stream_options":{"include_usage":true}}',
    ],
    ['{"model":"a/b","stream":true,"stream_options":{} }', '{"model":"own","stream":true,"stream_options":{"include_usage":true} }'],
    ['{"model":"a/b","stream":true,"stream_options":7}', '{"model":"own","stream":true,"stream_options":7}'],
    ['{"model":"a/b","stream":false}', '{"model":"own","stream":false}'],
  ])('%s with usage requested', (text, expected) => {
    expect(sent(text, true)).toBe(expected)
  })

  test('equals the result of a parser', () => {
    const names = fc.oneof(fc.constantFrom('model', 'models', 'stream', 'stream_options', '__proto__'), fc.string())
    const value = fc.oneof(fc.jsonValue(), fc.constant(true))
    const object = fc.uniqueArray(fc.tuple(names, value), { selector: ([name]) => name, maxLength: 8 })
    fc.assert(
      fc.property(object, fc.integer({ min: 0, max: 2 }), (entries, indent) => {
        const text = JSON.stringify(
          Object.fromEntries([...entries.filter(([name]) => name !== 'models' && name !== 'model'), ['model', 'a/b']]),
          null,
          indent,
        )
        const before = JSON.parse(text)
        const after = JSON.parse(sent(text, true))
        const streams = before.stream === true
        const options = before.stream_options
        const isObject = typeof options === 'object' && !Array.isArray(options)
        const asked = streams && (isObject || options === undefined)
        expect(after).toEqual({ ...before, model: 'own', ...(asked ? { stream_options: { ...options, include_usage: true } } : {}) })
      }),
      { verbose: 1 },
    )
  })

  test('invalid JSON is detected wherever it breaks', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue()),
        fc.nat(),
        fc.constantFrom('{', '}', '[', ']', ',', ':', '1', 'x', ' '),
        (value, place, byte) => {
          const text = JSON.stringify(value)
          const at = place % text.length
          for (const broken of [
            text,
            text.slice(0, at),
            text.slice(0, at) + byte + text.slice(at),
            text.slice(0, at) + text.slice(at + 1),
          ]) {
            expect([broken, membersOf(Buffer.from(broken), new Set()) !== undefined]).toEqual([broken, isLooselyJson(broken)])
          }
        },
      ),
      { numRuns: 500, verbose: 1 },
    )
  })
})

/** Like a parser, except for the content of strings. */
function isLooselyJson(text: string): boolean {
  const plain = text.replaceAll(/"(?:[^"\\]|\\[\s\S])*"/g, '"s"')
  try {
    const value = JSON.parse(plain)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
