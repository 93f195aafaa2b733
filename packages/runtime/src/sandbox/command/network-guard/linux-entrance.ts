// What a command on Linux needs from the sandbox library: the variables that lead to its proxy, and its helper that forbids local sockets. The
// files are mounted by ourselves: the library starts a search program and several shells for each command, which takes longer than the command.
import { readFileSync } from 'node:fs'
import { getApplySeccompBinaryPathAsync } from '@anthropic-ai/sandbox-runtime/dist/sandbox/generate-seccomp-filter.js'
import { buildJavaToolOptions, getJavaProxyAgentJarPathAsync } from '@anthropic-ai/sandbox-runtime/dist/sandbox/java-proxy-agent.js'
import { encodeSandboxedCommand, generateProxyEnvVars } from '@anthropic-ai/sandbox-runtime/dist/sandbox/sandbox-utils.js'
import type { NetworkAccess } from './network-guard.ts'

/** The ports that the library uses, too. */
export const ports = { http: 3128, socks: 1080 } as const

export interface EntranceRequest {
  /** Of the command, which is part of the name with which programs log in at the proxy. */
  readonly id: string
  readonly token: string
  readonly relays: NetworkAccess['relays']
  readonly socksPort: number
}

export type Entrance = (request: EntranceRequest) => NetworkAccess

/** Throws if something is missing; the message names it. */
export async function openEntrance(socat: string | null): Promise<Entrance> {
  const helper = await getApplySeccompBinaryPathAsync()
  if (helper === null) throw new Error('the helper program that forbids local sockets does not exist for this processor')
  if (socat === null) throw new Error('socat is not installed')
  const jar = await getJavaProxyAgentJarPathAsync()
  const java = buildJavaToolOptions(jar === null ? {} : { agentJarPath: jar })
  const options = ['--unshare-net', '--unshare-ipc', '--unshare-pid', '--unshare-user', ...capabilityOptions()]
  return ({ id, token, relays, socksPort }) => ({
    env: {
      ...variables(generateProxyEnvVars(ports.http, socksPort, undefined, token, true, encodeSandboxedCommand(id))),
      ...(java === undefined ? {} : { JAVA_TOOL_OPTIONS: java }),
      // Otherwise the helper would let a command create further user namespaces.
      SRT_ALLOW_NESTED_USERNS: '0',
    },
    ...{ relays, socat, helper, options },
  })
}

/** For root, the helper maps uid 0 into a user namespace of its own, which the kernel allows only with this capability. */
function capabilityOptions(): readonly string[] {
  const keeps = process.geteuid?.() === 0 && survivesStart(31)
  return ['--cap-drop', 'ALL', ...(keeps ? ['--cap-add', 'CAP_SETFCAP'] : [])]
}

/** Whether a program that root starts gets the capability: from the bounding or the inheritable set, whatever this process may do itself. */
function survivesStart(capability: number): boolean {
  const status = readFileSync('/proc/self/status', 'utf8')
  const sets = [...status.matchAll(/^Cap(?:Bnd|Inh):\s*([0-9a-f]+)$/gm)].map((match) => BigInt(`0x${match[1]}`))
  return sets.some((set) => ((set >> BigInt(capability)) & 1n) === 1n)
}

function variables(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}
