import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, parseBlocks, splitChunks, splitGrowing } from './block.ts'

const paragraph = (text: string): Block => ({ kind: 'paragraph', text })
const math = (text: string): Block => ({ kind: 'math', text })
const code = (text: string, language = ''): Block => ({ kind: 'code', language, text })
const items = (...all: readonly (readonly Block[])[]) => all.map((blocks) => ({ ticked: null, blocks }))
const bullets = (...all: readonly (readonly Block[])[]): Block => ({ kind: 'list', start: null, items: items(...all) })
const numbered = (start: number, ...all: readonly (readonly Block[])[]): Block => ({ kind: 'list', start, items: items(...all) })

test.each<[string, readonly Block[]]>([
  ['$$x^2$$ is the square of x.', [paragraph('$$x^2$$ is the square of x.')]],
  ['\\[ x = 1 \\] and then \\[ y = 2 \\] follow.', [paragraph('\\[ x = 1 \\] and then \\[ y = 2 \\] follow.')]],
  ['\\[x\\] Done with this', [paragraph('\\[x\\] Done with this')]],
  ['$$a$$, $$b$$ and $$c$$ are sides.', [paragraph('$$a$$, $$b$$ and $$c$$ are sides.')]],
  ['so\n$$x^2$$  \nis it', [paragraph('so'), math('x^2'), paragraph('is it')]],
  ['$$\na\n+ b\n$$ is the sum\nof both\n\nEnd', [paragraph('$$\na\n+ b\n$$ is the sum\nof both'), paragraph('End')]],
  ['$$a\n+ b$$\nEnd', [math('a\n+ b'), paragraph('End')]],
  ['$$\na\n\n+ b\n$$\nEnd', [math('a\n\n+ b'), paragraph('End')]],
  [
    '$$5 million\n- and more\n\n# End',
    [paragraph('$$5 million'), bullets([paragraph('and more')]), { kind: 'heading', level: 1, text: 'End' }],
  ],
  ['$$\na\n\nEnd', [math('a'), paragraph('End')]],
  ['\\[\na\n\nEnd', [math('a'), paragraph('End')]],
  ['$$\na\n\nThat is $$ and more', [math('a'), paragraph('That is $$ and more')]],
])('a formula has its own lines only if nothing follows it: %j', (text, blocks) => {
  expect(parseBlocks(text)).toEqual(blocks)
})

test('a formula that is still coming extends to the end', () => {
  expect(parseBlocks('$$\na\n\nb', false)).toEqual([math('a\n\nb')])
  expect(parseBlocks('- $$x', false)).toEqual([bullets([math('x')])])
  expect(parseBlocks('$$5 million\n\nThe end', false)).toEqual([paragraph('$$5 million'), paragraph('The end')])
  expect(splitChunks('One\n\n$$\na\n\nb', false)).toEqual(['One\n', '$$\na\n\nb'])
})

test.each<[string, readonly Block[]]>([
  [
    'The result:\n| a | b |\n|---|---|\n| 1 | 2 |\nEnd',
    [paragraph('The result:'), { kind: 'table', head: ['a', 'b'], rows: [['1', '2']], align: [null, null] }, paragraph('End')],
  ],
  ['```foo``` is code\n\nEnd', [paragraph('```foo``` is code'), paragraph('End')]],
  ['```` ``` ````\nEnd', [paragraph('```` ``` ````\nEnd')]],
  ['Title\n---\ntext', [{ kind: 'heading', level: 2, text: 'Title' }, paragraph('text')]],
  ['Long\ntitle\n===\ntext', [{ kind: 'heading', level: 1, text: 'Long\ntitle' }, paragraph('text')]],
  [
    'text\n***\ntext\n- - -\ntext\n___',
    [paragraph('text'), { kind: 'rule' }, paragraph('text'), { kind: 'rule' }, paragraph('text'), { kind: 'rule' }],
  ],
  ['---\ntext\n--', [{ kind: 'rule' }, paragraph('text\n--')]],
  ['* a\n\n* * *\n\n* b', [bullets([paragraph('a')]), { kind: 'rule' }, bullets([paragraph('b')])]],
  ['It was in\n1986. A year\n2) of much', [paragraph('It was in\n1986. A year\n2) of much')]],
  ['It was:\n1. a\n2. b', [paragraph('It was:'), numbered(1, [paragraph('a')], [paragraph('b')])]],
  ['1986. A year', [numbered(1986, [paragraph('A year')])]],
  [
    '1. a\nis first\n2. b\n- c\n\nEnd',
    [numbered(1, [paragraph('a\nis first')], [paragraph('b')]), bullets([paragraph('c')]), paragraph('End')],
  ],
  ['- a\n  - b\nc', [bullets([paragraph('a'), bullets([paragraph('b\nc')])])]],
  ['- # a\nb', [bullets([{ kind: 'heading', level: 1, text: 'a' }]), paragraph('b')]],
  ['- ```\n  a\n  ```\nb', [bullets([code('a')]), paragraph('b')]],
  ['- a\n---\nb\n===', [bullets([paragraph('a')]), { kind: 'rule' }, { kind: 'heading', level: 1, text: 'b' }]],
])('blocks follow text without an empty line: %j', (text, blocks) => {
  expect(parseBlocks(text)).toEqual(blocks)
})

test.each<[string, readonly Block[]]>([
  [
    '- a\n\t- b\n\t\t- c\n\t- d\n- e',
    [bullets([paragraph('a'), bullets([paragraph('b'), bullets([paragraph('c')])], [paragraph('d')])], [paragraph('e')])],
  ],
  ['1. a\n\t1. b\n\n\t\tmore', [numbered(1, [paragraph('a'), numbered(1, [paragraph('b'), paragraph('more')])])]],
  ['Steps:\n\t- a\n\t- b', [paragraph('Steps:'), bullets([paragraph('a')], [paragraph('b')])]],
  ['  - a\n  - b\n    - c', [bullets([paragraph('a')], [paragraph('b'), bullets([paragraph('c')])])]],
  ['-\ta\n\tb', [bullets([paragraph('a\nb')])]],
  ['- a\n\t```go\n\tif x {\n\t\ty()\n\t}\n\t```', [bullets([paragraph('a'), code('if x {\n\ty()\n}', 'go')])]],
  ['- a\n  ```\n  b\n\n\n  c\n  ```', [bullets([paragraph('a'), code('b\n\n\nc')])]],
])('lists with tabs and spaces: %j', (text, blocks) => {
  expect(parseBlocks(text)).toEqual(blocks)
})

/** Each word is its own, and `W` stands for the next one. */
const line = fc.constantFrom(
  ...['', '', 'W', 'W W', '$$W$$ W', '$$W$$', '$$W', 'W$$', '$$', '$$ W', '\\[ W \\]', '\\[ W \\] W', '\\[', '\\] W', '\\]', '\\[W'],
  ...[
    '```',
    '~~~',
    '```W',
    '```W```',
    '  ```',
    '    W',
    '\tW',
    '  W',
    '- W',
    '\t- W',
    '    - W',
    '- ```',
    '1. W',
    '19. W',
    '  1. W',
    '-',
    '- $$',
  ],
  ...[
    '> W',
    '> - W',
    '> $$',
    '| W | W |',
    'W | W',
    '|---|---|',
    '---|---',
    '# W',
    '### W ###',
    '---',
    '===',
    '* * *',
    '[^1]: W',
    '- [x] W',
    '> ',
  ],
)
const source = fc.array(line, { maxLength: 14 }).map(textOf)

/** Of few kinds of lines, so that what belongs together is often in one text. */
const alike = fc
  .array(line, { minLength: 1, maxLength: 4 })
  .chain((few) => fc.array(fc.constantFrom('', ...few), { maxLength: 10 }))
  .map(textOf)

function textOf(lines: readonly string[]): string {
  let count = 0
  return lines.join('\n').replaceAll('W', () => `w${count++}w`)
}

test('no word of a text is missing from its blocks', () => {
  fc.assert(
    fc.property(source, fc.boolean(), (text, isComplete) => {
      const shown = JSON.stringify(parseBlocks(text, isComplete))
      expect((text.match(/w\d+w/g) ?? []).filter((word) => shown.split(word).length !== 2)).toEqual([])
    }),
    { numRuns: 5_000 },
  )
})

test('a text in pieces has the same blocks as a whole, complete or not', () => {
  fc.assert(
    fc.property(source, fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }), (whole, isComplete, share) => {
      const text = whole.slice(0, Math.ceil(whole.length * share))
      const chunks = splitChunks(text, isComplete)
      expect(chunks.join('\n')).toBe(text)
      expect(chunks.flatMap((chunk, index) => parseBlocks(chunk, isComplete || index < chunks.length - 1))).toEqual(
        parseBlocks(text, isComplete),
      )
    }),
    { numRuns: 10_000 },
  )
})

test('a text that grows has the same pieces as when it is split as a whole', () => {
  fc.assert(
    fc.property(alike, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }), (whole, steps) => {
      let chunks: readonly string[] = []
      let [at, step] = [0, 0]
      while (at < whole.length) {
        at += steps[step % steps.length] ?? 1
        step += 1
        const text = whole.slice(0, at)
        chunks = splitGrowing(text, chunks)
        expect(chunks).toEqual(splitChunks(text, false))
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a text that becomes another one is split as a whole', () => {
  expect(splitGrowing('d\n\ne\n\nf\n\ng', ['a\n', 'b\n', 'c'])).toEqual(['d\n', 'e\n', 'f\n', 'g'])
})

test.each([['- a\n  ```\n\n# b\n  ```\n\nc'], ['- a\n- b\n\n\n- c\n\nd'], ['- a\n\n1. b\n\nc']])(
  'a piece does not end within a block: %j',
  (text) => {
    expect(splitChunks(text).flatMap((chunk) => parseBlocks(chunk))).toEqual(parseBlocks(text))
  },
)

test('long texts without an end are parsed', () => {
  // Not within the time limit of the test, if the time grew with the square of their length.
  parseBlocks(`a|b\n${' '.repeat(500_000)}|x`)
  parseBlocks('\\[x\n'.repeat(50_000))
  parseBlocks('$$\nx\n\n'.repeat(20_000))
  parseBlocks(`- a\n${'b\n  - c\n'.repeat(10_000)}`)
})
