import postgres from 'postgres'
import { expect, test } from 'vitest'
import { asUnavailable, ConnectionError, DatabaseUnavailable, isConnectionLoss } from './unavailable.ts'

const stateError = (code: string, severity: string) => Object.assign(new postgres.PostgresError('failed'), { code, severity })
const reasonOf = (error: unknown) => {
  const unavailable = asUnavailable(error)
  return unavailable instanceof DatabaseUnavailable ? unavailable.reason : undefined
}

test.each([
  // PostgreSQL, or a pooler, ends this connection.
  ['57P01', 'FATAL', 'connection'],
  ['57P03', 'FATAL', 'connection'],
  ['28P01', 'FATAL', 'connection'],
  ['08P01', 'FATAL', 'connection'],
  ['08006', 'FATAL', 'connection'],
  // Citus reports what a worker said; our connection stays open.
  ['08006', 'ERROR', 'shard'],
  ['08000', 'ERROR', 'shard'],
  ['57P01', 'ERROR', 'shard'],
  ['57P03', 'ERROR', 'shard'],
  ['28000', 'ERROR', 'shard'],
  // Only a new connection reaches the new primary.
  ['25006', 'ERROR', 'connection'],
  ['55P03', 'ERROR', 'busy'],
  ['57014', 'ERROR', 'busy'],
  ['53300', 'FATAL', 'busy'],
  ['23505', 'ERROR', undefined],
  ['42501', 'ERROR', undefined],
] as const)('%s as %s is %s', (code, severity, reason) => {
  const error = stateError(code, severity)
  expect([reasonOf(error), isConnectionLoss(error)]).toEqual([reason, reason === 'connection'])
})

test('a lost socket is a lost connection; errors of other parts are not of the database', () => {
  expect(reasonOf(new ConnectionError('ECONNRESET', 'lost'))).toBe('connection')
  expect(reasonOf(Object.assign(new Error('no file'), { code: 'ENOENT' }))).toBe(undefined)
})
