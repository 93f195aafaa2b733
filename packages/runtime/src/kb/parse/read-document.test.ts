import { describe, expect, test } from 'vitest'
import { testDocx, testPdf, testUnicodePdf } from '../../../test/support/kb/test-documents.ts'
import { chunksOf } from '../rule/chunk/chunk.ts'
import { positionsOf } from '../rule/chunk/position.ts'
import type { ParsedDocument } from './parsed.ts'
import { readDocument } from './read-document.ts'

async function read(name: string, content: string | Uint8Array): Promise<ParsedDocument> {
  const document = await readDocument(name, typeof content === 'string' ? Buffer.from(content) : content)
  if ('problem' in document) throw new Error(`${document.problem}: ${document.detail}`)
  return document
}

function blocksOf({ text, blocks }: ParsedDocument) {
  return blocks.map(({ from, to, header_to, ...rest }) => ({
    ...rest,
    text: text.slice(from, to),
    ...(header_to === undefined ? {} : { header: text.slice(from, header_to) }),
  }))
}

const long = Array.from({ length: 60 }, (_, index) => `Sentence ${index} of this paragraph says something about boats.`).join(' ')

describe('HTML', () => {
  test('has what a page shows, block by block', async () => {
    const document = await read(
      'a.html',
      `<!doctype html><html><head><title>The
        boats</title><style>p {}</style></head><body><nav><a href=/>Home</a></nav><h1>All <b>boats</b></h1>
        <p>Green   &amp;
        long<br>and old<p>Second <script>alert(1)</script>one
        <ul><li>one<ul><li>inner</ul><li><p>two</ul><ol><li>first<li>second</ol>
        <table><thead><tr><th>name<th>length</thead><tr><td>Ada<td>5 <i>m</i></table>
        <pre>  if (x)
    y()</pre><div hidden>secret</div><div aria-hidden="true">icon</div><p style="display: none">gone</p><div>last</div>`,
    )
    expect(document.title).toBe('The boats')
    expect(blocksOf(document)).toEqual([
      { kind: 'heading', level: 1, text: 'All boats' },
      { kind: 'paragraph', text: 'Green & long\nand old' },
      { kind: 'paragraph', text: 'Second one' },
      { kind: 'list', text: '- one\n  - inner\n- two' },
      { kind: 'list', text: '1. first\n2. second' },
      { kind: 'table', header: 'name | length', text: 'name | length\nAda | 5 m' },
      { kind: 'code', text: '  if (x)\n    y()' },
      { kind: 'paragraph', text: 'last' },
    ])
  })

  test('a table that lays out a page is not a table of data', async () => {
    const html = '<html><table><tr><td><h2>News</h2><p>Today.</p><table><tr><td>a</td></tr></table></td></tr></table><p>End.'
    expect(blocksOf(await read('a.html', html)).map(({ kind, text }) => [kind, text])).toEqual([
      ['heading', 'News'],
      ['paragraph', 'Today.'],
      ['table', 'a'],
      ['paragraph', 'End.'],
    ])
  })

  test('a page of navigation only is read, and its declared encoding is used', async () => {
    const page = Buffer.concat([Buffer.from('<html><meta charset="shift_jis"><nav>'), Buffer.from([0x91, 0x44]), Buffer.from('</nav>')])
    expect((await read('a.html', page)).text).toBe('船')
    expect(await readDocument('a.html', Buffer.from('<html><script>only()</script>'))).toEqual({ problem: 'no_text', detail: null })
  })

  test('a passage knows its headings and its paragraph', async () => {
    const document = await read('a.html', `<html><h1>Top</h1><p>${long}</p><h2>Inner</h2><p>Short.</p><p>${long}</p>`)
    const positions = positionsOf(document, chunksOf(document))
    expect(positions.map(({ headings, paragraph }) => [headings.join('/'), paragraph]).at(0)).toEqual(['Top', 1])
    expect(positions.map(({ headings, paragraph }) => [headings.join('/'), paragraph]).at(-1)).toEqual(['Top/Inner', 2])
    expect(
      positions.every(({ bytes, first_line, last_line, page }) => [bytes, first_line, last_line, page].every((one) => one === null)),
    ).toBe(true)
  })
})

describe('DOCX', () => {
  test('has headings, paragraphs, lists and tables, in any script', async () => {
    const document = await read(
      'a.docx',
      await testDocx([
        { heading: 1, text: 'Boote' },
        { text: 'Été e\u0301te\u0301 سفينة خضراء 船は緑' },
        { text: 'one', bullet: true },
        { text: 'two', bullet: true },
        { heading: 2, text: 'Table' },
        {
          rows: [
            ['name', 'length'],
            ['Ada', '5 m'],
          ],
        },
      ]),
    )
    expect([document.format, document.title, document.encoding, document.notes]).toEqual(['docx', 'Boote', null, []])
    expect(blocksOf(document)).toEqual([
      { kind: 'heading', level: 1, text: 'Boote' },
      { kind: 'paragraph', text: 'Été e\u0301te\u0301 سفينة خضراء 船は緑' },
      { kind: 'list', text: '- one\n- two' },
      { kind: 'heading', level: 2, text: 'Table' },
      { kind: 'table', header: 'name | length', text: 'name | length\nAda | 5 m' },
    ])
  })

  test('a damaged one is reported', async () => {
    const intact = await testDocx([{ text: 'text' }])
    for (const damaged of [intact.slice(0, intact.length / 2), intact.map((byte, index) => (index > 100 && index < 900 ? 0 : byte))]) {
      expect(await readDocument('a.docx', damaged)).toMatchObject({ problem: expect.stringMatching(/^(?:damaged|not_text)$/) })
    }
    expect(await readDocument('a.docx', await testDocx([]))).toEqual({ problem: 'no_text', detail: null })
  })
})

describe('PDF', () => {
  test('has paragraphs with their page, and names the pages without text', async () => {
    const pages = [[['First line', 'second line'], ['Next paragraph']], [], [['Third page']]]
    const document = await read('a.pdf', await testPdf(pages, 'The boats'))
    expect([document.format, document.title, document.encoding, document.notes]).toEqual([
      'pdf',
      'The boats',
      null,
      ['Pages without text: 2'],
    ])
    expect(blocksOf(document)).toEqual([
      { kind: 'paragraph', page: 1, text: 'First line\nsecond line' },
      { kind: 'paragraph', page: 1, text: 'Next paragraph' },
      { kind: 'paragraph', page: 3, text: 'Third page' },
    ])
    expect(positionsOf(document, chunksOf(document)).map(({ page }) => page)).toEqual([1, 3])
  })

  test('in any script', async () => {
    const arabic = 'سفينة'
    expect((await read('a.pdf', await testUnicodePdf('船は緑です'))).text).toBe('船は緑です')
    expect((await read('a.pdf', await testUnicodePdf('Été'))).text.normalize()).toBe('Été')
    expect((await read('a.pdf', await testUnicodePdf([...arabic].reverse().join('')))).text).toBe(arabic)
  })

  test('one without text, and a damaged one, are reported', async () => {
    expect(await readDocument('a.pdf', await testPdf([[], []]))).toEqual({ problem: 'no_text', detail: null })
    expect(await readDocument('a.pdf', Buffer.from('%PDF-1.7\nnothing'))).toMatchObject({ problem: 'damaged' })
  })
})
