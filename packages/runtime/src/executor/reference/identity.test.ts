import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { certificateFingerprint, createCertificate } from './certificate.ts'
import { openIdentity as createIdentity } from './identity.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-identity-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const now = Date.parse('2026-03-01T09:00:00.000Z')

function opened(...args: Parameters<typeof createIdentity>) {
  const opening = createIdentity(...args)
  if (!opening.ok) throw new Error(opening.problem)
  return opening.identity
}

function openIdentity(...args: Parameters<typeof createIdentity>) {
  const identity = opened(...args)
  identity.save()
  return identity
}

test('a certificate is self-signed, valid for decades, not an authority, and belongs to its key', () => {
  const { key, cert } = createCertificate(now)
  const read = new X509Certificate(cert)
  const publicKey = createPublicKey(createPrivateKey(key))
  expect([read.verify(publicKey), read.checkPrivateKey(createPrivateKey(key)), read.checkIssued(read)]).toEqual([true, true, true])
  expect([read.ca, read.subject, read.issuer, read.subjectAltName]).toEqual([
    false,
    'CN=Tandem executor',
    'CN=Tandem executor',
    'DNS:localhost',
  ])
  expect([read.validFromDate < new Date(now), read.validToDate.getUTCFullYear()]).toEqual([true, 2046])
  expect(certificateFingerprint(cert)).toMatch(/^[0-9a-f]{64}$/)
})

test('every certificate has its own key and serial number', () => {
  const [one, other] = [createCertificate(now), createCertificate(now)]
  expect(one.key).not.toBe(other.key)
  expect(new X509Certificate(one.cert).serialNumber).not.toBe(new X509Certificate(other.cert).serialNumber)
})

test('the token has 32 bytes, is shown once, and only its hash is stored, for the owner alone', () => {
  const first = openIdentity(folder, now)
  expect(Buffer.from(first.new_token ?? '', 'base64url')).toHaveLength(32)
  const file = join(folder, 'identity.json')
  expect(readFileSync(file, 'utf8')).not.toContain(first.new_token)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const second = openIdentity(folder, now)
  expect([second.new_token, second.certificate_sha256]).toEqual([null, first.certificate_sha256])
  const token = first.new_token ?? ''
  expect([token, `${token} `, '', token.slice(1), token.toLowerCase()].map(second.isToken)).toEqual([true, false, false, false, false])
})

test('a token that was not stored yet does not replace the one before, so that a failed start loses none', () => {
  const first = openIdentity(folder, now)
  expect(opened(folder, now, true).new_token).not.toBe(null)
  expect(openIdentity(folder, now).isToken(first.new_token ?? '')).toBe(true)
})

test('a new token replaces the old one, and the certificate stays', () => {
  const first = openIdentity(folder, now)
  const renewed = openIdentity(folder, now, true)
  expect(renewed.certificate_sha256).toBe(first.certificate_sha256)
  expect([renewed.isToken(first.new_token ?? ''), renewed.isToken(renewed.new_token ?? '')]).toEqual([false, true])
})

const damaged = ['', 'not JSON', '{}', '{"token_sha256":"","key":"","cert":""}']
const notKeys = JSON.stringify({ token_sha256: 'ab'.repeat(32), key: 'not a key', cert: 'not a certificate' })
const ofOther = JSON.stringify({ token_sha256: 'ab'.repeat(32), key: createCertificate(now).key, cert: createCertificate(now).cert })

test.each([...damaged, notKeys, ofOther])('a damaged file (%j) is not replaced silently', (text) => {
  const file = join(folder, 'identity.json')
  writeFileSync(file, text, { mode: 0o600 })
  expect(createIdentity(folder, now)).toEqual({
    ok: false,
    problem: `${file} is not valid`,
    remedy: 'Restore it, or delete it to create a new token and certificate.',
  })
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('a file that others can read is refused: its key may have been copied', () => {
  openIdentity(folder, now)
  const file = join(folder, 'identity.json')
  for (const mode of [0o640, 0o604]) {
    chmodSync(file, mode)
    expect(createIdentity(folder, now)).toMatchObject({ ok: false, problem: expect.stringContaining(`can read ${file}`) })
  }
  chmodSync(file, 0o600)
  expect(createIdentity(folder, now).ok).toBe(true)
})

test('what a killed start left behind is not used', () => {
  writeFileSync(join(folder, 'identity.json.part'), '{"token_sha256":"ab', { mode: 0o644 })
  const first = openIdentity(folder, now)
  expect([first.new_token === null, statSync(join(folder, 'identity.json')).mode & 0o777]).toEqual([false, 0o600])
  expect(openIdentity(folder, now).isToken(first.new_token ?? '')).toBe(true)
})
