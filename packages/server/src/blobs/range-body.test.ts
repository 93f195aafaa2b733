import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rangedBody, rangeHeader } from './range-body.ts'

test('returns the same bytes whether the server applies or ignores the range', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 10 }),
      fc.nat(150),
      fc.nat(150),
      async (chunks, start, length) => {
        const range = { start, end: start + length }
        const wanted = Buffer.concat(chunks).subarray(start, start + length + 1)
        expect(await read(new Response(ReadableStream.from(chunks), { status: 200 }), range)).toEqual(wanted)
        expect(await read(new Response(wanted, { status: 206 }), range)).toEqual(wanted)
        expect(await read(new Response(ReadableStream.from(chunks)), undefined)).toEqual(Buffer.concat(chunks))
      },
    ),
  )
})

test('the header is that of HTTP, both ends inclusive', () => {
  expect([rangeHeader(undefined), rangeHeader({ start: 0, end: 9 })]).toEqual([{}, { range: 'bytes=0-9' }])
})

async function read(response: Response, range: { start: number; end: number } | undefined): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of rangedBody(response, range, 'test')) pieces.push(piece)
  return Buffer.concat(pieces)
}
