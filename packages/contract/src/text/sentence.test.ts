import { expect, test } from 'vitest'
import { sentence } from './index.ts'

test.each([
  ['there is no agent 7', 'There is no agent 7.'],
  ['The run did not finish within 50 turns.', 'The run did not finish within 50 turns.'],
  ['a file is missing!', 'A file is missing!'],
  ['it said "No."', 'It said "No."'],
  ['pack 3 is damaged (checksum)', 'Pack 3 is damaged (checksum).'],
  ['the model is loading…', 'The model is loading…'],
  ['élan is missing', 'Élan is missing.'],
  ['no', 'No.'],
  ['shell.exec is changing files', 'shell.exec is changing files.'],
  ['fs_scope is not valid', 'fs_scope is not valid.'],
  ['https://example.org did not answer', 'https://example.org did not answer.'],
  ['/tmp/a does not exist', '/tmp/a does not exist.'],
  ['notes.md does not exist', 'notes.md does not exist.'],
  [' ends with a line break\n', 'Ends with a line break.'],
  ['', ''],
])('%j is the sentence %j', (text, expected) => {
  expect(sentence(text)).toBe(expected)
})
