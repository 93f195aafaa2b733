// A device without remote executors.
import type { RemoteCommands } from '../../../src/call/remote.ts'

export const noExecutors: RemoteCommands = {
  grantOf: () => ({ ok: false, reason_code: 'executor_unknown', message: 'there is none', remedy: 'Add one.' }),
  identityOf: () => '',
  isOpen: () => false,
  run: () => Promise.reject(new Error('there is no executor')),
}
