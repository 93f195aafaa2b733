import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressProblem, executorAddress, schemesOf } from './address.ts'

test.each([
  ['https://build.example', 'https://build.example', 443, 'build.example', ''],
  ['https://build.example:7447/', 'https://build.example:7447', 7447, 'build.example:7447', ''],
  [' https://BUILD.example:443/tandem// ', 'https://build.example/tandem', 443, 'build.example', '/tandem'],
  ['https://192.168.1.20:7447', 'https://192.168.1.20:7447', 7447, '192.168.1.20:7447', ''],
  ['https://[fd00::1]:7447', 'https://[fd00::1]:7447', 7447, '[fd00::1]:7447', ''],
  ['http://127.0.0.1:7447', 'http://127.0.0.1:7447', 7447, '127.0.0.1:7447', ''],
  ['http://0x7f.1:7447', 'http://127.0.0.1:7447', 7447, '127.0.0.1:7447', ''],
  ['http://localhost', 'http://localhost', 80, 'localhost', ''],
  ['http://[::1]:7447', 'http://[::1]:7447', 7447, '[::1]:7447', ''],
])('%s is %s', (text, executor_url, port, authority, path) => {
  const parsed = executorAddress(text)
  expect(parsed).toMatchObject({ ok: true, address: { executor_url, port, authority, path } })
  if (parsed.ok) expect(executorAddress(parsed.address.executor_url)).toEqual(parsed)
})

test.each([
  ['build.example', /must be a URL/],
  ['ftp://build.example', /must be a URL/],
  ['https://', /must be a URL/],
  ['https://user@build.example', /user name or password/],
  ['https://build.example/?token=1', /query or a fragment/],
  ['https://build.example/#x', /query or a fragment/],
  ['http://build.example', /plain http is allowed only/],
  ['http://192.168.1.20', /plain http is allowed only/],
  ['http://localhost.example', /plain http is allowed only/],
  ['http://[::ffff:10.0.0.1]', /plain http is allowed only/],
  ['https://169.254.169.254', /metadata address, which is never an executor/],
  ['https://0.0.0.0', /an unspecified address, which is never/],
  ['https://[fd00:ec2::254]', /metadata address/],
])('%s is refused: %s', (text, why) => {
  expect(executorAddress(text)).toEqual({ ok: false, why: expect.stringMatching(why) })
})

/** One address of every kind. */
const samples = {
  loopback: '127.0.0.1',
  public: '93.184.216.34',
  private: '10.0.0.1',
  shared: '100.64.0.1',
  link_local: '169.254.1.1',
  metadata: '169.254.169.254',
  unspecified: '0.0.0.0',
  multicast: '224.0.0.1',
  broadcast: '255.255.255.255',
  documentation: '192.0.2.1',
  benchmarking: '198.18.0.1',
  tunnel: '192.88.99.1',
  reserved: '240.0.0.1',
} satisfies Record<keyof typeof schemesOf, string>

test.each(Object.entries(schemesOf))('an address of kind %s can be used with %s', (kind, schemes) => {
  const address = samples[kind as keyof typeof samples]
  const usable = (['http', 'https'] as const).filter((scheme) => addressProblem(scheme, address) === null)
  expect(usable).toEqual([...schemes])
})

test('plain http is never accepted for another device, whatever the spelling', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.ipV4(),
        fc.ipV6().map((ip) => `[${ip}]`),
        fc.domain(),
      ),
      (host) => {
        const parsed = executorAddress(`http://${host}/`)
        if (!parsed.ok) return
        const { host: named } = parsed.address
        expect(named === 'localhost' || (isIP(named) !== 0 && addressProblem('http', named) === null)).toBe(true)
      },
    ),
  )
})
