import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateInput } from './estimate.ts'

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
const image = (bytes: number) => Buffer.concat([pngStart, randomBytes(bytes - pngStart.length)]).toString('base64')
const estimate = (body: unknown) => estimateInput(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)))
const openAi = (url: string) => ({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] })
const anthropic = (data: string) => ({
  messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }] }],
})

test.each<[string, unknown, number]>([
  ['a small image', openAi(`data:image/png;base64,${image(10_000)}`), 300],
  ['one of a usual size', openAi(`data:image/jpeg;base64,${image(200_000)}`), 800],
  ['one of 2 MB', anthropic(image(2_000_000)), 1_600],
  ['one whose slashes are escaped', JSON.stringify(anthropic(image(2_000_000))).replaceAll('/', '\\/'), 1_600],
  ['two of them', [anthropic(image(2_000_000)), anthropic(image(10_000))], 1_900],
  ['a document of 640 kB', { file_data: `data:application/pdf;base64,${randomBytes(640_000).toString('base64')}` }, 10_000],
  ['sound', { input_audio: { data: randomBytes(64_000).toString('base64'), format: 'wav' } }, 1_000],
])('%s', (_name, body, tokens) => {
  // The JSON around it is a few dozen tokens.
  expect(estimate(body)).toBeGreaterThanOrEqual(tokens)
  expect(estimate(body)).toBeLessThan(tokens + 100)
})

test('text is four bytes per token, even if it contains base64', () => {
  const text = 'The word base64 occurs here, and then the text goes on for long. '.repeat(100)
  expect([estimate({ text }), estimate({ text: text.replaceAll(' ', '') }), estimate('x'.repeat(41))]).toEqual([
    Math.ceil((text.length + 11) / 4),
    Math.ceil((text.replaceAll(' ', '').length + 11) / 4),
    11,
  ])
})

test('for any body, the estimate is at least 1 and at most its bytes as text', () => {
  const encoded = image(3_000)
  const body = fc.json({ maxDepth: 3 }).map((json) => `{"base64":${json},"data":"${encoded}"}`)
  fc.assert(
    fc.property(body, (json) => {
      const found = estimate(json)
      expect(found).toBeGreaterThan(0)
      expect(found).toBeLessThanOrEqual(Math.ceil(Buffer.byteLength(json) / 4) + 1)
    }),
  )
})
