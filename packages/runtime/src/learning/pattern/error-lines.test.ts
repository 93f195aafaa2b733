import { expect, test } from 'vitest'
import { errorLines, lineRules } from './error-lines.ts'

const samples: Readonly<Record<string, readonly [string, string]>> = {
  conflict: ['Auto-merging a\nCONFLICT (content): Merge conflict in a\nAutomatic merge failed', 'CONFLICT (content): Merge conflict in a'],
  exception: [
    'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: \'a\'\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "a.py", line 3\nValueError: wrong\n',
    'ValueError: wrong',
  ],
  code: ['npm error code E404\nnpm error 404 Not Found', 'npm error code E404'],
  shell: ['bash: line 1: foo: command not found', 'bash: line 1: foo: command not found'],
  error: ['compiling\nsrc/a.c: error: expected a ;\nsrc/b.c: error: other', 'src/a.c: error: expected a ;'],
  failed_test: ['ok 1 - a\nnot ok 2 - b\nok 3 - c', 'not ok 2 - b'],
  system_error: ['starting\nlisten EADDRINUSE :::80\nbye', 'listen EADDRINUSE :::80'],
  curl: ['  % Total\ncurl: (7) Failed to connect', 'curl: (7) Failed to connect'],
  program: ['a\ntar: a: Cannot open\nb', 'tar: a: Cannot open'],
  npm: ['npm ERR! Test failed.  See above', 'npm ERR! Test failed.  See above'],
  words: ['eins\nDie Datei fehlt\nzwei', 'Die Datei fehlt'],
}

test.each(lineRules.map(({ name }) => name))('the rule %s finds its line', (name) => {
  const [output, line] = samples[name] ?? ['', 'no sample']
  expect(errorLines(output)[0]).toBe(line)
})

test.each([
  ['Schritt 1\nFehler: Kein passendes Paket gefunden', 'Fehler: Kein passendes Paket gefunden'],
  ['Schritt 1\nfatal: Kein Git-Repository', 'fatal: Kein Git-Repository'],
  ['Schwerwiegend: nichts geht', 'Schwerwiegend: nichts geht'],
])('German outputs have their lines: %j', (output, line) => {
  expect(errorLines(output)[0]).toBe(line)
})

test('without an error, the last lines are returned', () => {
  expect(errorLines('one\ntwo\n\nthree\nfour\n')).toEqual(['two', 'three', 'four'])
  expect(errorLines('')).toEqual([])
})

test('the lines of a private key are never returned', () => {
  const key = `-----BEGIN PRIVATE KEY-----\nerror: MIIEvQ\nfailed\n-----END PRIVATE KEY-----`
  expect(errorLines(`before\n${key}\nerror: after`)).toEqual(['error: after'])
  expect(errorLines('-----BEGIN RSA PRIVATE KEY-----\nMIIE')).toEqual([])
})

test('hostile outputs are bounded', () => {
  const outputs = [
    'a'.repeat(10_000_000),
    'error: x\n'.repeat(100_000),
    '.'.repeat(1_000_000),
    'a.'.repeat(100_000),
    'a: '.repeat(100_000),
    '\n'.repeat(1_000_000),
  ]
  for (const output of outputs) expect(errorLines(output).join('').length).toBeLessThan(3_100)
})
