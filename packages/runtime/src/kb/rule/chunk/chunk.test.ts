import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokensOf } from '../../../recall/rule/pick.ts'
import type { ParsedDocument } from '../../parse/parsed.ts'
import { readTextDocument } from '../../parse/read-document.ts'
import { type Chunk, chunksOf, indexedText } from './chunk.ts'
import { positionsOf } from './position.ts'

async function read(name: string, content: string | Uint8Array): Promise<ParsedDocument> {
  const document = await readTextDocument(name, typeof content === 'string' ? Buffer.from(content) : content)
  if ('problem' in document) throw new Error(`${document.problem}: ${document.detail}`)
  return document
}

async function chunked(name: string, content: string) {
  const document = await read(name, content)
  return chunksOf(document).map((chunk) => ({ ...chunk, text: document.text.slice(chunk.from, chunk.to) }))
}

/** Sentences with about 15 tokens each, all different. */
function prose(sentences: number, topic = 'boats'): string {
  return Array.from({ length: sentences }, (_, index) => `Sentence ${index} about ${topic} says a little more than before.`).join(' ')
}

/** Everything that is true of the chunks of any document. */
function expectSound(document: ParsedDocument, chunks: readonly Chunk[]): void {
  const { text } = document
  let end = 0
  let from = -1
  for (const chunk of chunks) {
    expect([chunk.from > from, chunk.to > end, text.slice(end, Math.max(end, chunk.from)).trim()]).toEqual([true, true, ''])
    expect(tokensOf(text.slice(chunk.from, chunk.to))).toBeLessThanOrEqual(400)
    expect(text.slice(chunk.from, chunk.to).isWellFormed()).toBe(true)
    from = chunk.from
    end = chunk.to
  }
  expect(text.slice(end).trim()).toBe('')
}

describe('structure', () => {
  test('a heading begins a chunk, and its path is the context', async () => {
    const [one, two, three] = await chunked('a.md', `# Top\n\n${prose(12)}\n\n## Inner\n\n${prose(12)}\n\n# Other\n\n${prose(12)}\n`)
    expect([one?.headings, two?.headings, three?.headings]).toEqual([['Top'], ['Top', 'Inner'], ['Other']])
    expect([one?.text.startsWith('# Top'), two?.text.startsWith('## Inner'), three?.text.startsWith('# Other')]).toEqual([true, true, true])
  })

  test('small sections are joined with the next one under the same parent, and the last with the one before', async () => {
    const text = `# Top\n\n## A\n\nfew words\n\n## B\n\nfew words\n\n## C\n\n${prose(15)}\n\n# Next\n\n${prose(15)}\n\n## Last\n\nfew words\n`
    const chunks = await chunked('a.md', text)
    expect(chunks.map(({ headings, text: slice }) => [headings, slice.match(/^#+ .*$/gm)])).toEqual([
      [['Top'], ['# Top', '## A', '## B', '## C']],
      [['Next'], ['# Next', '## Last']],
    ])
  })

  test('a section that continues repeats a sentence, and nothing is repeated where it ends', async () => {
    const chunks = await chunked('a.md', `# Top\n\n${prose(60)}\n\n# Other\n\n${prose(15)}\n`)
    const tops = chunks.filter(({ headings }) => headings[0] === 'Top')
    expect(tops.length).toBeGreaterThan(2)
    for (const [index, { from, text }] of tops.entries()) {
      const before = tops[index - 1]
      if (!before) continue
      expect(before.to - from).toBeGreaterThan(20)
      expect(text.startsWith('Sentence ')).toBe(true)
      expect(tokensOf(text)).toBeGreaterThan(60)
    }
    const other = chunks.find(({ headings }) => headings[0] === 'Other')
    expect(other?.text.startsWith('# Other')).toBe(true)
  })

  test('the rows of a table get its header', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => `| boat ${index} | green, ${index} meters long |`)
    const document = await read('a.md', ['| name | what |', '|---|---|', ...rows].join('\n'))
    const chunks = chunksOf(document)
    expect(chunks.length).toBeGreaterThan(5)
    expect(new Set(chunks.slice(1).map(({ header }) => header))).toEqual(new Set(['| name | what |\n|---|---|']))
    expect(chunks[0]?.header).toBe(null)
    for (const chunk of chunks.slice(1)) {
      expect(indexedText(document, chunk)).toMatch(/^\| name \| what \|\n\|---\|---\|\n\| boat \d+ \|/)
    }
  })

  test('rows of CSV are not divided at the line breaks of their cells', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => `${index},"first line\nsecond, ""line"""`)
    const chunks = await chunked('a.csv', ['id,text', ...rows].join('\n'))
    expect(chunks.slice(1).every(({ text, header }) => /^\d+,"first/.test(text) && header === 'id,text')).toBe(true)
  })

  test('code is divided at declarations', async () => {
    const declarations = Array.from(
      { length: 30 },
      (_, index) =>
        `/** Comment ${index}. */\nexport function name${index}() {\n  return [\n    'some text',\n\n    'more text of it',\n  ]\n}\n`,
    )
    const chunks = await chunked('a.ts', declarations.join('\n'))
    expect(chunks.length).toBeGreaterThan(2)
    expect(chunks.every(({ text }) => text.startsWith('/** Comment') && text.endsWith('}'))).toBe(true)
  })

  test('the context comes before the text', async () => {
    const document = await read('a.md', `# Top\n\n## *Inner*\n\n${prose(15)}\n`)
    const [chunk] = chunksOf(document)
    if (!chunk) throw new Error('there is a chunk')
    expect(indexedText(document, { ...chunk, headings: ['Top', 'Inner'], header: 'a | b' })).toBe(
      `Top › Inner\na | b\n${document.text.slice(chunk.from, chunk.to)}`,
    )
  })
})

describe('long texts', () => {
  test.each([
    ['one line of words', 'word '.repeat(400_000)],
    ['one word', 'x'.repeat(1_000_000)],
    ['full stops', '. '.repeat(200_000)],
    ['marks without spaces', '.'.repeat(1_000_000)],
    ['white space', `a${' '.repeat(1_000_000)}b${'\n'.repeat(1_000_000)}c`],
    ['letters on lines', 'a\n'.repeat(500_000)],
    ['Chinese', '船是绿色的'.repeat(100_000)],
  ])('%s', async (_name, text) => {
    for (const name of ['a.txt', 'a.ts', 'a.csv', 'a.md']) {
      const document = await read(name, text)
      expectSound(document, chunksOf(document))
    }
  })

  test('words are not divided', async () => {
    const text = Array.from({ length: 3_000 }, (_, index) => `w${index}w`).join(' ')
    for (const { text: slice } of await chunked('a.txt', text)) expect(slice).toMatch(/^(?:w\d+w ?)+$/)
  })

  test('what is one character for a reader is not divided', async () => {
    const family = '👨‍👩‍👧‍👦'
    for (const { text } of await chunked('a.txt', family.repeat(1_000))) expect(text.length % family.length).toBe(0)
    for (const { text } of await chunked('a.txt', 'e\u0301'.repeat(3_000)))
      expect(text.startsWith('e') && text.endsWith('\u0301')).toBe(true)
  })
})

describe('any document', () => {
  const word = fc.constantFrom(
    'boat',
    'the',
    'green',
    'e\u0301te\u0301',
    'été',
    'شراع',
    'سفينة',
    '船は緑',
    '船。',
    '👩‍🚀',
    '🇨🇭',
    'x'.repeat(40),
    '1.5',
    'e.g.',
  )
  const sentence = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => `${words.join(' ')}.`)
  const paragraph = fc.array(sentence, { minLength: 1, maxLength: 12 }).map((all) => all.join(' '))
  const block = fc.oneof(
    { weight: 4, arbitrary: paragraph },
    { weight: 2, arbitrary: fc.tuple(fc.integer({ min: 1, max: 4 }), word).map(([level, name]) => `${'#'.repeat(level)} ${name}`) },
    fc.array(sentence, { minLength: 1, maxLength: 40 }).map((all) => all.map((one) => `- ${one}`).join('\n')),
    fc
      .array(word, { minLength: 1, maxLength: 80 })
      .map((all) => ['| a | b |', '|---|---|', ...all.map((one) => `| ${one} | x |`)].join('\n')),
    fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => text.toWellFormed().replaceAll('\0', ' ')),
  )
  const texts = fc
    .tuple(fc.array(block, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([blocks, lineBreak, ends]) => {
      return (blocks.join('\n\n') + (ends ? '\n' : '')).replaceAll('\n', lineBreak).replace(/^\uFEFF+/, '')
    })
  const names = fc.constantFrom('a.md', 'a.txt', 'a.ts', 'a.csv')

  test('every character is in a chunk, in order and within the limits, and no character is divided', async () => {
    const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    await fc.assert(
      fc.asyncProperty(names, texts, async (name, text) => {
        const document = await read(name, text)
        const chunks = chunksOf(document)
        expectSound(document, chunks)
        const boundaries = new Set([...characters.segment(document.text)].map(({ index }) => index)).add(document.text.length)
        expect(chunks.flatMap(({ from, to }) => [from, to]).filter((at) => !boundaries.has(at))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  const encoders: Readonly<Record<string, (text: string) => Buffer>> = {
    'utf-8': (text) => Buffer.from(text),
    'utf-8 with a mark': (text) => Buffer.from(`\uFEFF${text}`),
    'utf-16le with a mark': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    'utf-16be with a mark': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  }

  test('the bytes of the file at a position are the text of the chunk, and its lines are those of the file', async () => {
    const decoders = { 'utf-8': 'utf-8', 'utf-16le': 'utf-16le', 'utf-16be': 'utf-16be', 'windows-1252': 'windows-1252' } as const
    await fc.assert(
      fc.asyncProperty(names, texts, fc.constantFrom(...Object.keys(encoders)), async (name, text, encoder) => {
        const bytes = encoders[encoder]?.(text) ?? Buffer.alloc(0)
        const document = await read(name, bytes)
        expect(document.text).toBe(text)
        const chunks = chunksOf(document)
        for (const [index, position] of positionsOf(document, chunks).entries()) {
          const { from = 0, to = 0 } = chunks[index] ?? {}
          const slice = text.slice(from, to)
          const { bytes: place, first_line } = position
          const decoder = new TextDecoder(decoders[document.encoding?.name ?? 'utf-8'], { fatal: true, ignoreBOM: true })
          expect(decoder.decode(bytes.subarray(place?.from, place?.to))).toBe(slice)
          expect(position).toMatchObject({ text: { from, to }, first_line: text.slice(0, from).split('\n').length })
          expect(position.last_line).toBe((first_line ?? 0) + slice.slice(0, -1).split('\n').length - 1)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('a change in one section leaves the chunks of the others as they were', async () => {
    const body = fc.integer({ min: 8, max: 80 })
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 3, maxLength: 8 }), fc.nat(), body, async (sizes, at, size) => {
        const changed = at % sizes.length
        const write = (all: readonly number[]) =>
          all.map((count, index) => `## S${index}\n\n${prose(count, `topic ${index}`)}\n`).join('\n')
        const textsOf = async (all: readonly number[]) =>
          (await chunked('a.md', write(all)))
            .filter(({ headings }) => headings[0] !== `S${changed}`)
            .map(({ text, headings }) => ({ text, headings }))
        expect(await textsOf(sizes.with(changed, size))).toEqual(await textsOf(sizes))
      }),
      { numRuns: 100 },
    )
  })

  test('a change in a long section changes only chunks near it', async () => {
    const paragraphs = Array.from({ length: 200 }, (_, index) => prose(2 + ((index * 7) % 5), `topic ${index}`))
    const before = new Set((await chunked('a.txt', paragraphs.join('\n\n'))).map(({ text }) => text))
    const after = await chunked('a.txt', ['A new paragraph.', ...paragraphs].join('\n\n'))
    expect(after.filter(({ text }) => !before.has(text)).length).toBeLessThan(10)
  })
})

test('positions of a file in Windows-1252, and of UTF-16 without a mark', async () => {
  const text = 'Größe\r\n\r\nfünf Meter'
  for (const [bytes, name, size] of [
    [Buffer.from(text, 'latin1'), 'windows-1252', 1],
    [Buffer.from(text, 'utf16le'), 'utf-16le', 2],
  ] as const) {
    const document = await read('a.txt', bytes)
    const chunk = { from: 9, to: 19, headings: [], header: null, page: null, paragraph: null }
    expect([document.text, document.encoding]).toEqual([text, { name, mark_bytes: 0 }])
    expect(positionsOf(document, [chunk])).toEqual([
      {
        text: { from: 9, to: 19 },
        text_sha256: createHash('sha256').update(text).digest('hex'),
        bytes: { from: 9 * size, to: 19 * size },
        first_line: 3,
        last_line: 3,
        page: null,
        headings: [],
        paragraph: null,
      },
    ])
  }
})

test('an empty file has no chunks', async () => {
  for (const text of ['', '\n', ' \r\n ', '\uFEFF']) expect(chunksOf(await read('a.md', text))).toEqual([])
})
