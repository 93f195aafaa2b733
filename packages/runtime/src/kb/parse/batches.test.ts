import { expect, test } from 'vitest'
import { batchesOf, isTooLarge } from './batches.ts'
import { parseLimits } from './parse-limits.ts'

const file = (name: string, content = 'text', size = content.length) => ({ name, bytes: Buffer.alloc(size, content) })

test('texts and documents are read by different processes, each up to a number of files', () => {
  const texts = Array.from({ length: parseLimits.batch_texts + 1 }, (_, index) => file(`${index}.md`))
  const documents = Array.from({ length: parseLimits.batch_documents + 1 }, (_, index) => file(`${index}.pdf`, '%PDF-1.7'))
  const batches = batchesOf([...documents, ...texts, file('a.html')])
  expect(batches.map((batch) => [batch[0]?.name, batch.length])).toEqual([
    ['0.md', parseLimits.batch_texts],
    [`${parseLimits.batch_texts}.md`, 1],
    ['0.pdf', parseLimits.batch_documents],
    [`${parseLimits.batch_documents}.pdf`, 2],
  ])
})

test('a process gets a limited number of bytes, but at least one file', () => {
  const half = parseLimits.batch_text_bytes / 2
  const files = [file('a', 'a', half), file('b', 'b', half), file('c', 'c', 1), file('d', 'd', parseLimits.text_bytes)]
  expect(batchesOf(files).map((batch) => batch.map(({ name }) => name))).toEqual([['a', 'b'], ['c'], ['d']])
})

test('PDF and DOCX may be larger than texts', () => {
  const size = parseLimits.text_bytes + 1
  expect(
    [file('a.txt', 'a', size), file('a.html', '<html>', size), file('a', '%PDF-', size), file('a', 'PK\x03\x04', size)].map(isTooLarge),
  ).toEqual([...[true, true, false, false]])
  expect(isTooLarge(file('a', '%PDF-', parseLimits.document_bytes + 1))).toBe(true)
})
