// Why the embedded PostgreSQL could not be started, as text for the operator.

export type EmbeddedPostgresFault =
  | 'binaries_missing'
  | 'no_unprivileged_user'
  | 'initdb_failed'
  | 'start_failed'
  | 'foreign_postmaster'
  | 'in_use'
  | 'wrong_password'
  | 'stop_failed'

export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
  readonly code: EmbeddedPostgresFault

  constructor(code: EmbeddedPostgresFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
