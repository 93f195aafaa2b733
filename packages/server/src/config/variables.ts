// Every variable that the backend reads. Others are ignored, except for the keys of providers that LLM_CONFIG refers to.
import { meterVariables } from './llm/limits.ts'
import { providerVariables } from './llm/presets.ts'

export const variables = {
  ENV: 'run environment: development or production',
  HOST: 'listening address; 127.0.0.1 in development, 0.0.0.0 in production',
  PORT: 'listening port; 8080 by default',
  WORKERS: 'number of processes that share the port; 1 by default',
  LOG_LEVEL: 'debug, info, warn or error',
  BAAS_URL: 'platform: embedded:DIR, postgres://user@host/db, or the https:// address of a Supabase project',
  BAAS_KEY: 'key of the platform: the PostgreSQL password, or the service key of the Supabase project',
  BAAS_JWT_SECRET: 'secret that signs and checks access tokens (HS256)',
  BAAS_JWKS: 'Supabase project with signing keys: "project" for its own key set, or the https:// address of one',
  DATABASE_URL: 'PostgreSQL of the Supabase project: postgres://user@host/db',
  DATABASE_PASSWORD: 'password for DATABASE_URL',
  STORAGE_URL: 'file storage for postgres://: file:DIR or s3://bucket/prefix?endpoint=…&region=…',
  STORAGE_ACCESS_KEY: 'access key for s3://',
  STORAGE_SECRET_KEY: 'secret key for s3://',
  CACHE_URL: 'redis://, redis+cluster:// or redis+sentinel:// address, with TLS rediss…; in-process when unset in development',
  CACHE_PASSWORD: 'password of the cache',
  CACHE_SENTINEL_PASSWORD: 'password of the Sentinels',
  DATA_DIR: 'folder for data on this machine; .data/server by default',
  MAX_UPLOAD_BYTES: 'largest upload; 100 MiB by default',
  MAX_USER_BYTES: 'all files of one account in total; 10 GiB by default',
  MAX_USER_RECORD_BYTES: 'all synchronized records of one account in total; 5 GiB by default',
  HISTORY_DAYS: 'days after which messages and other append-only entities are moved to a file of their user; 0, the default, is never',
  METRICS_TOKEN: 'bearer token for /metrics from hosts other than loopback',
  CORS_ORIGINS: 'origins of web pages that may call the API, separated by commas',
  TRUST_PROXY: 'number of proxies in front of the server, or their addresses, separated by commas',
  ...providerVariables,
  ...meterVariables,
} as const satisfies Record<string, string>

export type Variable = keyof typeof variables

export type Environment = Readonly<Record<string, string | undefined>>

const ownPrefix = /^(BAAS|CACHE|DATABASE|STORAGE|LLM)_/

/** Names that look like ours but are not: probably typos. */
export function unknownVariables(env: Environment): string[] {
  return Object.keys(env)
    .filter((name) => ownPrefix.test(name) && !Object.hasOwn(variables, name))
    .sort()
}
