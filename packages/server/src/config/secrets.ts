// In development, missing secrets are created and stored in the data folder, so that a restart signs no one out.
import { randomBytes } from 'node:crypto'
import { chmod, link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { embeddedFolder, platformKind } from './platform.ts'
import type { Environment, Variable } from './variables.ts'

type StoredSecrets = Extract<Variable, 'BAAS_KEY' | 'BAAS_JWT_SECRET'>

/** Which secrets development would create, and the folder for them. */
export function secretsToGenerate(env: Environment): { readonly folder: string; readonly names: readonly StoredSecrets[] } {
  const kind = platformKind(env.BAAS_URL)
  const development = env.ENV === undefined || env.ENV === '' || env.ENV === 'development'
  const names: StoredSecrets[] = []
  if (development && !env.BAAS_KEY && kind === 'embedded') names.push('BAAS_KEY')
  if (development && !env.BAAS_JWT_SECRET && (kind === 'embedded' || kind === 'postgres')) names.push('BAAS_JWT_SECRET')
  return { folder: embeddedFolder(env), names }
}

/** The environment with the secrets of development added. */
export async function withGeneratedSecrets(env: Environment): Promise<{ readonly env: Environment; readonly notes: readonly string[] }> {
  const { folder, names } = secretsToGenerate(env)
  const filled: Record<string, string | undefined> = { ...env }
  const notes: string[] = []
  if (names.length > 0) await makeFolder(folder, 0o700)
  for (const name of names) {
    const path = join(folder, `${name.toLowerCase().replaceAll('_', '-')}.secret`)
    const { secret, made } = await keepSecret(path)
    filled[name] = secret
    if (made) notes.push(`${name}: generated for development and stored in ${path}`)
  }
  return { env: filled, notes }
}

async function keepSecret(path: string): Promise<{ secret: string; made: boolean }> {
  const present = await readSecret(path)
  if (present !== undefined) return { secret: present, made: false }

  // A link appears complete or not at all, and never replaces another: a crash or a second start cannot leave half a secret.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(randomBytes(48).toString('base64url'))
    await file.sync()
  } finally {
    await file.close()
  }
  const made = await link(draft, path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false
      throw error
    },
  )
  await rm(draft, { force: true })
  const secret = await readSecret(path)
  if (secret === undefined) throw new Error(`${path} disappeared while it was being created`)
  return { secret, made }
}

async function readSecret(path: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    await chmod(path, 0o600)
    if (secret === '') throw Object.assign(new Error(`${path} is empty; delete it and start again`), { path })
    return secret
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
