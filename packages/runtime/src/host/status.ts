// What /status.json tells the window: which product this is, what it can do today, and how the backend looks from here.
import type { BackendSight, HostStatus, Side } from '@tandem/contract/status'
import manifest from '../../package.json' with { type: 'json' }

/** Every promise of the product and whether it is kept today. One place says so; the window only draws it. */
const features = {
  contract: { side: 'both', works: true },
  accounts: { side: 'cloud', works: true },
  devices: { side: 'cloud', works: true },
  sync_service: { side: 'cloud', works: true },
  workflow_store: { side: 'cloud', works: true },
  task_store: { side: 'cloud', works: true },
  file_store: { side: 'cloud', works: true },
  log_store: { side: 'cloud', works: true },
  realtime: { side: 'cloud', works: true },
  model_gateway: { side: 'cloud', works: true },
  map: { side: 'desktop', works: true },
  agent_loop: { side: 'desktop', works: true },
  tools: { side: 'desktop', works: true },
  commands: { side: 'desktop', works: true },
  checkpoints: { side: 'desktop', works: true },
  sync_client: { side: 'desktop', works: false },
  mcp: { side: 'desktop', works: true },
  skills: { side: 'desktop', works: true },
  cooperation: { side: 'desktop', works: false },
  workflows: { side: 'desktop', works: false },
  memory: { side: 'desktop', works: false },
  learning: { side: 'desktop', works: false },
  chat: { side: 'desktop', works: true },
} as const satisfies Record<string, { readonly side: Side; readonly works: boolean }>

export function statusWith(backend: BackendSight): HostStatus {
  const named = Object.entries(features).map(([name, feature]) => ({ name, ...feature }))
  return { product: { name: 'Tandem', version: manifest.version }, features: named, backend }
}
