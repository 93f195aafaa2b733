// The session, in a file in Tandem's folder that only its owner can read. It contains tokens, so it is never synchronized or shown.
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface StoredSession {
  readonly cloud_url: string
  readonly user_id: string
  readonly email: string
  readonly session_id: string
  readonly access_token: string
  /** According to this device's wall clock. */
  readonly expires_at: number
  readonly refresh_token: string
  /** The code of why the cloud ended the session. The data is kept, and a new sign-in continues with it. */
  readonly ended: string | null
}

export interface SessionFile {
  read(): StoredSession | null
  write(session: StoredSession): void
  remove(): void
}

export function openSessionFile(home: string): SessionFile {
  const file = join(home, 'account.json')
  return {
    read() {
      let text: string
      try {
        text = readFileSync(file, 'utf8')
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
      return parsed(file, text)
    },
    write(session) {
      const arriving = `${file}.part`
      const handle = openSync(arriving, 'w', 0o600)
      try {
        chmodSync(arriving, 0o600)
        writeFileSync(handle, `${JSON.stringify(session)}\n`)
        fsyncSync(handle)
      } finally {
        closeSync(handle)
      }
      renameSync(arriving, file)
    },
    remove: () => rmSync(file, { force: true }),
  }
}

function parsed(file: string, text: string): StoredSession {
  try {
    const kept = JSON.parse(text) as StoredSession
    if (typeof kept.refresh_token === 'string' && typeof kept.cloud_url === 'string') return kept
  } catch {
    // The text is not shown: it may contain a token.
  }
  throw new Error(`${file} cannot be read: remove it and sign in again`)
}
