import { expect, test } from 'vitest'
import { Refused } from '../../call/failure.ts'
import { displayPath } from './file-failure.ts'
import { readPath } from './path-resolver.ts'

const here = { workspace: '/ws', platform: 'linux' } as const

test.each([
  ['a/b', '/ws/a/b'],
  ['.', '/ws'],
  ['a/../b', '/ws/b'],
  ['//etc//passwd', '/etc/passwd'],
  ['../ws-evil/x', '/ws-evil/x'],
  ['a.', '/ws/a.'],
  ['...', '/ws/...'],
  ['~file', '/ws/~file'],
  ['./~', '/ws/~'],
  ['C:\\x', '/ws/C:\\x'],
  ['/procs', '/procs'],
])('"%s" is %s', (text, path) => {
  expect(readPath(text, here, 'read')).toBe(path)
})

test.each([
  ['', 'invalid_path'],
  ['a\0b', 'invalid_path'],
  ['\ud800', 'invalid_path'],
  ['file:///etc/passwd', 'invalid_path'],
  ['FILE://x', 'invalid_path'],
  ['https://example.org/', 'invalid_path'],
  ['~', 'invalid_path'],
  ['~/x', 'invalid_path'],
  ['/proc', 'path_forbidden'],
  ['/proc/self/root/etc/passwd', 'path_forbidden'],
  ['/proc/self/fd/3', 'path_forbidden'],
  ['../proc/1/environ', 'path_forbidden'],
  ['/sys/kernel', 'path_forbidden'],
])('"%s" is refused as %s', (text, reason) => {
  expect(refusal(() => readPath(text, here, 'write'))).toEqual([reason, 'sandbox', 'write', true])
})

test.each(['a.', 'a ', 'a.txt:stream', 'NUL', 'con.txt', 'x\\lpt1', '\\\\server\\share', '//?/C:/x'])(
  'on Windows "%s" is refused',
  (text) => {
    expect(refusal(() => readPath(text, { workspace: 'C:\\ws', platform: 'win32' }, 'read'))[0]).toBe('invalid_path')
  },
)

test('on Windows plain names are accepted', () => {
  expect(readPath('a\\..\\b.txt', { workspace: 'C:\\ws', platform: 'win32' }, 'read')).toBe('C:\\ws\\b.txt')
})

test('a path in a message cannot contain terminal control characters or change the text direction', () => {
  expect(displayPath('a\u001b[31m\u202eb')).toBe('a\uFFFD[31m\uFFFDb')
  expect(displayPath('x'.repeat(1_000))).toHaveLength(300)
})

function refusal(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (error instanceof Refused) return [error.reason_code, error.facts.blocked_by, error.facts.attempted, Boolean(error.facts.remedy)]
    throw error
  }
  return ['not refused']
}
