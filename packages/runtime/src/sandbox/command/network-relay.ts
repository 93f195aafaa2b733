// A command has a network of its own, with nothing in it but relays to the proxy outside.
import { existsSync } from 'node:fs'
import { lifePipe, orphaned, unlessOrphaned } from './life-pipe.ts'
import type { NetworkAccess } from './network-guard/network-guard.ts'
import { shellQuote } from './shell-quote.ts'

/**
 * What bubblewrap starts: the relays, then the helper that forbids local sockets, which starts the command. The relays need local sockets, so
 * they come first; they start while the helper does, and the command waits until they listen.
 */
export function relayedCommand(argv: readonly string[], { relays, helper, socat }: NetworkAccess): string[] {
  const starts = relays.map(({ port, socket }) => {
    // One socket for both families. Without a family, it depends on the version of socat.
    const listen = hasIpv6() ? `TCP6-LISTEN:${port},ipv6only=0` : `TCP4-LISTEN:${port}`
    return `${[socat, `${listen},fork,reuseaddr,backlog=4096`, `UNIX-CONNECT:${socket}`].map(shellQuote).join(' ')} ${lifePipe}<&- >/dev/null 2>&1 &`
  })
  return ['/bin/sh', '-c', [...starts, 'exec "$@"'].join('\n'), 'tandem', helper, ...unlessOrphaned(argv, untilListening(relays.length))]
}

/**
 * Shell text that waits until the relays listen, at most a second: the only sockets of this new network are theirs. It pauses by reading the
 * pipe of the runtime, because starting a program to pause would take longer than the relays do.
 */
function untilListening(relays: number): string {
  const counts = hasIpv6() ? '/proc/net/sockstat6' : '/proc/net/sockstat'
  return `
for ((_tandem_try = 0; _tandem_try < 1000; _tandem_try++)); do
  read -r -d '' _tandem_counts < ${counts}
  [[ $_tandem_counts =~ TCP6?:\\ inuse\\ ([0-9]+) ]] && ((BASH_REMATCH[1] >= ${relays})) && break
  read -r -t 0.001 -u ${lifePipe}
  (($? > 128)) || exit ${orphaned}
done 2>/dev/null
unset _tandem_try _tandem_counts
`
}

function hasIpv6(): boolean {
  return existsSync('/proc/net/if_inet6')
}
