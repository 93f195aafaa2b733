import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attachment, mediaTypeOf } from './name.ts'

test('a name is returned as text, never as a path, a header or an exploit', () => {
  const names = ['report.csv', 'größe 100%.txt', 'a"b\\c', '..', ' . ', 'x\u202egpj.exe', "it's (1)*.txt", 'emoji \u{1f600}', 'lone \ud800']
  expect(names.map(attachment)).toEqual([
    `attachment; filename="report.csv"; filename*=UTF-8''report.csv`,
    `attachment; filename="gr__e 100_.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20100%25.txt`,
    `attachment; filename="a_b_c"; filename*=UTF-8''a%22b%5Cc`,
    `attachment; filename="file"; filename*=UTF-8''file`,
    `attachment; filename="file"; filename*=UTF-8''file`,
    `attachment; filename="x_gpj.exe"; filename*=UTF-8''x_gpj.exe`,
    `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`,
    `attachment; filename="emoji __"; filename*=UTF-8''emoji%20%F0%9F%98%80`,
    `attachment; filename="lone _"; filename*=UTF-8''lone%20%EF%BF%BD`,
  ])
})

test('for any name, the header is one line of plain ASCII with one quoted string', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff), { maxLength: 300 }), (units) => {
      expect(attachment(String.fromCharCode(...units))).toMatch(
        /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[A-Za-z0-9%._~!-]+$/,
      )
    }),
  )
})

test('a declared type is kept if it is valid', () => {
  const declared = [
    'text/csv',
    'Text/HTML; charset=utf-8',
    'image/svg+xml',
    undefined,
    '',
    'nonsense',
    'a/b/c',
    'text/x y',
    'text/\n',
    `a/${'b'.repeat(200)}`,
  ]
  const none = 'application/octet-stream'
  expect(declared.map(mediaTypeOf)).toEqual(['text/csv', 'text/html', 'image/svg+xml', none, none, none, none, none, none, none])
})
