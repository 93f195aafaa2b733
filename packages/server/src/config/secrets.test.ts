import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { secretsToGenerate, withGeneratedSecrets } from './secrets.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tandem-secrets-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

test('development creates missing secrets once, readable only by the owner', async () => {
  const folder = join(dir, 'new', 'folder')
  const first = await withGeneratedSecrets({ DATA_DIR: folder })
  const second = await withGeneratedSecrets({ DATA_DIR: folder })
  expect(second).toEqual({ env: first.env, notes: [] })
  expect(first.notes).toEqual([
    `BAAS_KEY: generated for development and stored in ${join(folder, 'baas-key.secret')}`,
    `BAAS_JWT_SECRET: generated for development and stored in ${join(folder, 'baas-jwt-secret.secret')}`,
  ])
  expect((await readdir(folder)).sort()).toEqual(['baas-jwt-secret.secret', 'baas-key.secret'])
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect((await stat(join(folder, 'baas-key.secret'))).mode & 0o777).toBe(0o600)
  expect(readConfig(first.env)).toMatchObject({ ok: true, notes: [], config: { jwt: { kind: 'secret' }, platform: { kind: 'embedded' } } })
})

test('concurrent starts use the same secret', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => withGeneratedSecrets({ DATA_DIR: dir })))
  expect(new Set(all.map(({ env }) => `${env.BAAS_KEY} ${env.BAAS_JWT_SECRET}`)).size).toBe(1)
  expect(all.flatMap(({ notes }) => notes)).toHaveLength(2)
})

test('a stored file that others can read is restricted, an empty one is refused', async () => {
  const path = join(dir, 'baas-key.secret')
  await writeFile(path, 'kept\n', { mode: 0o644 })
  expect((await withGeneratedSecrets({ DATA_DIR: dir })).env.BAAS_KEY).toBe('kept')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await writeFile(path, '')
  await expect(withGeneratedSecrets({ DATA_DIR: dir })).rejects.toThrow('is empty; delete it and start again')
})

test.each([
  ['given secrets are kept', { BAAS_KEY: 'a', BAAS_JWT_SECRET: 'b' }, []],
  ['production creates nothing', { ENV: 'production' }, []],
  ['a PostgreSQL has its own password', { BAAS_URL: 'postgres://u@h/d' }, ['BAAS_JWT_SECRET']],
  ['a Supabase project has its own secrets', { BAAS_URL: 'https://h' }, []],
  ['embedded', { BAAS_URL: 'embedded:/x' }, ['BAAS_KEY', 'BAAS_JWT_SECRET']],
])('%s', async (_name, env, names) => {
  expect(secretsToGenerate(env).names).toEqual(names)
})

test('nothing is written if nothing is created', async () => {
  await mkdir(join(dir, 'quiet'))
  await withGeneratedSecrets({ ENV: 'production', DATA_DIR: join(dir, 'quiet') })
  expect(await readdir(join(dir, 'quiet'))).toEqual([])
})
