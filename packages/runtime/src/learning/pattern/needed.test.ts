import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNeeded } from './needed.ts'

test.each([
  ['make: pandoc: No such file or directory', 'make site', true],
  ["FileNotFoundError: [Errno 2] No such file or directory: 'pandoc'", 'python3 docs.py', true],
  ['a.c:1:10: fatal error: zlib.h: No such file or directory', 'make', true],
  ['./app: error while loading shared libraries: libz.so.1: cannot open shared object file: No such file or directory', './app', true],
  ['/usr/bin/ld: cannot find -lz: No such file or directory', 'gcc a.c -lz', true],
  ['error: linker `cc` not found', 'cargo build', true],
  // The command names it: it may be a mistake, or a file that was not produced.
  ['cat: notes: No such file or directory', 'cat notes', false],
  ['unzip: a.jar: No such file or directory', 'unzip a.jar', false],
  ["FileNotFoundError: [Errno 2] No such file or directory: 'rates.json'", 'python3 report.py', false],
  ['bash: ./build/app: No such file or directory', 'bash run.sh', false],
  ['something else', 'make', false],
])('%s after %s: %s', (line, command, needed) => {
  expect(isNeeded([line], command)).toBe(needed)
})

test('a name that is in the command is never needed by something else', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z][a-z0-9_]{2,12}$/), (name) => {
      expect(isNeeded([`make: ${name}: No such file or directory`], `make ${name}`)).toBe(false)
      expect(isNeeded([`make: ${name}: No such file or directory`], 'MAKE all')).toBe(true)
    }),
  )
})
