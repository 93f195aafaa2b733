// Header values that look like credentials are shown as what they are, not as what they say: results are journaled, synchronized and read
// by models.

const secretName = /auth|cookie|token|secret|passw|credential|session|signature|api-?key|(^|-)key$|(^|-)sig$|jwt/i
const secretValue =
  /^(basic|bearer|digest|negotiate|token|aws4-hmac-sha256)\s|\beyJ[\w-]{8,}\.[\w-]{8,}|\b(sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abp])[-_][\w-]{10,}|AKIA[A-Z0-9]{16}/i
/** Sounds like one and is none. */
const harmless = /^(www-authenticate|proxy-authenticate|access-control-.*|sec-websocket-key|authority)$/i

export function masked(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecret(name, value) ? `(hidden, ${value.length} characters)` : value]),
  )
}

function isSecret(name: string, value: string): boolean {
  return !harmless.test(name) && (secretName.test(name) || secretValue.test(value))
}
