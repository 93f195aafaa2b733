// The log of the process: lines of JSON on standard output.
import pino from 'pino'
import type { Config } from './config/config.ts'

export function openLogger({ log_level }: Pick<Config, 'log_level'>) {
  return pino({
    level: log_level,
    base: { service: 'tandem-server' },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['req.headers', 'headers', 'authorization', 'token', 'password', 'payload', '*.password', '*.token', '*.refresh_token'],
      censor: '[redacted]',
    },
  })
}
