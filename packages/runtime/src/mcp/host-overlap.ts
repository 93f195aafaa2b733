// The hosts that two lists of patterns both allow: the hosts of an approval, restricted by the policy of a tool.

/** Patterns are `example.org`, `*.example.org` or `*`, with or without a port. */
export function allowedByBoth(named: readonly string[], left: readonly string[]): string[] {
  const within = (hosts: readonly string[], patterns: readonly string[]) =>
    hosts.filter((host) => patterns.some((pattern) => covers(parse(pattern), parse(host))))
  return [...new Set([...within(named, left), ...within(left, named)])]
}

interface Pattern {
  readonly host: string
  readonly port: string | null
}

/** Whether `outer` allows everything that `inner` allows. */
function covers(outer: Pattern, inner: Pattern): boolean {
  if (outer.port !== null && outer.port !== inner.port) return false
  if (outer.host === '*' || outer.host === inner.host) return true
  return outer.host.startsWith('*.') && inner.host.endsWith(outer.host.slice(1))
}

function parse(text: string): Pattern {
  const [, host = text, port = null] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(text.trim()) ?? []
  return { host: host.trim().toLowerCase(), port }
}
