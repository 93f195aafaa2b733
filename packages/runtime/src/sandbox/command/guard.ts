// One started sandbox-runtime. The library keeps one state per process, and asks about unlisted hosts without saying who wants them; so
// commands whose policy says `*` have a guard of their own, apart from the one under which only listed hosts are reached.
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../../path/program.ts'
import { addressKind } from '../network/address.ts'
import { bubblewrapProgram } from './bubblewrap-backend.ts'
import type { Reach } from './reach.ts'

export interface GuardRequest {
  /** Can't be guessed: it is all that binds a connection to its list of hosts. */
  readonly id: string
  /** Shell text that runs inside. */
  readonly command: string
  readonly cwd: string
  readonly reach: Reach
  readonly hosts: readonly string[]
}

export interface Guard {
  wrap(request: GuardRequest): Promise<string[]>
  release(id: string): void
  stop(): Promise<void>
}

/** What becomes of a host that is on no list. */
export type Unlisted = 'refuse' | 'public'

/** Told of every line the proxy recorded against a command. */
export type Refusals = (id: string, line: string) => void

/** Addresses that no name may lead to; the library itself keeps loopback, link-local and metadata out. A policy can name one literally. */
const privateAddresses = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15', 'fc00::/7']

/** What the library opens for writing of its own accord, and for which nobody asked. */
const uninvited = ['/tmp/claude', '/private/tmp/claude', join(homedir(), '.npm/_logs'), join(homedir(), '.claude/debug')]

/** Throws when this machine lacks what it takes; the message names it. */
export async function startGuard(unlisted: Unlisted, refused: Refusals): Promise<Guard> {
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime')
  const [bwrap, socat] = [findProgram(['bwrap']), findProgram(['socat'])]
  await SandboxManager.initialize(
    {
      network: { allowedDomains: [], deniedDomains: [], deniedResolvedAddresses: privateAddresses },
      filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
      mandatoryDenySearchDepth: 1,
      // It would start a program to find each of them, several times.
      ...(bwrap === null ? {} : { bwrapPath: bubblewrapProgram }),
      ...(socat === null ? {} : { socatPath: socat }),
    },
    unlisted === 'public' ? async ({ host }) => isPublic(host) : undefined,
  )
  const told = new Map<string, Set<string>>()
  const store = SandboxManager.getSandboxViolationStore()
  const unsubscribe = store.subscribe(() => {
    for (const [id, lines] of told) {
      for (const { line } of store.getViolationsForCommand(id)) {
        if (lines.has(line)) continue
        lines.add(line)
        refused(id, line)
      }
    }
  })
  return {
    async wrap({ id, command, cwd, reach, hosts }) {
      const { argv } = await SandboxManager.wrapWithSandboxArgv(command, 'bash', { filesystem: filesystem(reach) }, undefined, cwd, {
        commandId: id,
        commandText: 'command',
      })
      SandboxManager.registerCommandNetworkLists(id, { allowedDomains: [...hosts] })
      told.set(id, new Set())
      return argv
    },
    release(id) {
      told.delete(id)
      SandboxManager.unregisterCommandNetworkLists(id)
      SandboxManager.cleanupAfterCommand()
    },
    async stop() {
      unsubscribe()
      await SandboxManager.reset()
    },
  }
}

/** A name is let through here and judged by the address it leads to; loopback names would lead where they say. */
function isPublic(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIP(bare) !== 0) return addressKind(bare) === 'public'
  // Numbers that only a lax resolver takes for an address (`2130706433`, `0x7f.1`) are no names.
  return !/^(?:localhost|.*\.localhost)\.?$/.test(bare) && /[a-z]/.test(bare.slice(bare.lastIndexOf('.') + 1)) && !/^0x/.test(bare)
}

function filesystem(reach: Reach) {
  const literal = (paths: readonly string[]) => paths.map((path) => ({ path, literal: true as const }))
  return {
    denyRead: literal(reach.hidden),
    allowRead: literal(reach.shown),
    allowWrite: literal(reach.writable),
    denyWrite: literal([...reach.frozen, ...uninvited.filter((path) => existsSync(path))]),
  }
}
