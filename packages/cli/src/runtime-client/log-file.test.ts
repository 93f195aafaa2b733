import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openLogFile } from './log-file.ts'

const now = () => new Date('2026-01-01T00:00:00.000Z')

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('lines are appended with their time, and only the user can read them', () => {
  const folder = createFolder()
  openLogFile(folder, now)('one')
  openLogFile(folder, now)('two')
  const file = join(folder, 'terminal.log')
  expect(readFileSync(file, 'utf8')).toBe('2026-01-01T00:00:00.000Z one\n2026-01-01T00:00:00.000Z two\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a file that is too long is replaced, and kept once', () => {
  const folder = createFolder()
  const file = join(folder, 'terminal.log')
  const old = 'x'.repeat(1_048_577)
  writeFileSync(file, old)
  openLogFile(folder, now)('new')
  expect([readFileSync(file, 'utf8'), readFileSync(`${file}.1`, 'utf8') === old]).toEqual(['2026-01-01T00:00:00.000Z new\n', true])
})

test('a folder that cannot be written to does not end the command', () => {
  expect(() => openLogFile(join(createFolder(), 'missing'), now)('lost')).not.toThrow()
})
