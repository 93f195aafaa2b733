// What /status.json tells the window: which product this is, what it can do today, and how the backend looks from here.
import type { CommandName } from '@tandem/contract/command'
import type { BackendSight, HostStatus } from '@tandem/contract/status'
import manifest from '../../package.json' with { type: 'json' }
import { featureStates } from '../commands/feature-states.ts'

export function statusWith(backend: BackendSight, answers: (command: CommandName) => boolean): HostStatus {
  return { product: { name: 'Tandem', version: manifest.version }, features: featureStates(answers), backend }
}
