// An unexpected error as one line with a remedy. A stack trace does not help users; TANDEM_DEBUG=1 shows it.
import { stripControls } from './terminal-text.ts'

export function reportCrash(
  command: string,
  error: unknown,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const message = error instanceof Error ? error.message : String(error)
  console.error(`tandem: ${stripControls(command)} failed: ${stripControls(message)}`)
  console.error(`        ${remedyFor(error)}`)
  if (environment.TANDEM_DEBUG && error instanceof Error) console.error(error.stack)
}

const bug = 'This is a bug in Tandem. Run the command again with TANDEM_DEBUG=1 to see where it happened.'
const cannotWrite = 'Check that the folder exists and that you can write to it, or set TANDEM_HOME to another one.'
const diskFull = 'Free some disk space and try again.'

const systemRemedies: Readonly<Record<string, string>> = {
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  EACCES: cannotWrite,
  EPERM: cannotWrite,
  EROFS: cannotWrite,
  ENOTDIR: cannotWrite,
  EISDIR: cannotWrite,
  EEXIST: cannotWrite,
  EMFILE: 'Too many files are open. Close some programs and try again.',
}

/** By the primary result code of SQLite. */
const sqliteRemedies: Readonly<Record<number, string>> = {
  8: cannotWrite,
  10: 'The disk is full or reported an error. Free some disk space, check the disk and try again.',
  11: "The database in Tandem's data folder is damaged. Restore the folder from a backup, or set TANDEM_HOME to another one.",
  13: diskFull,
  14: cannotWrite,
  26: "The file tandem.db in Tandem's data folder is not a database. Restore it from a backup, or set TANDEM_HOME to another folder.",
}

function remedyFor(error: unknown): string {
  if (!(error instanceof Error)) return bug
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  return systemRemedies[String(code)] ?? sqliteRemedies[Number(errcode) & 0xff] ?? bug
}
