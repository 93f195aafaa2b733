// The authorities that sslrootcert names, for PostgreSQL and the cache.
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** Throws when the file cannot be read or does not begin with a PEM certificate: TLS itself would accept any text and trust nobody. */
export async function readAuthorities(path: string): Promise<string> {
  const text = await readFile(path, 'utf8')
  new X509Certificate(text)
  return text
}
