import { Writable } from 'node:stream'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { CacheUnavailable } from '../cache/unavailable.ts'
import { registerErrorHandler } from './failure.ts'
import { refuse } from './refusal.ts'

afterEach(() => vi.restoreAllMocks())

test('an unavailable part is logged with its reason, occasionally and separately for each part', async () => {
  let tick = 0
  vi.spyOn(performance, 'now').mockImplementation(() => tick)
  const lines: unknown[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      const { level, msg, err } = JSON.parse(String(chunk))
      lines.push([level, msg, err.message])
      done()
    },
  })
  const log: FastifyBaseLogger = pino({ level: 'warn' }, sink)
  const app = Fastify({ loggerInstance: log })
  registerErrorHandler(app)
  app.get('/cache', () => Promise.reject(new CacheUnavailable('nothing listens')))
  app.get('/accounts', () => Promise.reject(refuse('accounts_unavailable', 'no keys')))
  app.get('/missing', () => Promise.reject(refuse('not_found', 'no such thing')))
  const ask = async (url: string) => (await app.inject(url)).statusCode
  expect([await ask('/cache'), await ask('/cache'), await ask('/accounts'), await ask('/missing')]).toEqual([503, 503, 503, 404])
  tick = 4_999
  await ask('/cache')
  tick = 5_000
  await ask('/cache')
  const cache = [40, 'a dependency does not respond: cache_unavailable', 'nothing listens']
  expect(lines).toEqual([cache, [40, 'a dependency does not respond: accounts_unavailable', 'no keys'], cache])
  await app.close()
})
