// Assembles the features on the parts and listens.
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import { type Closers, closeAll } from './closers.ts'
import type { Config } from './config/config.ts'
import { watchEpoch } from './database/epoch-watch.ts'
import { openGateway } from './llm/gateway.ts'
import type { Parts } from './parts.ts'
import { openHub } from './realtime/hub.ts'
import { scheduleRetention } from './retention/schedule.ts'
import type { JoinMetrics } from './services.ts'
import { openApiKeys } from './token/api-keys.ts'
import { openEndedSessions } from './token/ended-sessions.ts'
import { openTokens } from './token/tokens.ts'

export interface Server {
  readonly url: string
  readonly config: Config
  /** Answers accepted requests, then closes everything. */
  stop(): Promise<void>
}

export async function serve(
  config: Config,
  log: FastifyBaseLogger,
  parts: Parts,
  closers: Closers,
  joinMetrics?: JoinMetrics,
): Promise<Server> {
  const now = () => Date.now()
  const hub = openHub(parts.cache, (line) => log.info(line))
  closers.push(() => hub.close())
  const gateway = openGateway({ ...parts, log, now }, config.llm)
  closers.push(() => gateway.close())
  const epoch = await watchEpoch(parts.database, (line) => log.warn(line))
  closers.push(() => epoch.close())
  const services = {
    ...parts,
    config,
    log,
    hub,
    gateway,
    epoch,
    now,
    tokens: openTokens(config.jwt, undefined),
    apiKeys: openApiKeys(parts.database, now),
    endedSessions: openEndedSessions({ ...parts, now }),
    ...(joinMetrics ? { joinMetrics } : {}),
  }
  const app = await buildApp(services)
  closers.push(scheduleRetention(services))
  // Closed first: accepted requests are answered before anything else is closed.
  closers.push(() => app.close())
  const url = await app.listen({ host: config.host, port: config.port })
  return { url, config, stop: () => closeAll(closers) }
}
