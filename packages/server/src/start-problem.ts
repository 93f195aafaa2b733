// Startup failures that the operator can fix get one line that names the variable; anything else is a bug and keeps its stack.
import { sep } from 'node:path'
import type { BlobsTarget } from './blobs/blobs.ts'
import { StorageUnavailable } from './blobs/failure.ts'
import { embeddedFolder } from './config/platform.ts'
import type { Environment } from './config/variables.ts'
import { EmbeddedPostgresError } from './database/embedded-error.ts'

export function startProblem(error: unknown, env: Environment): string | undefined {
  if (error instanceof EmbeddedPostgresError) return `${error.code === 'wrong_password' ? 'BAAS_KEY' : 'BAAS_URL'}: ${error.message}`
  if (!(error instanceof Error)) return undefined
  const { code, syscall, path }: NodeJS.ErrnoException = error
  if (path !== undefined && isPartOf(embeddedFolder(env), path)) {
    return `${env.BAAS_URL ? 'BAAS_URL' : 'DATA_DIR'}: the data folder cannot be used (${error.message}); choose one that the server can write to`
  }
  if (syscall === 'getaddrinfo') return 'HOST: cannot be resolved; set it to an address of this machine'
  if (syscall !== 'listen') return undefined
  if (code === 'EADDRINUSE') return `PORT: ${env.PORT || 'the default port'} is in use by another program; set PORT to a free one`
  if (code === 'EACCES')
    return `PORT: this user does not have permission to listen on ${env.PORT || 'the default port'}; set PORT to one above 1023`
  if (code === 'EADDRNOTAVAIL') return 'HOST: is not an address of this machine; set it to one that is'
  return undefined
}

/** Inside the folder, or a parent folder that could not be created. */
function isPartOf(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder + sep) || folder.startsWith(path + sep)
}

/** The line for a file storage that cannot be opened; rethrows any other error. */
export function storageProblem(error: unknown, kind: BlobsTarget['kind'], platform: 'embedded' | 'postgres' | 'supabase'): string {
  if (!(error instanceof StorageUnavailable)) throw error
  const address = platform === 'postgres' ? 'STORAGE_URL' : 'BAAS_URL'
  const key = kind === 's3' ? 'STORAGE_SECRET_KEY' : 'BAAS_KEY'
  if (error.refused) return `${key}: was rejected by the file storage (${error.message}); set a key that has access to it`
  return `${address}: the file storage cannot be used (${error.message})`
}
