import { describe, expect, test } from 'vitest'
import { testDocx, testPdf } from '../../../test/support/kb/test-documents.ts'
import { decodeText } from './decode.ts'
import { detect } from './detect.ts'

function formatOf(name: string, content: string | Uint8Array) {
  const detected = detect(name, typeof content === 'string' ? Buffer.from(content) : content)
  return 'problem' in detected ? detected.problem : detected.format
}

const bytes = (text: string) => Buffer.from(text, 'latin1')

/** A ZIP archive that only lists names. */
function zip(...names: readonly string[]): Uint8Array {
  const begin = bytes('PK\x03\x04')
  const entries = names.map((name) => {
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(name.length, 28)
    return Buffer.concat([entry, bytes(name)])
  })
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(begin.length, 16)
  return Buffer.concat([begin, ...entries, end])
}

describe('the format', () => {
  test('is detected by the content, whatever the name is', async () => {
    const pdf = await testPdf([[['text']]])
    const docx = await testDocx([{ text: 'text' }])
    expect([
      formatOf('a.txt', pdf),
      formatOf('a.txt', Buffer.concat([Buffer.from([0, 1, 2]), pdf])),
      formatOf('a.zip', docx),
      formatOf('a.md', '<!-- made by hand -->\n<!DOCTYPE html><p>text'),
      formatOf('a', '\uFEFF<html><p>text'),
      formatOf('a.txt', ' {"a": [1, 2]}'),
      formatOf('a.log', '{"a": 1}\n{"a": 2}\n'),
      formatOf('a.jsonl', '{"a": 1}\n'),
      formatOf('run', '#!/bin/sh\necho'),
    ]).toEqual(['pdf', 'pdf', 'docx', 'html', 'html', 'json', 'jsonl', 'jsonl', 'code'])
  })

  test('is decided by the name only between texts', () => {
    const text = 'a, b\n\n# c\n'
    expect(
      ['a.md', 'A.MARKDOWN', 'a.csv', 'a.rs', 'Makefile', 'a.txt', 'a', 'a.unknown', 'a.pdf', 'a.docx', 'a.json'].map((name) =>
        formatOf(name, text),
      ),
    ).toEqual([...['markdown', 'markdown', 'csv', 'code', 'code', 'text', 'text', 'text', 'text', 'text', 'code']])
    expect([formatOf('a.html', '<p>part'), formatOf('a.html', 'no elements')]).toEqual(['html', 'text'])
    expect(formatOf('notes.txt', 'A PDF begins with %PDF-1.7')).toBe('text')
  })

  test('is unknown for other documents, and what is not a document is named', () => {
    expect([
      formatOf('a.xlsx', zip('xl/workbook.xml')),
      formatOf('a.pptx', zip('ppt/presentation.xml')),
      formatOf('a.epub', zip('mimetype', 'META-INF/container.xml')),
      formatOf('a.odt', zip('mimetype', 'content.xml')),
      formatOf('a.rtf', '{\\rtf1 text}'),
      formatOf('a.doc', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')),
      formatOf('a.docx', bytes(`\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${[...'EncryptedPackage'].join('\0')}`)),
      formatOf('a.zip', zip('a.txt')),
      formatOf('a.txt', bytes('\x89PNG\r\n')),
      formatOf('a.txt', bytes('\x7fELF')),
      formatOf('a.txt', bytes('A longer text\0with a zero')),
      formatOf('a.txt', bytes('\xfe\x01\x02\x81\x8d\x90\x03\x04')),
    ]).toEqual([
      ...['unknown_format', 'unknown_format', 'unknown_format', 'unknown_format', 'unknown_format', 'unknown_format', 'encrypted'],
      ...['not_text', 'not_text', 'not_text', 'not_text', 'not_text'],
    ])
  })
})

describe('the encoding', () => {
  const text = 'Größe: été\r\n船 — 👩‍🚀\n'
  const wide = (value: string, isBig = false) => {
    const little = Buffer.from(value, 'utf16le')
    return isBig ? little.swap16() : little
  }
  test.each([
    ['utf-8', 0, Buffer.from(text)],
    ['utf-8', 3, Buffer.from(`\uFEFF${text}`)],
    ['utf-16le', 2, wide(`\uFEFF${text}`)],
    ['utf-16be', 2, wide(`\uFEFF${text}`, true)],
    ['utf-16le', 0, wide(text)],
    ['utf-16be', 0, wide(text, true)],
  ] as const)('%s with a mark of %d bytes', (name, mark_bytes, content) => {
    expect(decodeText(content)).toEqual({ text, encoding: { name, mark_bytes } })
  })

  test('Windows-1252 is the last resort', () => {
    expect(decodeText(bytes('Gr\xf6\xdfe \x80 5\n'))).toEqual({ text: 'Größe € 5\n', encoding: { name: 'windows-1252', mark_bytes: 0 } })
  })

  test('bytes that are not valid are not text', () => {
    expect([decodeText(bytes('\xff\xfea\0\0\xd8b\0')), decodeText(bytes('\xef\xbb\xbf\xff')), decodeText(bytes('\xff\xfea'))]).toEqual([
      null,
      null,
      null,
    ])
  })

  test('an empty file is text', () => {
    expect(decodeText(Buffer.alloc(0))).toEqual({ text: '', encoding: { name: 'utf-8', mark_bytes: 0 } })
  })
})
