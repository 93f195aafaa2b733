import pino from 'pino'
import { expect, test } from 'vitest'
import { lazyLogger } from './lazy-logger.ts'

function remembering(level: 'info' | 'debug' | 'trace') {
  const lines: { level: number; msg: string; request_id?: string }[] = []
  const log = pino({ base: null, timestamp: false, level }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { late: lazyLogger(log, { request_id: 'r-1' }, {}), lines }
}

test('a log line has the id of its request, at its own level', () => {
  const { late, lines } = remembering('trace')
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) late[level]({ n: 1 }, level)
  late.child({ n: 2 }).info('child')
  expect(lines).toEqual([
    ...['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((msg, n) => ({ level: 10 * (n + 1), request_id: 'r-1', n: 1, msg })),
    { level: 30, request_id: 'r-1', n: 2, msg: 'child' },
  ])
})

test('what the log level excludes is not written', () => {
  const { late, lines } = remembering('info')
  late.debug('one')
  late.trace('two')
  late.silent('three')
  expect([late.level, lines]).toEqual(['info', []])
})
