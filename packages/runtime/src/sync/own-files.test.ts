import { expect, test } from 'vitest'
import { nameIn } from './own-files.ts'

test.each([
  ['a name', 'attachment; filename="a"; filename*=UTF-8\'\'%C3%A9t%C3%A9%20(1).txt', 'été (1).txt'],
  ['a way up', "attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", '.._.._etc_passwd'],
  ['a folder', "attachment; filename*=UTF-8''..", 'file'],
  ['turned letters', "attachment; filename*=UTF-8''%E2%80%AEgpj.exe", '_gpj.exe'],
  ['a new line', "attachment; filename*=UTF-8''a%0Ab", 'a_b'],
  ['half a letter', "attachment; filename*=UTF-8''%E2%80", 'file'],
  ['nothing', null, 'file'],
])('%s', (_what, disposition, name) => {
  expect(nameIn(disposition)).toBe(name)
})
