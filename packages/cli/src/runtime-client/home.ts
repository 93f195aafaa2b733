import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** Tandem's folder. */
export function homeFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  return environment.TANDEM_HOME ? resolve(environment.TANDEM_HOME) : join(homedir(), '.tandem')
}
