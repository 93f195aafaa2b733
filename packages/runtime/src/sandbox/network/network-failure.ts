// Errors of connections, DNS and certificates, and what they mean for the caller.
import type { Recoverability } from '@tandem/contract/failure'
import { NetworkFailure } from '../../call/failure.ts'

/** Converts an error by its Node code. */
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
    says: 'the host was not found',
    facts: { remedy: 'Check the spelling of the host.', recoverability: 'user_action' },
  },
  {
    codes: /^EAI_AGAIN$/,
    reason_code: 'name_lookup_failed',
    says: 'DNS is not available now',
    facts: { recoverability: 'retryable' },
  },
  {
    codes: /^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|EADDRNOTAVAIL)$/,
    reason_code: 'host_unreachable',
    says: 'the host cannot be reached',
    facts: { remedy: 'Check that the server is running and the port is correct.', recoverability: 'retryable' },
  },
  {
    codes: /^(CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO|ERR_SSL_)/,
    reason_code: 'tls_failed',
    says: 'the TLS connection failed: its certificate or protocol was not accepted',
    facts: { remedy: 'Check the certificate of the server.', recoverability: 'user_action' },
  },
  {
    codes: /^HPE_HEADER_OVERFLOW$/,
    reason_code: 'headers_too_large',
    says: 'its response headers are too large',
    facts: { recoverability: 'terminal' },
  },
  { codes: /^HPE_/, reason_code: 'response_malformed', says: 'its response is not valid HTTP', facts: { recoverability: 'terminal' } },
]
