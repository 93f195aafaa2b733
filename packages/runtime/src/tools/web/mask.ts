// Masks header values that look like credentials, because results are journaled, synchronized and read by models.

const secretName = /auth|cookie|token|secret|passw|credential|session|signature|api-?key|(^|-)key$|(^|-)sig$|jwt/i
const secretValue =
  /^(basic|bearer|digest|negotiate|token|aws4-hmac-sha256)\s|\beyJ[\w-]{8,}\.[\w-]{8,}|\b(sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abp])[-_][\w-]{10,}|AKIA[A-Z0-9]{16}/i
/** Names that look like credentials and are not. */
const harmless = /^(www-authenticate|proxy-authenticate|access-control-.*|sec-websocket-key|authority)$/i

export function maskHeaderValue(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecret(name, value) ? `(hidden, ${value.length} characters)` : value]),
  )
}

function isSecret(name: string, value: string): boolean {
  return !harmless.test(name) && (secretName.test(name) || secretValue.test(value))
}
