import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { folderName, opened, parseTypedPath, shortPath } from './typed-path.ts'

test.each([
  ['', '~', ''],
  ['~', '~', ''],
  ['~/', '~', ''],
  ['~/pro', '~', 'pro'],
  ['/', '/', ''],
  ['/et', '/', 'et'],
  ['/etc/', '/etc', ''],
  ['/etc/ss', '/etc', 'ss'],
  ['pro', '~', 'pro'],
  [' /etc', '/', 'etc'],
])('%j lists %s, names that begin with %j', (typed, folder, starts_with) => {
  expect(parseTypedPath(typed)).toEqual({ folder, starts_with })
})

const part = fc.stringMatching(/^[a-z ]{1,5}$/)
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`)

test('a folder that is opened lists itself, and its short form is the same folder', () => {
  fc.assert(
    fc.property(path, path, (folder, home) => {
      expect(parseTypedPath(opened(folder))).toEqual({ folder, starts_with: '' })
      const short = shortPath(folder, home)
      expect(short.startsWith('~') ? home + short.slice(1) : short).toBe(folder)
    }),
  )
})

test('the name of a folder', () => {
  expect(['/a/b', '/a/b/', '/', '~'].map(folderName)).toEqual(['b', 'b', '/', '~'])
})
