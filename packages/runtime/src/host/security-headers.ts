// Sent with every response, including refusals.

const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'frame-ancestors': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
}

export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}
