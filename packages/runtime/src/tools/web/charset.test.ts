import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { decodeText } from './charset.ts'

const page = (meta: string, word: string) => `<html><head>${meta}</head><body>${word}</body></html>`

test.each([
  ['UTF-8 without a label', Buffer.from('grüße'), 'text/plain', { text: 'grüße', charset: 'utf-8' }],
  ['the header', iconv.encode('grüße', 'latin1'), 'text/plain; charset=ISO-8859-1', { text: 'grüße', charset: 'windows-1252' }],
  ['the header in quotes', iconv.encode('日本', 'shift_jis'), 'text/plain; charset="Shift_JIS"', { text: '日本', charset: 'shift_jis' }],
  ['a byte order mark overrides the header', Buffer.from('\ufeffgrüße'), 'text/plain; charset=latin1', { text: 'grüße', charset: 'utf-8' }],
  ['UTF-16 by its byte order mark', Buffer.from('\ufeffhi', 'utf16le'), 'text/plain', { text: 'hi', charset: 'utf-16le' }],
  [
    'meta',
    iconv.encode(page('<meta charset="gbk">', '中文'), 'gbk'),
    'text/html',
    { text: page('<meta charset="gbk">', '中文'), charset: 'gbk' },
  ],
  [
    'meta http-equiv',
    iconv.encode(page('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', 'мир'), 'koi8-r'),
    'text/html',
    { text: page('<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">', 'мир'), charset: 'koi8-r' },
  ],
  ['an unknown label', Buffer.from('grüße'), 'text/plain; charset=klingon', { text: 'grüße', charset: 'utf-8' }],
  ['neither UTF-8 nor a label', iconv.encode('grüße', 'latin1'), 'text/plain', { text: 'grüße', charset: 'windows-1252' }],
])('%s', (_, body, type, decoded) => {
  expect(decodeText(body, type)).toEqual(decoded)
})
