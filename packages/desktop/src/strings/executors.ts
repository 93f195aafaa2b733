// Texts of remote executors, in the settings.

import { type ExecutorState, negotiationFailures } from '@tandem/contract/executor'
import { translated } from '../language/language.ts'

export const executorWords = translated('executors', {
  title: 'Remote executors',
  lead: 'Your other machines. Skills that need a remote host run only while one of them is available. Agents that you choose can run commands on them.',
  none: 'No remote executors yet. Run “tandem executor” on another machine, then add it here.',
  states: { untested: 'not tested', ready: 'available', expired: 'expired', failed: 'not available' } satisfies Record<
    ExecutorState,
    string
  >,
  failure: (reason: keyof typeof negotiationFailures) => ({
    title: negotiationFailures[reason].title,
    remedy: negotiationFailures[reason].remedy,
  }),
  offers: (names: string) => `Offers ${names}`,
  offersNothing: 'Offers nothing',
  version: (name: string, version: string, os: string, arch: string, protocol: string) => `${name} ${version}, ${os} ${arch}, ${protocol}`,
  degraded: (message: string) => (message === '' ? 'It reports a problem.' : `It reports a problem: ${message}`),
  next: (at: string) => `Next attempt ${at}`,
  fingerprint: 'Fingerprint',
  unencrypted: 'Not encrypted; on this device only',
  test: 'Test',
  testNamed: (name: string) => `Test ${name}`,
  remove: 'Remove',
  removeNamed: (name: string) => `Remove ${name}`,
  removeQuestion: (name: string) => `Remove ${name} and its token from this device?`,
  agents: (name: string) => `Agents that may run commands on ${name}`,
  agentsHint: 'Each command needs your approval. This setting belongs to this device.',
  add: 'Add executor',
  form: {
    name: 'Name',
    nameHint: 'for example, Build server',
    url: 'Address',
    urlHint: 'https://192.168.1.20:7447',
    token: 'Token',
    tokenHint: 'as “tandem executor” printed it at its first start',
    check: 'Check address',
    compare: 'The certificate at this address has this fingerprint. Add the executor only if it is the one that “tandem executor” printed.',
    plain: 'This address is on this device and is not encrypted. It has no fingerprint.',
    confirm: 'The fingerprint matches: add it',
    confirmPlain: 'Add it',
  },
  doing: { grant: 'change who may use the executor', test: 'test the executor', remove: 'remove the executor' },
} as const)
