import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ConfigResult, readConfig } from './config.ts'
import { readLlmSettings } from './llm/settings.ts'
import { problemLine } from './problem.ts'
import { createReader } from './reader.ts'
import { type Environment, type Variable, variables } from './variables.ts'

const secret = 'pW9-kT2_xQ7.vB4~zL6!nH8@cJ3#mF5$'
const embedded = { BAAS_KEY: 'password', BAAS_JWT_SECRET: secret }
const production = { ENV: 'production', CACHE_URL: 'redis://cache:6379', BAAS_KEY: 'password', BAAS_JWT_SECRET: secret }
const postgres = { ...production, BAAS_URL: 'postgres://tandem@db/tandem?sslmode=require', STORAGE_URL: 'file:/srv/files' }
const supabase = {
  ...production,
  BAAS_URL: 'https://project.example.test',
  DATABASE_URL: 'postgres://postgres@db.example.test/postgres?sslmode=require',
  DATABASE_PASSWORD: 'password',
}

describe('valid environments', () => {
  test('development needs only its own secrets', () => {
    expect(readConfig(embedded)).toEqual({
      ok: true,
      notes: [],
      config: {
        env: 'development',
        host: '127.0.0.1',
        port: 8080,
        workers: 1,
        log_level: 'info',
        platform: { kind: 'embedded', dir: resolve('.data/server'), password: 'password' },
        cache: { kind: 'in_process' },
        jwt: { kind: 'secret', secret },
        data_dir: resolve('.data/server'),
        max_upload_bytes: 104_857_600,
        max_user_bytes: 10_737_418_240,
        max_record_bytes: 5_368_709_120,
        history_days: 0,
        cors_origins: [],
        trust_proxy: false,
        llm: llmOf(embedded, false),
      },
    })
  })

  test('production with PostgreSQL, a bucket and everything else set', () => {
    const env = {
      ...postgres,
      HOST: '::',
      PORT: '9000',
      LOG_LEVEL: 'warn',
      STORAGE_URL: 's3://files/tandem/?endpoint=https://s3.example.test/&region=eu-1',
      STORAGE_ACCESS_KEY: 'access',
      STORAGE_SECRET_KEY: 'hidden',
      CACHE_URL: 'rediss://user@cache:6380/2',
      CACHE_PASSWORD: 'cache-password',
      DATA_DIR: '/srv/tandem',
      MAX_UPLOAD_BYTES: '1000',
      MAX_USER_BYTES: '5000',
      MAX_USER_RECORD_BYTES: '6000',
      METRICS_TOKEN: '0123456789abcdef',
      WORKERS: '4',
      HISTORY_DAYS: '365',
      CORS_ORIGINS: 'https://a.example, http://localhost:5173',
      TRUST_PROXY: '10.0.0.0/8,loopback',
    }
    expect(readConfig(env)).toEqual({
      ok: true,
      notes: [],
      config: {
        env: 'production',
        host: '::',
        port: 9000,
        workers: 4,
        log_level: 'warn',
        platform: {
          kind: 'postgres',
          url: postgres.BAAS_URL,
          password: 'password',
          storage: {
            kind: 's3',
            bucket: 'files',
            prefix: 'tandem',
            endpoint: 'https://s3.example.test',
            region: 'eu-1',
            access_key: 'access',
            secret_key: 'hidden',
          },
        },
        cache: { kind: 'redis', url: 'rediss://user@cache:6380/2', password: 'cache-password' },
        jwt: { kind: 'secret', secret },
        data_dir: '/srv/tandem',
        max_upload_bytes: 1000,
        max_user_bytes: 5000,
        max_record_bytes: 6_000,
        history_days: 365,
        metrics_token: '0123456789abcdef',
        cors_origins: ['https://a.example', 'http://localhost:5173'],
        trust_proxy: ['10.0.0.0/8', 'loopback'],
        llm: llmOf(env, true),
      },
    })
  })

  test('platforms and the settings derived from them', () => {
    const platform = (env: Environment) => accepted(readConfig(env)).platform
    expect(platform({ ...embedded, BAAS_URL: 'embedded:/srv/pg' })).toEqual({ kind: 'embedded', dir: '/srv/pg', password: 'password' })
    expect(platform({ ...embedded, DATA_DIR: '/srv/x' })).toEqual({ kind: 'embedded', dir: '/srv/x', password: 'password' })
    expect(platform({ ...embedded, BAAS_URL: 'postgres://u@h/d', DATA_DIR: '/srv/x' })).toEqual({
      kind: 'postgres',
      url: 'postgres://u@h/d',
      password: 'password',
      storage: { kind: 'folder', dir: join('/srv/x', 'files') },
    })
    expect(platform(postgres)).toMatchObject({ storage: { kind: 'folder', dir: '/srv/files' } })
    expect(platform({ ...postgres, STORAGE_URL: 'file:///srv/other' })).toMatchObject({ storage: { dir: '/srv/other' } })
    expect(platform({ ...postgres, STORAGE_URL: 's3://abc?region=eu-1', STORAGE_ACCESS_KEY: 'a', STORAGE_SECRET_KEY: 'b' })).toMatchObject({
      storage: { endpoint: 'https://s3.eu-1.amazonaws.com', prefix: '' },
    })
    expect(platform({ ...supabase, BAAS_URL: 'https://project.example.test/' })).toEqual({
      kind: 'supabase',
      url: 'https://project.example.test',
      service_key: 'password',
      database_url: supabase.DATABASE_URL,
      database_password: 'password',
    })
  })

  test('how tokens are verified is fixed here', () => {
    const { BAAS_JWT_SECRET: _, ...keySet } = supabase
    const jwt = (env: Environment) => accepted(readConfig(env)).jwt
    expect(jwt(supabase)).toEqual({ kind: 'secret', secret })
    expect(jwt({ ...keySet, ENV: 'development' })).toEqual({
      kind: 'jwks',
      url: 'https://project.example.test/auth/v1/.well-known/jwks.json',
    })
    expect(jwt({ ...keySet, BAAS_JWKS: 'project' })).toEqual({
      kind: 'jwks',
      url: 'https://project.example.test/auth/v1/.well-known/jwks.json',
    })
    expect(jwt({ ...keySet, BAAS_JWKS: 'https://keys.example.test/set' })).toEqual({ kind: 'jwks', url: 'https://keys.example.test/set' })
    expect(lines({ ...supabase, BAAS_JWKS: 'project' })).toEqual([
      'BAAS_JWKS: is set together with BAAS_JWT_SECRET; keep only the one the project signs with',
    ])
    expect(blamed(keySet)).toEqual(['BAAS_JWT_SECRET missing'])
  })

  test('notes report what is allowed but unwise', () => {
    const notes = (env: Environment) => {
      const result = readConfig(env)
      return result.ok ? result.notes : result.problems
    }
    expect(notes({ ...embedded, BAAS_SECRET: 'x' })).toEqual(['BAAS_SECRET: is not a variable of this backend and was ignored'])
    expect(notes({ ...embedded, BAAS_JWT_SECRET: `${secret}changeme` })).toEqual([
      'BAAS_JWT_SECRET: looks like a placeholder; production would refuse it',
    ])
    expect(notes({ ...postgres, BAAS_URL: 'postgres://tandem@db/tandem' })).toEqual([
      'BAAS_URL: the connection may be unencrypted; add sslmode=require or sslmode=verify-full',
    ])
    expect(notes({ ...supabase, BAAS_URL: 'http://kong:8000' })).toEqual([
      'BAAS_URL: requests to the project are not encrypted; use https:// unless the network is private',
    ])
  })
})

describe('invalid environments', () => {
  test('production reports everything that is missing at once', () => {
    expect(lines({ ENV: 'production' })).toEqual([
      'BAAS_URL: is not set; set embedded:DIR, postgres://user@host/database or https://… of a Supabase project',
      'BAAS_KEY: is not set; set the password of the embedded PostgreSQL',
      'CACHE_URL: is not set; set redis://host:6379, redis+cluster://host:6379,host:6379 or redis+sentinel://host:26379,host:26379/primary (with TLS rediss://…)',
      'BAAS_JWT_SECRET: is not set; set at least 32 random bytes, for example the output of: openssl rand -base64 48',
    ])
  })

  test('reports many mistakes together', () => {
    const env = {
      ENV: 'staging',
      PORT: '80a',
      LOG_LEVEL: 'loud',
      BAAS_URL: 'mysql://u@h/d',
      BAAS_JWT_SECRET: 'short',
      CACHE_URL: 'http://cache',
      MAX_UPLOAD_BYTES: '0',
      MAX_USER_BYTES: 'lots',
      METRICS_TOKEN: 'short',
      CORS_ORIGINS: '*',
      TRUST_PROXY: 'true',
    }
    expect(blamed(env)).toEqual([
      'ENV malformed',
      'BAAS_KEY missing',
      'BAAS_URL malformed',
      'CACHE_URL malformed',
      'BAAS_JWT_SECRET refused',
      'METRICS_TOKEN refused',
      'PORT malformed',
      'LOG_LEVEL malformed',
      'MAX_UPLOAD_BYTES malformed',
      'MAX_USER_BYTES malformed',
      'CORS_ORIGINS malformed',
      'TRUST_PROXY malformed',
    ])
  })

  const cases: readonly (readonly [string, Environment, readonly string[]])[] = [
    ['postgres without storage', without(postgres, 'STORAGE_URL'), ['STORAGE_URL missing']],
    ['postgres without key', without(postgres, 'BAAS_KEY'), ['BAAS_KEY missing']],
    ['password in BAAS_URL', { ...postgres, BAAS_URL: 'postgres://u:p@h/d' }, ['BAAS_URL refused']],
    ['password as an option', { ...postgres, BAAS_URL: 'postgres://u@h/d?password=p' }, ['BAAS_URL refused']],
    ['WORKERS without a shared cache', { ...embedded, WORKERS: '2' }, ['WORKERS refused']],
    ['WORKERS that are not a number', { ...embedded, WORKERS: 'all' }, ['WORKERS malformed']],
    ['password in CACHE_URL', { ...postgres, CACHE_URL: 'redis://:p@h' }, ['CACHE_URL refused']],
    ['password in DATABASE_URL', { ...supabase, DATABASE_URL: 'postgres://u:p@h/d' }, ['DATABASE_URL refused']],
    [
      'key in STORAGE_URL',
      { ...postgres, STORAGE_URL: 's3://a:b@files?region=x' },
      ['STORAGE_ACCESS_KEY missing', 'STORAGE_SECRET_KEY missing', 'STORAGE_URL refused'],
    ],
    ['s3 without keys', { ...postgres, STORAGE_URL: 's3://files?region=x' }, ['STORAGE_ACCESS_KEY missing', 'STORAGE_SECRET_KEY missing']],
    [
      's3 without region',
      { ...postgres, STORAGE_URL: 's3://files', STORAGE_ACCESS_KEY: 'a', STORAGE_SECRET_KEY: 'b' },
      ['STORAGE_URL malformed'],
    ],
    [
      's3 with an unknown option',
      { ...postgres, STORAGE_URL: 's3://files?region=x&acl=y', STORAGE_ACCESS_KEY: 'a', STORAGE_SECRET_KEY: 'b' },
      ['STORAGE_URL malformed'],
    ],
    ['keys with a folder', { ...postgres, STORAGE_ACCESS_KEY: 'a' }, ['STORAGE_ACCESS_KEY refused']],
    ['storage of an unknown kind', { ...postgres, STORAGE_URL: 'ftp://x' }, ['STORAGE_URL malformed']],
    ['storage with embedded', { ...embedded, STORAGE_URL: 'file:/x' }, ['STORAGE_URL refused']],
    [
      'database with embedded',
      { ...embedded, DATABASE_URL: 'postgres://u@h/d', BAAS_JWKS: 'project' },
      ['DATABASE_URL refused', 'BAAS_JWKS refused'],
    ],
    ['embedded without folder', { ...embedded, BAAS_URL: 'embedded:' }, ['BAAS_URL malformed']],
    [
      'supabase without database',
      without(without(supabase, 'DATABASE_URL'), 'DATABASE_PASSWORD'),
      ['DATABASE_URL missing', 'DATABASE_PASSWORD missing'],
    ],
    ['supabase with a query', { ...supabase, BAAS_URL: 'https://h/?key=x' }, ['BAAS_URL malformed']],
    ['supabase with a password', { ...supabase, BAAS_URL: 'https://u:p@h' }, ['BAAS_URL refused']],
    [
      'key set over plain http',
      { ...without(supabase, 'BAAS_JWT_SECRET'), BAAS_JWKS: 'http://keys.example.test' },
      ['BAAS_JWKS malformed'],
    ],
    ['a mask that is too long', { ...postgres, TRUST_PROXY: '10.0.0.0/33' }, ['TRUST_PROXY malformed']],
    ['an IPv6 mask that is too long', { ...postgres, TRUST_PROXY: 'loopback,fd00::/129' }, ['TRUST_PROXY malformed']],
    ['a proxy that is not an address', { ...postgres, TRUST_PROXY: '300.1.2.3' }, ['TRUST_PROXY malformed']],
    ['a proxy with two masks', { ...postgres, TRUST_PROXY: '10.0.0.0/8/8' }, ['TRUST_PROXY malformed']],
    ['cache password alone', { ...embedded, CACHE_PASSWORD: 'x' }, ['CACHE_PASSWORD refused']],
    ['cache with options', { ...postgres, CACHE_URL: 'redis://h/0?x=y' }, ['CACHE_URL malformed']],
    ['cache without host', { ...postgres, CACHE_URL: 'redis:///0' }, ['CACHE_URL malformed']],
    ['secret of 31 bytes', { ...postgres, BAAS_JWT_SECRET: secret.slice(1) }, ['BAAS_JWT_SECRET refused']],
    ['secret of 31 bytes in development', { ...embedded, BAAS_JWT_SECRET: secret.slice(1) }, ['BAAS_JWT_SECRET refused']],
    ['secret of few characters', { ...postgres, BAAS_JWT_SECRET: 'abcdefgh'.repeat(6) }, ['BAAS_JWT_SECRET refused']],
    [
      'well-known secret',
      { ...postgres, BAAS_JWT_SECRET: 'super-secret-jwt-token-with-at-least-32-characters-long' },
      ['BAAS_JWT_SECRET refused'],
    ],
    ['placeholder key', { ...postgres, BAAS_KEY: '<API_KEY>' }, ['BAAS_KEY refused']],
    ['trailing newline', { ...postgres, BAAS_KEY: 'password\n' }, ['BAAS_KEY malformed']],
    ['control character', { ...postgres, BAAS_KEY: 'pass\u0000word' }, ['BAAS_KEY malformed']],
    ['only white space', { ...embedded, LOG_LEVEL: ' ' }, ['LOG_LEVEL malformed']],
    ['port out of range', { ...embedded, PORT: '65536' }, ['PORT malformed']],
    ['origin with a path', { ...embedded, CORS_ORIGINS: 'https://a.example/x' }, ['CORS_ORIGINS malformed']],
  ]
  test.each(cases)('%s', (_name, env, expected) => {
    expect(blamed(env)).toEqual(expected)
  })
})

test('an empty variable counts as unset', () => {
  const names = Object.keys(variables).map((name) => [name, ''] as const)
  expect(readConfig({ ...Object.fromEntries(names), ...embedded })).toEqual(readConfig(embedded))
})

test('problems and notes never contain a value', () => {
  const marker = fc.stringMatching(/^[A-Za-z0-9]{12,24}$/)
  const shapes: readonly ((value: string) => string)[] = [
    (value) => value,
    (value) => ` ${value}`,
    (value) => `postgres://user:${value}@host/db`,
    (value) => `postgres://user@host/db?${value}=1`,
    (value) => `postgres://user@host/db?password=${value}`,
    (value) => `https://user:${value}@host`,
    (value) => `https://host/?key=${value}`,
    (value) => `redis://:${value}@host`,
    (value) => `s3://${value}:${value}@bucket?region=${value}`,
    (value) => `embedded:${value}`,
    (value) => `%${value}`,
    (value) => `${value}\u0007`,
  ]
  const field = fc.option(fc.tuple(marker, fc.nat(shapes.length - 1)), { nil: undefined })
  const names = Object.keys(variables).filter((name): name is Variable => name !== 'ENV')
  fc.assert(
    fc.property(fc.constantFrom('development', 'production'), fc.tuple(...names.map(() => field)), (ENV, fields) => {
      const filled = names.flatMap((name, index) => {
        const [value, shape] = fields[index] ?? []
        return value === undefined || shape === undefined ? [] : [{ name, value, text: shapes[shape]?.(value) ?? value }]
      })
      const env = { ENV, ...Object.fromEntries(filled.map(({ name, text }) => [name, text])) }
      const result = readConfig(env)
      const said = result.ok ? result.notes.join('\n') : result.problems.map(problemLine).join('\n')
      for (const { value } of filled) expect(said).not.toContain(value)
    }),
    { numRuns: 500, verbose: 1 },
  )
})

/** Which models exist is read, and tested, by the gateway. */
function llmOf(env: Environment, isProduction: boolean) {
  return readLlmSettings(createReader(env), env, isProduction, undefined)
}

function accepted(result: ConfigResult) {
  if (!result.ok) throw new Error(result.problems.map(problemLine).join('\n'))
  return result.config
}

function lines(env: Environment): string[] {
  const result = readConfig(env)
  return result.ok ? [] : result.problems.map(problemLine)
}

function blamed(env: Environment): string[] {
  const result = readConfig(env)
  return result.ok ? [] : result.problems.map(({ variable, code }) => `${variable} ${code}`)
}

function without(env: Environment, name: Variable): Environment {
  const { [name]: _, ...rest } = env
  return rest
}
