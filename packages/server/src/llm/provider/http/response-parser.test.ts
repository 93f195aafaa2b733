import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InvalidResponseError, ResponseParser } from './response-parser.ts'

const bytes = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1')

/** A response in these pieces, after which the other side closed or not. */
function read(pieces: readonly Buffer[], closed = false) {
  const reader = new ResponseParser()
  const body = Buffer.concat(pieces.map((piece) => reader.push(piece))).toString('latin1')
  const done = closed ? reader.close() : reader.done
  return { status: reader.head?.status, headers: { ...reader.head?.headers }, body, done, keeps_ms: reader.keeps_ms }
}

const ok = 'HTTP/1.1 200 OK\n'
const good: [string, string, Partial<ReturnType<typeof read>>][] = [
  ['a length', `${ok}Content-Length: 5\nX-A: b\n\nhello`, { headers: { 'content-length': '5', 'x-a': 'b' }, body: 'hello', done: true }],
  ['no body', `${ok}content-length: 0\n\n`, { body: '', done: true }],
  ['204', 'HTTP/1.1 204 No Content\n\n', { status: 204, body: '', done: true }],
  ['no reason', 'HTTP/1.1 429\ncontent-length:1\n\nx', { status: 429, headers: { 'content-length': '1' }, body: 'x', done: true }],
  ['chunks', `${ok}transfer-encoding: Chunked\n\n5\nhello\nA;name="x"\n 012345678\n0\n\n`, { body: 'hello 012345678', done: true }],
  ['chunks with trailers', `${ok}transfer-encoding: chunked\n\n1\nx\n0\nx-sum: 1\n\n`, { body: 'x', done: true }],
  ['half a body', `${ok}content-length: 5\n\nhel`, { body: 'hel', done: false }],
  ['half a chunk', `${ok}transfer-encoding: chunked\n\n5\nhel`, { body: 'hel', done: false }],
  [
    'informational responses first',
    `HTTP/1.1 100 Continue\n\nHTTP/1.1 103 Early Hints\nlink: x\n\n${ok}content-length: 2\n\nok`,
    { body: 'ok', done: true },
  ],
  ['a header twice', `${ok}vary: a\nvary: b\ncontent-length: 0\n\n`, { headers: { vary: 'a, b', 'content-length': '0' } }],
  [
    'of some headers only the first counts, and cookies are ignored',
    `${ok}content-type: a/b\ncontent-type: c/d\nset-cookie: x\nset-cookie: y\ncontent-length: 0\ncontent-length: 0\n\n`,
    { headers: { 'content-type': 'a/b', 'content-length': '0' } },
  ],
  ['names of object properties', `${ok}__proto__: x\nconstructor: y\ncontent-length: 0\n\n`, { done: true }],
]

describe('a reply', () => {
  test.each(good)('%s', (_name, text, expected) => {
    expect(read([bytes(text)])).toMatchObject({ status: 200, ...expected })
  })

  test('is the same in any chunks', () => {
    fc.assert(
      fc.property(fc.constantFrom(...good.map(([, text]) => bytes(text))), fc.array(fc.nat(300), { maxLength: 12 }), (whole, cuts) => {
        const places = [0, ...cuts.filter((cut) => cut < whole.length).toSorted((one, other) => one - other), whole.length]
        const pieces = places.slice(1).map((end, index) => whole.subarray(places[index], end))
        expect(read(pieces)).toEqual(read([whole]))
      }),
    )
  })

  test('without a length ends only with its connection', () => {
    const text = bytes(`${ok}content-type: a/b\n\nall that comes`)
    expect(read([text])).toMatchObject({ body: 'all that comes', done: false, keeps_ms: 0 })
    expect(read([text], true)).toMatchObject({ body: 'all that comes', done: true, keeps_ms: 0 })
    expect(read([bytes(`${ok}content-length: 50\n\nhalf`)], true)).toMatchObject({ body: 'half', done: false })
    expect(read([bytes(`${ok}transfer-encoding: chunked\n\n1\nx\n`)], true)).toMatchObject({ done: false })
    expect(read([bytes('HTTP/1.1 200')], true)).toMatchObject({ status: undefined, done: false })
  })

  test.each([
    ['', 60_000],
    ['connection: close\n', 0],
    ['Connection: Close\n', 0],
    ['keep-alive: timeout=5\n', 4_000],
    ['keep-alive: timeout=1, max=100\n', 0],
    ['keep-alive: timeout=900\n', 60_000],
  ])('after %j its connection is kept for %i ms', (lines, milliseconds) => {
    expect(read([bytes(`${ok}${lines}content-length: 0\n\n`)]).keeps_ms).toBe(milliseconds)
  })

  test('of HTTP/1.0 keeps its connection only if it says so', () => {
    const old = (lines: string) => read([bytes(`HTTP/1.0 200 OK\n${lines}content-length: 0\n\n`)]).keeps_ms
    expect([old(''), old('connection: keep-alive\n')]).toEqual([0, 60_000])
  })

  test('followed by more data is complete, and the last on its connection', () => {
    expect(read([bytes(`${ok}content-length: 2\n\nok${ok}content-length: 4\n\nevil`)])).toMatchObject({
      body: 'ok',
      done: true,
      keeps_ms: 0,
    })
  })
})

test.each([
  ['not HTTP', 'SSH-2.0-OpenSSH\n\n'],
  ['another version', 'HTTP/2.0 200 OK\n\n'],
  ['no status', 'HTTP/1.1 OK\n\n'],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\n\n'],
  ['a header without a name', `${ok}: x\n\n`],
  ['a header without a colon', `${ok}hello\n\n`],
  ['a name with a space', `${ok}content-length : 1\n\n`],
  ['a folded line', `${ok}x-a: b\n c\n\n`],
  ['a control character', `${ok}x-a: b\u0000c\n\n`],
  ['a lone carriage return', `${ok}x-a: b\rc\n\n`],
  ['two lengths', `${ok}content-length: 1\ncontent-length: 2\n\n`],
  ['a length with a sign', `${ok}content-length: +1\n\n`],
  ['both a content length and chunks', `${ok}content-length: 1\ntransfer-encoding: chunked\n\n`],
  ['an unknown encoding', `${ok}transfer-encoding: gzip, chunked\n\n`],
  ['a chunk without a size', `${ok}transfer-encoding: chunked\n\nhello\n`],
  ['a chunk with a sign', `${ok}transfer-encoding: chunked\n\n-1\n`],
  ['a chunk longer than its size', `${ok}transfer-encoding: chunked\n\n1\nxyz\n`],
  ['headers that are too long', `${ok}x-a: ${'b'.repeat(70_000)}`],
  ['an overlong chunk size', `${ok}transfer-encoding: chunked\n\n1;${'x'.repeat(9_000)}`],
  ['trailers that are too long', `${ok}transfer-encoding: chunked\n\n0\n${'x-a: b\n'.repeat(5_000)}`],
])('%s is broken', (_name, text) => {
  expect(() => read([bytes(text)])).toThrow(InvalidResponseError)
})
