import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { firstLines, readHidden } from './password.ts'

function keyboard() {
  const raw: boolean[] = []
  const nothing = () => undefined
  return Object.assign(new EventEmitter(), { raw, setRawMode: (on: boolean) => raw.push(on), resume: nothing, pause: nothing })
}

async function typing(...keys: (string | Buffer)[]) {
  const keys_ = keyboard()
  const shown: string[] = []
  const read = readHidden('Password: ', keys_, { write: (text: string | Uint8Array) => shown.push(String(text)) > 0 })
  for (const key of keys) keys_.emit('data', Buffer.from(key as string))
  return { read: await read, shown, raw: keys_.raw, listening: keys_.listenerCount('data') }
}

test('nothing of it is shown, and the terminal is restored', async () => {
  expect(await typing('gre', 'en\r')).toEqual({ read: 'green', shown: ['Password: ', '\n'], raw: [true, false], listening: 0 })
})

test.each<[string, (string | Buffer)[], string | null]>([
  ['backspace', ['ab\u007f\u007f\u007fc\n'], 'c'],
  ['cleared with Ctrl-U', ['wrong\u0015right\r'], 'right'],
  ['a character in two pieces', [Buffer.from([0xc3]), Buffer.from([0xa9]), '\r'], 'é'],
  ['control characters are ignored', ['a\u0001b\r'], 'ab'],
  ['Ctrl-C', ['secret\u0003'], null],
  ['nothing', ['\r'], ''],
])('%s', async (_what, keys, read) => {
  expect((await typing(...keys)).read).toBe(read)
})

test.each<[string, string[], number, string[]]>([
  ['one of two', ['first\nsecond\n'], 1, ['first']],
  ['both, in pieces', ['fi', 'rst\r\nsec', 'ond\n'], 2, ['first', 'second']],
  ['the last without a line end', ['first\nsecond'], 2, ['first', 'second']],
  ['fewer than requested', ['first\n'], 2, ['first']],
  ['none after an empty one', ['\nsecond\n'], 2, []],
  ['nothing', [''], 1, []],
])('the lines of the input: %s', async (_what, pieces, count, lines) => {
  expect(await firstLines(Readable.from(pieces.map((piece) => Buffer.from(piece))), count)).toEqual(lines)
})
