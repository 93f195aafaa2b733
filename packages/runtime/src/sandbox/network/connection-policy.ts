// Checks every connection: a name is resolved once, all its addresses are checked, and connections are made only to these addresses.

import { isIP } from 'node:net'
import { Refused } from '../../call/failure.ts'
import type { CallScope } from '../../call/scope.ts'
import { addressKind, canonicalHost } from './address.ts'
import { allowedWhenTrusted, allowsAddress, allowsHost } from './host-scope.ts'
import { connectionFailure } from './network-failure.ts'
import type { Resolve, ResolvedAddress } from './resolve.ts'

export interface CheckedHost {
  readonly host: string
  readonly port: number
  /** All checked; a connection is made only to one of them, even if the name resolves to another address later. */
  readonly addresses: readonly [ResolvedAddress, ...ResolvedAddress[]]
}

export interface ConnectionPolicy {
  /** Throws `Refused`, or a `NetworkFailure` if there is no such host. */
  admit(host: string, port: number): Promise<CheckedHost>
  /** Whether what was admitted before would be admitted now, without resolving again. */
  stillAdmits(admitted: CheckedHost): boolean
}

export function openConnectionPolicy(scope: CallScope, resolve: Resolve): ConnectionPolicy {
  const { hosts } = scope.policy.network_scope
  const tolerates = (address: string) => scope.sandbox_mode === 'trusted' && allowedWhenTrusted.includes(addressKind(address))

  return {
    async admit(name, port) {
      const host = canonicalHost(name)
      const subject = `${name}:${port}`
      if (host === null)
        throw new Refused('host_invalid', `${subject} is not a valid host`, { subject, blocked_by: 'sandbox', attempted: 'network' })
      if (allowsHost(hosts, host, port) === 'no') {
        scope.report({ attempted: 'network', resource: `${host}:${port}`, blocked: true })
        throw outOfScope(scope, host, port)
      }
      const [first, ...rest] = isIP(host) === 0 ? await lookUp(resolve, host) : [literal(host)]
      if (!first) throw connectionFailure(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), host)
      for (const { address } of [first, ...rest]) {
        if (allowsAddress(hosts, host, port, address)) continue
        const passes = tolerates(address)
        scope.report({ attempted: 'network', resource: `${host}:${port} (${address})`, blocked: !passes })
        if (!passes) throw forbidden(host, port, address)
      }
      return { host, port, addresses: [first, ...rest] }
    },
    stillAdmits: ({ host, port, addresses }) =>
      allowsHost(hosts, host, port) !== 'no' &&
      addresses.every(({ address }) => allowsAddress(hosts, host, port, address) || tolerates(address)),
  }
}

async function lookUp(resolve: Resolve, host: string): Promise<readonly ResolvedAddress[]> {
  try {
    return await resolve(host)
  } catch (error) {
    throw connectionFailure(error, host)
  }
}

function literal(host: string): ResolvedAddress {
  return { address: host, family: isIP(host) === 6 ? 6 : 4 }
}

/** In strict mode, what is out of scope is blocked by the sandbox, as for commands; otherwise by the policy. */
export function blockedBy({ sandbox_mode }: Pick<CallScope, 'sandbox_mode'>): 'policy' | 'sandbox' {
  return sandbox_mode === 'strict' ? 'sandbox' : 'policy'
}

function outOfScope(scope: CallScope, host: string, port: number): Refused {
  const { tool, sandbox_mode } = scope
  const strictly = sandbox_mode === 'strict' ? ', and strict mode blocks every host that is not listed' : ''
  return new Refused('host_out_of_scope', `${host}:${port} is not in the network scope of ${tool}${strictly}`, {
    subject: `${host}:${port}`,
    remedy: `Add ${host} to the network scope of ${tool} in the agent's policy.`,
    blocked_by: blockedBy(scope),
    attempted: 'network',
  })
}

function forbidden(host: string, port: number, address: string): Refused {
  const kind = addressKind(address).replace('_', '-')
  const at = host === address ? `${host}:${port} is` : `${host}:${port} resolves to ${address},`
  return new Refused('address_forbidden', `${at} a ${kind} address; such addresses are allowed only if they are listed`, {
    subject: `${host}:${port}`,
    remedy: `If this is intended, add ${address.includes(':') ? `[${address}]` : address}:${port} to the network scope in the agent's policy.`,
    blocked_by: 'sandbox',
    attempted: 'network',
  })
}
