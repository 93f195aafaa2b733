/** FNV-1a, 56 bits in hexadecimal: short, and without crypto, for uses where collisions need only be unlikely and no one attacks. */
export function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const character of text) hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n)
  return BigInt.asUintN(56, hash).toString(16).padStart(14, '0')
}
