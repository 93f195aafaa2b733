import { expect, test } from 'vitest'
import { isInSecretFolder, mayHoldSecrets } from './secret-file.ts'

test.each([
  '.env',
  '.env.production',
  'prod.env',
  '.envrc',
  'id_rsa',
  'id_ed25519',
  'server.pem',
  'tls.key',
  'store.p12',
  '.netrc',
  '.npmrc',
  'credentials',
  'credentials.json',
  'client_secret_123.json',
  'secrets.yaml',
  'service-account.json',
  'terraform.tfstate',
  'vault.kdbx',
  'prod.tfvars',
])('%s may hold secrets', (name) => {
  expect(mayHoldSecrets(name)).toBe(true)
})

test.each([
  '.env.example',
  '.env.sample',
  'id_rsa.pub',
  'readme.md',
  'keyboard.md',
  'secretary.md',
  'environment.ts',
  'credentials.md',
  'key',
])('%s is read', (name) => {
  expect(mayHoldSecrets(name)).toBe(false)
})

test.each([
  ['/backup/home/.ssh/config', true],
  ['.kube/config', true],
  ['/home/ann/ssh/config', false],
  ['/home/ann/.sshd/config', false],
])('%s is in a folder of credentials: %s', (path, expected) => {
  expect(isInSecretFolder(path)).toBe(expected)
})
