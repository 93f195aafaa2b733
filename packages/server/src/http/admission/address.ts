// The client's address behind proxies: the nearest address that is not a trusted proxy.
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Whether the sender at this address, this many hops away, is trusted to name its client. */
export type ProxyTrust = (address: string, hop: number) => boolean

const ranges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Which senders of forwarding headers are trusted: none, a number of hops, or these addresses. */
export function trustedProxies(trust: false | number | readonly string[]): ProxyTrust {
  if (trust === false) return () => false
  if (typeof trust === 'number') return (_address, hop) => hop < trust
  const listed = new BlockList()
  for (const entry of trust.flatMap((name) => ranges[name] ?? [name])) {
    const [network = '', length] = entry.split('/')
    if (length === undefined) listed.addAddress(network, familyOf(network))
    else listed.addSubnet(network, Number(length), familyOf(network))
  }
  return remembering((address) => {
    const plain = address.split('%')[0] ?? ''
    return isIP(plain) !== 0 && listed.check(plain, familyOf(plain))
  })
}

const rememberedMax = 1_000
const longestAddress = 60

/** The same few proxies send every request, and the check is the most expensive step here. */
function remembering(isTrusted: (address: string) => boolean): (address: string) => boolean {
  const known = new Map<string, boolean>()
  return (address) => {
    const before = known.get(address)
    if (before !== undefined) return before
    const answer = isTrusted(address)
    if (known.size >= rememberedMax) known.clear()
    if (address.length <= longestAddress) known.set(address, answer)
    return answer
  }
}

/** The parts of a request that determine its origin. */
interface Sent {
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined }
}

export function clientAddress({ headers, socket }: Sent, trust: ProxyTrust): string {
  const here = socket.remoteAddress ?? ''
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded !== 'string' || !trust(here, 0)) return here
  const senders = forwarded.split(',').map((sender) => sender.trim())
  const others = senders.filter((sender) => sender !== '').reverse()
  return others.find((sender, index) => !trust(sender, index + 1)) ?? others.at(-1) ?? here
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
