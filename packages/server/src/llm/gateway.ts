// The model gateway of one node: providers, metering, timeouts and circuit breakers.
import type { FastifyBaseLogger } from 'fastify'
import type { LlmSettings } from '../config/llm/settings.ts'
import { refuse } from '../http/refusal.ts'
import type { Services } from '../services.ts'
import { openMeter } from './meter/open-meter.ts'
import type { Meter } from './meter.ts'
import { httpUpstream } from './provider/http-upstream.ts'
import { ollamaFinder } from './provider/ollama.ts'
import type { AttemptTools, Deadlines } from './relay/attempts.ts'
import { type Breakers, openBreakers } from './routing/breakers.ts'
import { type Directory, openDirectory } from './routing/directory.ts'
import { scriptedUpstream } from './scripted/scripted.ts'
import { chatUpstream } from './translation/chat-upstream.ts'
import type { Upstream } from './upstream.ts'

export interface Gateway {
  readonly directory: Directory
  readonly meter: Meter
  readonly breakers: Breakers
  readonly deadlines: Deadlines
  readonly reply_bytes_max: number
  now(): number
  /** Reserves memory for a request's body until the returned function is called; refuses if there is none left. */
  enter(bytes: number): () => void
  attempts(log: FastifyBaseLogger, generation_id: string): AttemptTools
  /** Writes pending rows and closes the connections. */
  close(): Promise<void>
}

export interface GatewayOptions {
  /** Added to those of the settings, or replacing one with the same name. */
  readonly upstreams?: readonly Upstream[]
  readonly meter?: Meter
  readonly deadlines?: Partial<Deadlines & { readonly connect_ms: number }>
  readonly reply_bytes_max?: number
  readonly random?: () => number
}

type Ground = Pick<Services, 'database' | 'cache' | 'log' | 'now'>

const usualDeadlines: Deadlines = { first_byte_ms: 180_000, whole_ms: 600_000, idle_ms: 180_000, ping_ms: 15_000 }
const MiB = 1024 * 1024
/** The total size of bodies that wait for a response. */
const roomBytes = 512 * MiB

export function openGateway(ground: Ground, settings: LlmSettings, options: GatewayOptions = {}): Gateway {
  const { log, now } = ground
  const { connect_ms = 10_000, ...changed } = options.deadlines ?? {}
  const closers: (() => void)[] = []
  const connect = (provider: LlmSettings['providers'][number]): Upstream => {
    const upstream = httpUpstream(provider, { connect_ms })
    closers.push(() => upstream.close())
    return chatUpstream(upstream, now)
  }
  const named = new Map<string, Upstream>()
  for (const provider of settings.providers) named.set(provider.name, connect(provider))
  if (settings.demo) named.set('demo', scriptedUpstream())
  for (const upstream of options.upstreams ?? []) named.set(upstream.name, upstream)

  const directory = openDirectory([...named.values()], settings, {
    now,
    missing: (upstream, error) => log.warn({ upstream, cause: messageOf(error) }, 'the models of a provider could not be listed'),
    ...(settings.ollama ? { discover: ollamaFinder(settings.ollama, connect, now) } : {}),
  })
  const breakers = openBreakers(now, (who, state) =>
    log.warn({ who, state }, 'a provider or one of its models was paused, or is called again'),
  )
  const meter = options.meter ?? openMeter(ground, settings.limits)
  let room = roomBytes
  const deadlines = { ...usualDeadlines, ...changed }
  const random = options.random ?? Math.random

  return {
    directory,
    meter,
    breakers,
    deadlines,
    reply_bytes_max: options.reply_bytes_max ?? 128 * MiB,
    now,
    enter(bytes) {
      if (bytes > room) throw refuse('overloaded', 'too many large requests are waiting for models', { retry_after_seconds: 1 })
      room -= bytes
      let held = bytes
      return () => {
        room += held
        held = 0
      }
    },
    attempts: (callLog, generation_id) => ({
      breakers,
      deadlines,
      random,
      now,
      failed: ({ id }, attempt) => callLog.warn({ generation_id, model: id, ...attempt }, 'a model call failed'),
    }),
    async close() {
      await meter.close()
      for (const close of closers) close()
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : 'unknown'
}
