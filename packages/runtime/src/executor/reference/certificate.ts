// The certificate of an executor: self-signed, because clients trust its fingerprint and no authority. Node can read certificates, but not
// create them.
import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import * as der from './der.ts'

export interface CreatedCertificate {
  /** PEM */
  readonly key: string
  readonly cert: string
}

const day_ms = 24 * 60 * 60 * 1_000
/** Replacing it means confirming a new fingerprint on every client. */
const lifetime_ms = 20 * 365 * day_ms

const oids = {
  commonName: '2.5.4.3',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
}

const subject = 'Tandem executor'

export function createCertificate(now: number): CreatedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der.sequence(der.objectIdentifier(oids.ecdsaWithSha256))
  const name = der.sequence(der.set(der.sequence(der.objectIdentifier(oids.commonName), der.utf8String(subject))))
  const signed = der.sequence(
    // Version 3
    der.explicit(0, der.integer(Buffer.of(2))),
    der.integer(serialNumber()),
    algorithm,
    name,
    // The clocks of two machines may differ.
    der.sequence(der.generalizedTime(now - day_ms), der.generalizedTime(now + lifetime_ms)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...extensions())),
  )
  const signature = sign('sha256', signed, privateKey)
  const certificate = der.sequence(signed, algorithm, der.bitString(signature))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: new X509Certificate(certificate).toString(),
  }
}

/** SHA-256 in hexadecimal, as clients store it. */
export function certificateFingerprint(pem: string): string {
  return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase()
}

function extensions(): Buffer[] {
  const isServer = der.sequence(der.objectIdentifier(oids.serverAuth))
  const localhost = der.sequence(der.implicit(2, Buffer.from('localhost')))
  return [
    der.sequence(der.objectIdentifier(oids.basicConstraints), der.boolean(true), der.octetString(der.sequence())),
    der.sequence(der.objectIdentifier(oids.extendedKeyUsage), der.octetString(isServer)),
    der.sequence(der.objectIdentifier(oids.subjectAltName), der.octetString(localhost)),
  ]
}

/** Positive and without leading zeros. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = 0x40 | ((bytes[0] ?? 0) & 0x3f)
  return bytes
}
