// The certificate authorities of sslrootcert, for PostgreSQL and the cache.
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** Throws if the file cannot be read or does not start with a PEM certificate: TLS would accept any text and trust no certificate. */
export async function readAuthorities(path: string): Promise<string> {
  const text = await readFile(path, 'utf8')
  new X509Certificate(text)
  return text
}
