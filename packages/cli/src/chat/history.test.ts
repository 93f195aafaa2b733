import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { historyFileName, openHistory } from './history.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-history-'))
})
afterEach(() => rmSync(home, { recursive: true }))
const problems: string[] = []
const report = (problem: string) => void problems.push(problem)

test('what was typed is there in the next session, and only its owner can read it', () => {
  openHistory(home, report).add('one\ntwo')
  openHistory(home, report).add('   ')
  expect(openHistory(home, report).earlier).toEqual(['one\ntwo'])
  expect(statSync(join(home, historyFileName)).mode & 0o777).toBe(0o600)
})

test('a damaged line is left out, and a long file is shortened', () => {
  const file = join(home, historyFileName)
  writeFileSync(file, Array.from({ length: 1_200 }, (_, at) => `"text ${at}"\n`).join(''))
  appendFileSync(file, '"cut off')
  const { earlier } = openHistory(home, report)
  expect([earlier.length, earlier.at(-1)]).toEqual([500, 'text 1199'])
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(500)
})

test('a file that cannot be written is reported once', () => {
  const history = openHistory(join(home, 'file/below'), report)
  writeFileSync(join(home, 'file'), '')
  history.add('one')
  history.add('two')
  expect(problems).toEqual([expect.stringContaining('The history could not be saved')])
})
