import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSpans, type Span } from './span.ts'

const text = (words: string): Span => ({ kind: 'text', text: words })
const math = (words: string): Span => ({ kind: 'math', text: words })
const code = (words: string): Span => ({ kind: 'code', text: words })
const strong = (...spans: readonly Span[]): Span => ({ kind: 'strong', spans })

test.each<[string, readonly Span[]]>([
  ['$$x^2$$ is the square.', [math('x^2'), text(' is the square.')]],
  ['\\[ x = 1 \\] and then \\[y=2\\] follow.', [math('x = 1'), text(' and then '), math('y=2'), text(' follow.')]],
  ['$$a$$, $$b$$ and $$\nc\n$$ are sides.', [math('a'), text(', '), math('b'), text(' and '), math('c'), text(' are sides.')]],
  ['$$5 million, and $$6 more', [text('$$5 million, and $$6 more')]],
  ['US$$5$$ and $$$$', [text('US$$5$$ and $$$$')]],
  ['History\\[edit\\]', [text('History'), text('['), text('edit'), text(']')]],
])('a formula in a sentence may have the marks of one with its own lines: %j', (source, spans) => {
  expect(parseSpans(source)).toEqual(spans)
})

test.each<[string, readonly Span[]]>([
  ['``a `b`', [text('``a '), code('b')]],
  ['`` ` `` and ```', [code('`'), text(' and ```')]],
  ['***both*** and **one**', [strong({ kind: 'emphasis', spans: [text('both')] }), text(' and '), strong(text('one'))]],
  ['**a\nb** ~~c\nd~~ *e\nf*', [text('**a\nb** ~~c\nd~~ *e\nf*')]],
  ['** a and **b **c**', [text('** a and '), strong(text('b **c'))]],
  ['[see [this](https://a.example)', [text('[see '), { kind: 'link', text: 'this', address: 'https://a.example' }]],
])('a mark ends where it is closed, in the same line: %j', (source, spans) => {
  expect(parseSpans(source)).toEqual(spans)
})

/** How many characters are searched. Unlike the time it takes, this does not depend on the machine. */
function charactersSearched(run: () => void): number {
  const { exec } = RegExp.prototype
  let count = 0
  RegExp.prototype.exec = function (this: RegExp, searched: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const match = exec.call(this, searched)
    count += match ? match.index + match[0].length - from : this.sticky ? 1 : searched.length - from
    return match
  }
  try {
    run()
  } finally {
    RegExp.prototype.exec = exec
  }
  return count
}

/** Runs of backticks, each of another length. */
const runs = (count: number) => Array.from({ length: count }, (_, index) => '`'.repeat(index + 1)).join(' a ')
const most = 100

test('however often a mark is opened, a text is read a limited number of times', () => {
  const piece = fc.constantFrom(
    ...['`', '``', '```', '*', '**', '***', '_', '~~', '$', '$$', '\\(', '\\[', '\\]', '\\)', '\\', '[', '![', '](', ')', '[^'],
    ...['https://', 'a', 'word', '"', '.', ' ', ' ', '\n'],
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const source = pieces.join('').repeat(2_000)
      expect(charactersSearched(() => parseSpans(source))).toBeLessThan(source.length * most)
    }),
    { numRuns: 50 },
  )
  expect(charactersSearched(() => parseSpans(runs(400)))).toBeLessThan(runs(400).length * most)
})

test('long texts of opened marks are parsed', () => {
  // Not within the time limit of the test, if the time grew with the square of their length.
  parseSpans(runs(1_200))
  parseSpans('**a '.repeat(120_000))
  parseSpans('~~a '.repeat(120_000))
  parseSpans(`${'['.repeat(200_000)}a](b`)
})
