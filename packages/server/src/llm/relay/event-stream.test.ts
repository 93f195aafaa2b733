import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openEventStream } from './event-stream.ts'

const usage = '{"id":"x","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":2}}}'

function pass(chunks: readonly Buffer[], strip: boolean) {
  const stream = openEventStream({ strip })
  const passed = chunks.map((chunk) => stream.push(chunk))
  const rest = stream.end()
  return {
    passed,
    text: Buffer.concat([...passed, rest]).toString(),
    seen: stream.seen,
    complete: stream.complete,
    bytes: stream.text_bytes,
  }
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

test('in any chunks, the same complete events pass, and the same usage is found', () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"usage":{', '[DONE', '\r\n', '🙂', '{"usage":{"prompt_tokens":99}}'),
  )
  const event = fc.oneof(
    word.map((content) => ({ data: JSON.stringify({ choices: [{ delta: { content } }], usage: null }), words: content })),
    fc.constant({ data: usage, words: '' }),
  )
  const block = fc.tuple(fc.constantFrom('', ': comment', 'event: delta', 'id: 1'), event)
  fc.assert(
    fc.property(
      fc.array(block, { maxLength: 12 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      (blocks, end, sizes, strip) => {
        const parts = blocks.map(([line, { data, words }]) => ({
          text: `${line === '' ? '' : `${line}${end}`}data: ${data}${end}${end}`,
          told: data === usage,
          words,
        }))
        const whole = Buffer.from(parts.map((part) => part.text).join(''))
        const result = pass(cut(whole, sizes), strip)
        expect(result.text).toBe(
          parts
            .filter((part) => !(strip && part.told))
            .map((part) => part.text)
            .join(''),
        )
        expect(result.seen).toEqual(parts.some((part) => part.told) ? { input_tokens: 7, cached_input_tokens: 2, output_tokens: 3 } : {})
        expect(result.complete).toBe(false)
        expect(result.bytes).toBe(parts.reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part.words)) - 2, 0))
        for (const piece of result.passed)
          expect(piece.length === 0 || /(?:\n\n|\r\r|\n\r\n?|^\n)$/.test(piece.toString('latin1'))).toBe(true)
      },
    ),
    { numRuns: 500, verbose: 1 },
  )
})

describe('usage', () => {
  test('of Anthropic comes in two parts, with cached tokens besides the input', () => {
    const { seen, complete } = pass(
      [
        Buffer.from(
          'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":10,"cache_read_input_tokens":5,"cache_creation_input_tokens":2,"output_tokens":1}}}\n\n',
        ),
        Buffer.from(
          'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":30}}\n\n',
        ),
        Buffer.from('event: message_stop\ndata: {"type":"message_stop"}\n\n'),
      ],
      false,
    )
    expect([seen, complete]).toEqual([{ input_tokens: 17, cached_input_tokens: 5, output_tokens: 30 }, true])
  })

  test('of a response is in its last event, however long that is', () => {
    for (const length of [10, 300_000, 6_000_000]) {
      const data = JSON.stringify({
        type: 'response.completed',
        response: { output: 'x'.repeat(length), usage: { input_tokens: 4, output_tokens: 5, input_tokens_details: { cached_tokens: 1 } } },
      })
      const chunks = cut(Buffer.from(`event: response.completed\ndata: ${data}\n\n`), [60_000])
      const { seen, text } = pass(chunks, false)
      expect([length, seen, text.length]).toEqual([
        length,
        { input_tokens: 4, cached_input_tokens: 1, output_tokens: 5 },
        Buffer.concat(chunks).length,
      ])
    }
  })

  test('a value that is not a number of tokens is not usage', () => {
    const { seen } = pass([Buffer.from('data: {"choices":[],"usage":{"prompt_tokens":-1,"completion_tokens":"3"}}\n\n')], false)
    expect(seen).toEqual({})
  })
})

test('half an event at the end is dropped', () => {
  const whole = 'data: {"choices":[{"finish_reason":"stop"}]}\n\n'
  const ends = ['', 'eve', 'data: {"choi', 'data: {"x":1}', 'data: [DONE]', ': comm']
  expect(
    ends.map((end) => pass([Buffer.from(whole + end)], false)).map(({ text, complete }) => [text.slice(whole.length), complete]),
  ).toEqual([
    ['', true],
    ['', true],
    ['', false],
    ['data: {"x":1}', true],
    ['data: [DONE]', true],
    ['', true],
  ])
})

describe('the end', () => {
  test.each([
    ['data: [DONE]\n\n', true],
    ['data:[DONE]', true],
    ['data: {"choices":[{"finish_reason": "length"}]}\n\n', true],
    ['data: {"choices":[{"finish_reason":null}]}\n\n', false],
    ['data: {"type":"response.incomplete"}\n\n', true],
    ['data: {"error":{"message":"no"}}\n\n', true],
    ['data: {"response":{"error":null}}\n\n', false],
    ['data: {"choices":[{"delta":{"content":"\\"message_stop\\""}}]}\n\n', false],
  ])('%s', (text, complete) => {
    expect(pass([Buffer.from(text)], false).complete).toBe(complete)
  })
})
