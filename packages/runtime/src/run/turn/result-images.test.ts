import fc from 'fast-check'
import { expect, test } from 'vitest'
import { imageUrl } from './result-images.ts'
import { type Entry, toMessages } from './transcript.ts'

const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

test.each<[string, Buffer | undefined, string | null]>([
  ['a PNG', png, `data:image/png;base64,${png.toString('base64')}`],
  ['one that is gone', undefined, null],
  ['one that is too large', Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]), null],
  ['an SVG', Buffer.from('<svg onload="alert(1)"/>'), null],
  ['a TIFF', Buffer.from('II*\0', 'latin1'), null],
  ['nothing', Buffer.alloc(0), null],
])('%s', (_what, bytes, expected) => {
  expect(imageUrl(bytes)).toBe(expected)
})

const at = (seq: number) => ({ run: 1, seq })
const calls = (...ids: string[]): Entry => ({
  at: at(1),
  kind: 'assistant',
  text: '',
  calls: ids.map((id) => ({ id, type: 'function', function: { name: 't', arguments: '{}' } })),
})
const result = (wire_id: string, ...images: string[]): Entry => ({
  at: at(2),
  kind: 'result',
  wire_id,
  tool: 'fs.read',
  text: 'r',
  failed: false,
  images,
})
const url = (file_id: string) => ({ type: 'image_url', image_url: { url: file_id } })

test('images follow all results of their turn, before the next message', () => {
  const entries = [calls('a', 'b'), result('a', 'x'), result('b', 'y'), calls('c'), result('c', 'x')]
  const messages = toMessages(entries, { imageOf: (file_id) => file_id })
  expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool', 'user', 'assistant', 'tool', 'user'])
  expect(messages[3]?.content).toEqual([
    { type: 'text', text: expect.stringContaining('The 2 images in the results above, from fs.read.') },
    url('x'),
    url('y'),
  ])
  expect(messages[6]?.content).toEqual([{ type: 'text', text: expect.stringContaining('The image in the results above') }, url('x')])
})

test('results come right after their calls and in their order, whichever ended first', () => {
  const member: Entry = { at: at(2), kind: 'user', text: 'From another agent' }
  const entries = [calls('a', 'b', 'c'), result('c'), member, result('b'), result('a'), calls('d', 'e'), result('e'), result('d')]
  const told = toMessages(entries).map((message) => (message.role === 'tool' ? message.tool_call_id : message.role))
  expect(told).toEqual(['assistant', 'a', 'b', 'c', 'user', 'assistant', 'd', 'e'])
})

test('a model without images, and an image that cannot be sent, get a text', () => {
  const entries = [calls('a'), result('a', 'x')]
  const blind = toMessages(entries, { sight: 'blind', imageOf: (file_id) => file_id })
  expect(blind.at(-1)).toMatchObject({ role: 'tool', content: expect.stringContaining('left out, because you cannot see images') })
  expect(toMessages(entries, { imageOf: () => null }).at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringContaining('not shown to you'),
  })
  expect(toMessages(entries).at(-1)).toMatchObject({ role: 'tool' })
})

test('at most the 8 latest images are sent, and every call has its result right after it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 12 }), (counts) => {
      const entries = counts.flatMap((count, no) => [
        calls(`c${no}`),
        result(`c${no}`, ...Array.from({ length: count }, (_, at) => `i${no}-${at}`)),
      ])
      const messages = toMessages(entries, { imageOf: (file_id) => file_id })
      const sent = messages.flatMap(({ role, content }) => (role === 'user' && typeof content !== 'string' ? content.slice(1) : []))
      expect(sent.length).toBe(
        Math.min(
          8,
          counts.reduce((sum, count) => sum + count, 0),
        ),
      )
      for (const [index, { role }] of messages.entries()) if (role === 'assistant') expect(messages[index + 1]?.role).toBe('tool')
    }),
  )
})
