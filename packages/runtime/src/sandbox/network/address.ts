// Classifies IP addresses: public, or one of the many special ranges.
import { BlockList, isIP } from 'node:net'

export type AddressKind =
  | 'public'
  | 'loopback'
  | 'private'
  | 'shared'
  | 'link_local'
  | 'metadata'
  | 'unspecified'
  | 'multicast'
  | 'broadcast'
  | 'documentation'
  | 'benchmarking'
  | 'tunnel'
  | 'reserved'

/** Every range that is not public. The first kind that contains an address applies, so narrow kinds come first. */
const ranges: readonly { readonly kind: AddressKind; readonly v4: readonly string[]; readonly v6: readonly string[] }[] = [
  {
    // Addresses at which clouds return credentials to any caller. Some are outside every private range.
    kind: 'metadata',
    v4: ['169.254.169.254/32', '169.254.170.2/32', '169.254.170.23/32', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'],
    v6: ['fd00:ec2::/32', 'fd20:ce::254/128'],
  },
  { kind: 'loopback', v4: ['127.0.0.0/8'], v6: ['::1/128'] },
  { kind: 'unspecified', v4: ['0.0.0.0/8'], v6: ['::/128'] },
  { kind: 'private', v4: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'], v6: ['fc00::/7', 'fec0::/10', '64:ff9b:1::/48'] },
  { kind: 'shared', v4: ['100.64.0.0/10'], v6: [] },
  { kind: 'link_local', v4: ['169.254.0.0/16'], v6: ['fe80::/10'] },
  { kind: 'multicast', v4: ['224.0.0.0/4'], v6: ['ff00::/8'] },
  { kind: 'broadcast', v4: ['255.255.255.255/32'], v6: [] },
  {
    kind: 'documentation',
    v4: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
    v6: ['2001:db8::/32', '3fff::/20'],
  },
  { kind: 'benchmarking', v4: ['198.18.0.0/15'], v6: ['2001:2::/48'] },
  // 6to4 and Teredo contain an IPv4 address. Both are obsolete, so they are refused completely.
  { kind: 'tunnel', v4: ['192.88.99.0/24'], v6: ['2001::/32', '2002::/16'] },
  { kind: 'reserved', v4: ['192.0.0.0/24', '240.0.0.0/4'], v6: ['2001::/23', '5f00::/16', '100::/64'] },
]

const lists = ranges.map(({ kind, v4, v6 }) => ({ kind, v4: blockList(v4, 'ipv4'), v6: blockList(v6, 'ipv6') }))
const globalUnicast = blockList(['2000::/3'], 'ipv6')

/** `address` is canonical: four decimal parts, or IPv6 as returned by `canonicalHost`. */
export function addressKind(address: string): AddressKind {
  const family = isIP(address)
  if (family === 4) return lists.find(({ v4 }) => v4.check(address, 'ipv4'))?.kind ?? 'public'
  if (family !== 6 || address.includes('%')) return 'reserved'
  const inner = embeddedIPv4(address)
  if (inner !== null) return addressKind(inner)
  const special = lists.find(({ v6 }) => v6.check(address, 'ipv6'))?.kind
  if (special) return special
  return globalUnicast.check(address, 'ipv6') ? 'public' : 'reserved'
}

/**
 * A host in the only spelling that is compared, resolved and connected to: lower case, punycode, no trailing dot, every form of IPv4
 * (`0`, `0x7f.1`, `2130706433`, `0177.0.0.1`) as four decimal parts, IPv6 without brackets. Null if it is not a host.
 */
export function canonicalHost(host: string): string | null {
  if (host === '' || /[/\\?#@\s%]/.test(host)) return null
  const inner = host.replace(/^\[(.*)\]$/, '$1')
  const isSix = isIP(inner) === 6
  if (!isSix && /[:[\]]/.test(host)) return null
  const bare = isSix ? `[${inner}]` : host
  const parsed = URL.parse(`http://${bare}/`)
  if (!parsed) return null
  const name = parsed.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return name === '' || name.length > 253 || name.split('.').includes('') ? null : name
}

/** The IPv4 address in a mapped (`::ffff:a.b.c.d`) or NAT64 (`64:ff9b::a.b.c.d`) address, to which packets are sent. */
function embeddedIPv4(address: string): string | null {
  const groups = groupsOf(address)
  const prefix = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':')
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0') return null
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function groupsOf(address: string): readonly number[] {
  const canonical = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1) ?? '::'
  const [left = '', right = ''] = canonical.split('::')
  const parse = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const head = parse(left)
  const tail = canonical.includes('::') ? parse(right) : []
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

function blockList(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
