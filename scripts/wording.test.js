import { describe, expect, test } from 'vitest'
import { findings, literals } from './wording.js'

describe('words to avoid', () => {
  test.each([
    ["say('It can not be read')", 'can not'],
    ['say("«x» is missing")', '«'],
    [`say(\`Ask whoever runs \${name}\`)`, 'whoever'],
    ["say('It was taken back')", 'taken back'],
    ["say('Its time was over')", 'time was over'],
    ["say('What shall we do?')", 'shall'],
    ["say('The run goes on with it')", 'goes on with'],
    ["say('Nobody is signed in')", 'Nobody'],
    ["say('mends a mistake')", 'mends'],
    ["say('compute it anew')", 'anew'],
    ["say('What lies on this device')", 'lies on'],
    ["say('it waits for your yes')", 'waits for your yes'],
  ])('%s', (source, word) => {
    expect(findings('a.ts', source)).toEqual([expect.stringContaining(`a.ts:1: "${word}": write `)])
  })

  test('in a document each is found with its line, outside code', () => {
    const text = 'It `can not` be.\n```\ncan not\n```\nIt can not be.\n'
    expect(findings('a.md', text)).toEqual(['a.md:5: "can not": write cannot'])
  })

  test('names, comments and regular expressions are not text', () => {
    const source = [
      "const user = 'nobody'",
      '// nobody can not',
      '/* shall',
      'anew */',
      'const found = /can not "x/',
      "say('It works')",
    ].join('\n')
    expect(findings('a.ts', source)).toEqual([])
  })

  test('standard words are allowed', () => {
    const source =
      "say('Undo or retry: the layer, client, thread, queue and permission are shown. Continue? Cannot undo. The background command is recommended.')"
    expect(findings('a.ts', source)).toEqual([])
  })
})

test('literals are found at any nesting depth, with their lines', () => {
  const source = [
    `a(\`one \${b("two three", \`four \${c} five\`)} six\`)`,
    "// it's nothing",
    "d('it\\'s seven', /['\"`]/, {",
    '  e: "eight nine" })',
  ].join('\n')
  expect(literals(source)).toEqual([
    { line: 1, text: 'two three' },
    { line: 3, text: "it\\'s seven" },
    { line: 4, text: 'eight nine' },
  ])
  expect(literals(`a(\`the one \${b(\`the two \${c} the three\`)} the four\`)`).map(({ text }) => text)).toEqual([
    'the one ',
    'the two ',
    ' the three',
    ' the four',
  ])
})
