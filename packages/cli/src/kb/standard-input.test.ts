import { expect, test } from 'vitest'
import { readStandardInput } from './standard-input.ts'

async function* pieces(...all: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of all) yield Buffer.from(piece)
}

test('text is joined before it is decoded, without its byte order mark', async () => {
  const tea = Buffer.from('\ufeffThé\n')
  expect(await readStandardInput(pieces(tea.subarray(0, 6), tea.subarray(6)))).toEqual({ ok: true, value: 'Thé\n' })
})

test.each<[string, AsyncIterable<Uint8Array>, string]>([
  ['nothing', pieces(), 'standard input is empty'],
  ['white space', pieces(' \n'), 'standard input is empty'],
  ['another encoding', pieces(Uint8Array.of(0x54, 0xe9, 0x0a)), 'standard input is not text in UTF-8'],
  ['too many characters', pieces('x'.repeat(4 * 1_024 * 1_024), 'x'), 'standard input is longer than 4,194,304 characters'],
  ['a text that is too long to be sent', pieces('\u0001'.repeat(3 * 1_024 * 1_024)), 'standard input is longer than 4,194,304 characters'],
])('%s is refused with a remedy', async (_name, input, message) => {
  expect(await readStandardInput(input)).toEqual({ ok: false, error: { code: 'invalid_params', message, remedy: expect.any(String) } })
})

test('an endless input is not read to its end', async () => {
  let read = 0
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      read += 1
      yield new Uint8Array(1_024 * 1_024)
    }
  }
  expect(await readStandardInput(endless())).toMatchObject({ ok: false })
  expect(read).toBe(16)
})
