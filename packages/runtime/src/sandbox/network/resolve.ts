// Resolves names with what the machine uses (hosts file, DNS, mDNS).
import { lookup } from 'node:dns/promises'

export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>

export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}
