import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { typed } from './password.ts'

function keyboard() {
  const raw: boolean[] = []
  const nothing = () => undefined
  return Object.assign(new EventEmitter(), { raw, setRawMode: (on: boolean) => raw.push(on), resume: nothing, pause: nothing })
}

async function typing(...keys: (string | Buffer)[]) {
  const keys_ = keyboard()
  const shown: string[] = []
  const read = typed('Password: ', keys_, { write: (text: string | Uint8Array) => shown.push(String(text)) > 0 })
  for (const key of keys) keys_.emit('data', Buffer.from(key as string))
  return { read: await read, shown, raw: keys_.raw, listening: keys_.listenerCount('data') }
}

test('nothing of it is shown, and the terminal is as before', async () => {
  expect(await typing('gre', 'en\r')).toEqual({ read: 'green', shown: ['Password: ', '\n'], raw: [true, false], listening: 0 })
})

test.each<[string, (string | Buffer)[], string | null]>([
  ['taken back', ['ab\u007f\u007f\u007fc\n'], 'c'],
  ['begun anew', ['wrong\u0015right\r'], 'right'],
  ['a letter in two pieces', [Buffer.from([0xc3]), Buffer.from([0xa9]), '\r'], 'é'],
  ['arrows and other keys that are no letters', ['a\u0001b\r'], 'ab'],
  ['turned away', ['secret\u0003'], null],
  ['nothing', ['\r'], ''],
])('%s', async (_what, keys, read) => {
  expect((await typing(...keys)).read).toBe(read)
})
