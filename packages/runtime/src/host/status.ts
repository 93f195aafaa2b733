// What /status.json tells the window, which asks for it to find out whether this runtime is there at all.
import type { HostStatus } from '@tandem/contract/status'
import manifest from '../../package.json' with { type: 'json' }

export const hostStatus: HostStatus = { product: { name: 'Tandem', version: manifest.version } }
