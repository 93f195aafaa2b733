import { expect, test } from 'vitest'
import { attachmentContent } from './attachments.ts'
import { estimateTokens } from './tokens.ts'
import { toMessages } from './transcript.ts'

const file = (name: string, media_type: string, content: string | Buffer) => {
  const bytes = Buffer.from(content)
  return { one: { file_id: name, name, media_type, size: bytes.length }, bytes }
}
const files = [
  file('notes.txt', 'text/plain', 'Buy milk.\n```\nfenced\n```'),
  file('shot.png', 'image/png', Buffer.from([1, 2, 3])),
  file('data.bin', 'application/octet-stream', Buffer.from([0, 255, 254])),
]
const find = (file_id: string) => files.find(({ one }) => one.file_id === file_id)?.bytes

test('includes texts in a fence, shows images, and names the rest', () => {
  const told = attachmentContent(
    [...files.map(({ one }) => one), { file_id: 'gone', name: 'gone.txt', media_type: 'text/plain', size: 5 }],
    find,
  )
  expect(told.images).toEqual([{ name: 'shot.png', url: 'data:image/png;base64,AQID' }])
  expect(told.text).toBe(
    [
      'The user attached "notes.txt" (text/plain, 24 bytes). Its text:\n````\nBuy milk.\n```\nfenced\n```\n````',
      'The user attached "shot.png" (image/png, 3 bytes). It is shown with this message.',
      'The user attached "data.bin" (application/octet-stream, 3 bytes). It is not text and is not shown to you.',
      'The user attached "gone.txt" (text/plain, 5 bytes). It is not on this device.',
    ].join('\n\n'),
  )
})

test('truncates a long text and says so; a name cannot pretend to be a separate line', () => {
  const long = file('a\n"b"', 'text/plain', 'x'.repeat(150_000))
  const { text } = attachmentContent([long.one], () => long.bytes)
  expect(text.split('\n')[0]).toBe('The user attached "a  b " (text/plain, 150000 bytes). Its text:')
  expect(text).toContain('[50000 more characters are not shown]')
})

test('sends an image as a separate part, or describes it to a model without vision', () => {
  const entry = {
    at: { run: 1, seq: 0 },
    kind: 'user' as const,
    text: 'Look.',
    images: [{ name: 'shot.png', url: 'data:image/png;base64,AQID' }],
  }
  const [seen] = toMessages([entry])
  expect(seen?.content).toEqual([
    { type: 'text', text: 'Look.' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
  ])
  expect(toMessages([entry], { sight: 'blind' })).toEqual([
    { role: 'user', content: 'Look.\n\n[You cannot see images, so it is left out. Say so if it matters.]' },
  ])
  expect(estimateTokens(toMessages([entry]))).toBeGreaterThan(1_000)
})
