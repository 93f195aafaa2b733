// One started sandbox-runtime. The library has one state per process, and asks about unlisted hosts without telling which command wants
// them. Commands whose policy has `*` therefore have a separate guard from those that may only reach listed hosts.
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { SandboxManager } from '@anthropic-ai/sandbox-runtime'
import { findProgram } from '../../../path/program.ts'
import { addressKind } from '../../network/address.ts'
import type { FileAccess } from '../file-access.ts'
import { type Entrance, openEntrance, ports } from './linux-entrance.ts'

export interface GuardRequest {
  /** Unguessable: it alone binds a connection to its list of hosts. */
  readonly id: string
  /** Shell text to run inside. */
  readonly command: string
  readonly cwd: string
  readonly reach: FileAccess
  readonly hosts: readonly string[]
}

/** How a command on Linux gets its network. */
export interface NetworkAccess {
  /** The variables that lead programs to the proxy, with the id of the command. */
  readonly env: Readonly<Record<string, string>>
  /** Each socket of the proxy, and the port on which the sandbox offers it. */
  readonly relays: readonly { readonly port: number; readonly socket: string }[]
  readonly socat: string
  /** A program that starts the command without access to local sockets, and the options of bubblewrap that it needs. */
  readonly helper: string
  readonly options: readonly string[]
}

export interface Guard {
  /** On macOS: the whole sandbox. */
  wrap(request: GuardRequest): Promise<string[]>
  /** On Linux: only the network; bubblewrap does the rest. */
  admit(request: Pick<GuardRequest, 'id' | 'hosts'>): Promise<NetworkAccess>
  release(id: string): void
  stop(): Promise<void>
}

/** What happens to a host that is on no list. */
export type UnlistedHosts = 'refuse' | 'public'

/** Called with every line that the proxy logged about a command. */
export type RefusalListener = (id: string, line: string) => void

/** Addresses that no name may resolve to; the library itself blocks loopback, link-local and metadata. A policy can list one literally. */
const privateAddresses = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15', 'fc00::/7']

/** Paths that the library makes writable by default, and that we do not want. */
const writableByDefault = ['/tmp/claude', '/private/tmp/claude', join(homedir(), '.npm/_logs'), join(homedir(), '.claude/debug')]

/** Throws if this machine lacks a requirement; the message names it. */
export async function startGuard(unlisted: UnlistedHosts, refused: RefusalListener): Promise<Guard> {
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime')
  const [bwrap, socat] = [findProgram(['bwrap']), findProgram(['socat'])]
  await SandboxManager.initialize(
    {
      network: { allowedDomains: [], deniedDomains: [], deniedResolvedAddresses: privateAddresses },
      filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
      mandatoryDenySearchDepth: 1,
      // Otherwise the library would start a program to find each of them, several times.
      ...(bwrap === null ? {} : { bwrapPath: bwrap }),
      ...(socat === null ? {} : { socatPath: socat }),
    },
    unlisted === 'public' ? async ({ host }) => isPublic(host) : undefined,
  )
  const reportedLines = new Map<string, Set<string>>()
  const store = SandboxManager.getSandboxViolationStore()
  const unsubscribe = store.subscribe(() => {
    for (const [id, lines] of reportedLines) {
      for (const { line } of store.getViolationsForCommand(id)) {
        if (lines.has(line)) continue
        lines.add(line)
        refused(id, line)
      }
    }
  })
  const entrance = process.platform === 'linux' ? entranceTo(SandboxManager, await openEntrance(socat)) : null
  const register = (id: string, hosts: readonly string[]) => {
    SandboxManager.registerCommandNetworkLists(id, { allowedDomains: [...hosts] })
    reportedLines.set(id, new Set())
  }
  return {
    async admit({ id, hosts }) {
      if (!entrance) throw new Error('only commands on Linux have a network of their own')
      register(id, hosts)
      return entrance(id)
    },
    async wrap({ id, command, cwd, reach, hosts }) {
      const { argv } = await SandboxManager.wrapWithSandboxArgv(command, 'bash', { filesystem: filesystem(reach) }, undefined, cwd, {
        commandId: id,
        commandText: 'command',
      })
      register(id, hosts)
      return argv
    },
    release(id) {
      reportedLines.delete(id)
      SandboxManager.unregisterCommandNetworkLists(id)
      SandboxManager.cleanupAfterCommand()
    },
    async stop() {
      unsubscribe()
      await SandboxManager.reset()
    },
  }
}

/** Throws if the proxy did not start. */
function entranceTo(manager: typeof SandboxManager, open: Entrance): (id: string) => NetworkAccess {
  const [http, socks] = [manager.getLinuxHttpSocketPath(), manager.getLinuxSocksSocketPath()]
  const token = manager.getProxyAuthToken()
  if (http === undefined || socks === undefined || token === undefined) throw new Error('the proxy of the sandbox did not start')
  // One socket understands both protocols: a relay less to start.
  const socksPort = socks === http ? ports.http : ports.socks
  const relays = [{ port: ports.http, socket: http }, ...(socks === http ? [] : [{ port: socksPort, socket: socks }])]
  return (id) => open({ id, token, relays, socksPort })
}

/** A name is allowed here and checked by the address it resolves to; loopback names must be refused here. */
function isPublic(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(bare) !== 0) return addressKind(bare) === 'public'
  // Numbers that only a lax resolver accepts as an address (`2130706433`, `0x7f.1`) are not names.
  return !/^(?:localhost|.*\.localhost)\.?$/.test(bare) && /[a-z]/.test(bare.slice(bare.lastIndexOf('.') + 1)) && !/^0x/.test(bare)
}

function filesystem(reach: FileAccess) {
  const literal = (paths: readonly string[]) => paths.map((path) => ({ path, literal: true as const }))
  return {
    denyRead: literal(reach.hidden),
    allowRead: literal(reach.shown),
    allowWrite: literal(reach.writable),
    denyWrite: literal([...reach.frozen, ...writableByDefault.filter((path) => existsSync(path))]),
  }
}
