// The content of /status.json, which the window requests to check that this runtime is reachable.
import type { HostStatus } from '@tandem/contract/status'
import manifest from '../../package.json' with { type: 'json' }

export const hostStatus: HostStatus = { product: { name: 'Tandem', version: manifest.version } }
