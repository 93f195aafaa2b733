// Whether a signing secret is strong enough to protect every account.

const shortest = 32
const fewestCharacters = 10
const placeholder = /change.?(me|this|it)|placeholder|replace|example|default|your.?(own|jwt|secret|signing|key)|super.?secret|<[^>]*>/i

export type SecretWeakness = { readonly cause: string; readonly always: boolean }

/** Why the secret is too weak; `always` means in development too, because HS256 requires 32 bytes. */
export function secretWeakness(secret: string): SecretWeakness | undefined {
  if (Buffer.byteLength(secret) < shortest) return { cause: `is shorter than ${shortest} bytes`, always: true }
  if (new Set(secret).size < fewestCharacters) return { cause: `uses fewer than ${fewestCharacters} different characters`, always: false }
  if (placeholder.test(secret)) return { cause: 'looks like a placeholder', always: false }
  return undefined
}
