// Errors of sockets, names and certificates, and what they mean for the caller.
import type { Recoverability } from '@tandem/contract/failure'
import { NetworkFailure } from '../../call/failure.ts'

/** Errors of sockets, names and certificates, by the codes Node gives them. */
export function connectionFailure(error: unknown, subject: string): NetworkFailure {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = table.find(({ codes }) => codes.test(code))
  const why = error instanceof Error ? error.message || code : String(error)
  if (known) return new NetworkFailure(known.reason_code, `${subject}: ${known.says}`, { subject, ...known.facts, cause: error })
  return new NetworkFailure('connection_failed', `${subject}: ${why}`, { subject, recoverability: 'retryable', cause: error })
}

const table: readonly {
  readonly codes: RegExp
  readonly reason_code: string
  readonly says: string
  readonly facts: { readonly remedy?: string; readonly recoverability: Recoverability }
}[] = [
  {
    codes: /^(ENOTFOUND|ENODATA)$/,
    reason_code: 'host_not_found',
    says: 'no such host',
    facts: { remedy: 'check the spelling of the host', recoverability: 'user_action' },
  },
  {
    codes: /^EAI_AGAIN$/,
    reason_code: 'name_lookup_failed',
    says: 'names can not be looked up now',
    facts: { recoverability: 'retryable' },
  },
  {
    codes: /^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/,
    reason_code: 'host_unreachable',
    says: 'nobody answers there',
    facts: { remedy: 'check that the server runs and the port is right', recoverability: 'retryable' },
  },
  {
    codes: /^(CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO|ERR_SSL_)/,
    reason_code: 'tls_failed',
    says: 'no trusted encrypted connection: its certificate or protocol was not accepted',
    facts: { remedy: 'check the certificate of the server', recoverability: 'user_action' },
  },
  {
    codes: /^HPE_HEADER_OVERFLOW$/,
    reason_code: 'headers_too_large',
    says: 'its response headers are larger than allowed',
    facts: { recoverability: 'terminal' },
  },
  { codes: /^HPE_/, reason_code: 'response_malformed', says: 'what it answers is not HTTP', facts: { recoverability: 'terminal' } },
]
