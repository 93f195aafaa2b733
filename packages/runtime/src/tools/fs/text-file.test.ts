import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeExactly, encodeText, knownEncoding, lineEnding, recognizeText } from './text-file.ts'

const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)))

test.each([
  ['an empty file', bytes(''), { encoding: 'utf-8', bom: false, certain: true }],
  ['ASCII', bytes('plain\n'), { encoding: 'utf-8', bom: false, certain: true }],
  ['UTF-8', bytes('grün 😀'), { encoding: 'utf-8', bom: false, certain: true }],
  ['UTF-8 cut inside a character', bytes('grün 😀').subarray(0, 8), { encoding: 'utf-8', bom: false, certain: true }],
  ['UTF-8 with a byte order mark', bytes('\uFEFFx'), { encoding: 'utf-8', bom: true, certain: true }],
  ['UTF-16 little-endian with a byte order mark', Buffer.from('\uFEFFx', 'utf16le'), { encoding: 'utf-16le', bom: true, certain: true }],
  [
    'UTF-16 big-endian with a byte order mark',
    Buffer.from('\uFEFFx', 'utf16le').swap16(),
    { encoding: 'utf-16be', bom: true, certain: true },
  ],
  ['UTF-16 without a byte order mark', Buffer.from('some plain text\n', 'utf16le'), { encoding: 'utf-16le', bom: false, certain: false }],
  ['Latin-1', bytes('gr', [0xfc], 'n, sch', [0xf6], 'n'), { encoding: 'windows-1252', bom: false, certain: false }],
  ['PNG', bytes([0x89], 'PNG\r\n', [0x1a], '\n'), null],
  ['zero bytes', Buffer.alloc(1_000), null],
  ['random bytes', Buffer.from(Array.from({ length: 1_000 }, (_, index) => (index * 97) % 256)), null],
  ['a text that begins with BM', bytes('BMW is a car'), { encoding: 'utf-8', bom: false, certain: true }],
  ['a PDF', bytes('%PDF-1.7\n'), null],
])('%s is recognized', (_, sample, form) => {
  expect(recognizeText(sample)).toEqual(form)
})

test.each([
  ['', 'none'],
  ['a\nb', 'lf'],
  ['a\r\nb\r\n', 'crlf'],
  ['a\r\nb\n', 'mixed'],
])('the line endings of %j are %s', (text, ending) => {
  expect(lineEnding(text)).toBe(ending)
})

test('recognizes names of encodings', async () => {
  expect([await knownEncoding('UTF8'), await knownEncoding('utf-16LE'), await knownEncoding('Shift_JIS')]).toEqual([
    'utf-8',
    'utf-16le',
    'shift_jis',
  ])
  await expect(knownEncoding('klingon')).rejects.toMatchObject({ reason_code: 'unknown_encoding' })
  await expect(knownEncoding('base64')).rejects.toMatchObject({ reason_code: 'unknown_encoding' })
})

const letter = fc.integer({ min: 0, max: 0x10f7ff }).map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800))

test('written text can be read again, in every encoding', async () => {
  const form = fc.record({ encoding: fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'), bom: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: letter }), form, async (text, { encoding, bom }) => {
      // A text that begins with the mark cannot be distinguished from a marked text.
      fc.pre(!text.startsWith('\uFEFF'))
      expect(await decodeExactly(await encodeText(text, { encoding, bom }), { encoding, bom, certain: true })).toBe(text)
    }),
  )
})

test('characters that an encoding lacks are refused, not replaced', async () => {
  await expect(encodeText('漢', { encoding: 'windows-1252', bom: false })).rejects.toMatchObject({ reason_code: 'not_representable' })
  await expect(encodeText('\ud800', { encoding: 'utf-8', bom: false })).rejects.toMatchObject({ reason_code: 'not_representable' })
  expect(await encodeText('grün', { encoding: 'windows-1252', bom: false })).toEqual(bytes('gr', [0xfc], 'n'))
})

test('bytes that would not be written back unchanged are refused', async () => {
  expect(await decodeExactly(bytes('a', [0xff]), { encoding: 'utf-8', bom: false, certain: true })).toBe(null)
  expect(await decodeExactly(bytes([0x81]), { encoding: 'windows-1252', bom: false, certain: true })).toBe(null)
})
