import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completeBody, inParts, textsIn } from './s3-parts.ts'

test('parts add up to the stream; all are full except the last, which is empty only if it is the only one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 50 }),
      async (chunks, bytes) => {
        const parts: { body: Buffer; last: boolean }[] = []
        for await (const { body, last } of inParts(stream(chunks), bytes)) parts.push({ body: Buffer.from(body), last })
        const whole = Buffer.concat(chunks)
        const count = Math.max(1, Math.ceil(whole.length / bytes))
        expect(Buffer.concat(parts.map(({ body }) => body))).toEqual(whole)
        expect(parts.map(({ last }) => last)).toEqual(Array.from({ length: count }, (_, i) => i === count - 1))
        expect(parts.slice(0, -1).every(({ body }) => body.length === bytes)).toBe(true)
      },
    ),
  )
})

test('writes and reads the XML', () => {
  const sent = new TextDecoder().decode(completeBody(['"a<1>&"', '"b"']))
  expect(sent).toBe(
    '<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>&quot;a&lt;1>&amp;&quot;</ETag></Part>' +
      '<Part><PartNumber>2</PartNumber><ETag>&quot;b&quot;</ETag></Part></CompleteMultipartUpload>',
  )
  expect(textsIn(sent, 'ETag')).toEqual(['"a<1>&"', '"b"'])
  expect(textsIn('<Key>a/1</Key><Other/><Key>a/2</Key>', 'Key')).toEqual(['a/1', 'a/2'])
  expect(textsIn('<x>&amp;lt;</x>', 'x')).toEqual(['&lt;'])
})

async function* stream(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
