import { expect, test } from 'vitest'
import { testFile } from '../../test/support/test-source.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { leftOutLines, problemFiles } from './left-out.ts'

test('each reason has a line with an example and its remedy, the most frequent first', () => {
  expect(
    leftOutLines([
      testFile('scan.pdf', { problem: 'damaged', detail: 'the end is missing' }),
      testFile('a\u202e.png', { problem: 'not_text' }),
      testFile('.env', { problem: 'secret' }),
      testFile('long.csv', { problem: 'too_large', passages: 12, detail: 'Only the first 1,000 rows were read.' }),
      testFile('key.pem', { problem: 'secret' }),
    ]),
  ).toEqual([
    '4 files were left out:',
    '  .env and 1 other: It may contain secrets, so it was left out. To include it, add it by itself.',
    '  scan.pdf: It is damaged. The end is missing. Replace it with an intact copy, then reindex the source.',
    '  a\\u{202e}.png: It is not a document. Images, videos, programs, archives and databases cannot be searched.',
    '1 file was read only in part:',
    '  long.csv: It is too large. Only the first 1,000 rows were read. Split it into smaller files, then reindex the source.',
  ])
  expect(leftOutLines([])).toEqual([])
})

test('all pages are read', async () => {
  const call = async (_name: string, { cursor }: { cursor?: string }) => ({
    ok: true,
    value: { items: [testFile(cursor ?? 'first')], next_cursor: cursor === undefined ? 'second' : null },
  })
  expect(await problemFiles({ call } as unknown as Pick<RuntimeClient, 'call'>, 'id')).toEqual({
    ok: true,
    value: [testFile('first'), testFile('second')],
  })
})
