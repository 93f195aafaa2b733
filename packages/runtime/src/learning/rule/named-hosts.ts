// The hosts that a person names in their own words. What they quoted or pasted does not count: someone else wrote it. Pure.
import { ownLines } from '../../memory/rule/extract/foreign-lines.ts'
import { canonicalHost } from '../../sandbox/network/address.ts'

/** A message may be long; what comes later is rarely written by hand. */
const longestMessage = 20_000
const mostHosts = 200

const address = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"'`]+/giu
/** Not part of a path, of an address of mail, or of a longer name. */
const name = /(?<![\p{L}\p{N}_.@/\\=-])(?:\[[0-9a-f:.]{2,45}\]|[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]{0,251}[\p{L}\p{N}_])?)(?![\p{L}\p{N}_@-])/giu

/** Each once, in the spelling of `canonicalHost`. */
export function namedHosts(messages: readonly string[]): readonly string[] {
  const lines = messages.flatMap((message) => ownLines(message.slice(0, longestMessage)).map(({ text }) => text))
  return [...new Set(lines.flatMap(hostsIn))].slice(0, mostHosts)
}

/** `host`: with or without a port, as in the effect of a call. */
export function isHostNamed(named: readonly string[], host: string): boolean {
  const found = hostIn(host)
  return found !== null && named.includes(found)
}

function hostsIn(line: string): readonly string[] {
  const addresses = line.match(address) ?? []
  const words = line.replace(address, ' ').match(name) ?? []
  return [...addresses.map((one) => URL.parse(one)?.hostname ?? ''), ...words.filter(looksLikeHost)].flatMap(
    (one) => canonicalHost(one) ?? [],
  )
}

/** `example.org`, `localhost`, an address; not a word or a number. */
function looksLikeHost(word: string): boolean {
  return word.startsWith('[') || /^localhost$/i.test(word) || /[^.]\.[^.]/.test(word)
}

function hostIn(text: string): string | null {
  const [, host = text] = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/.exec(text) ?? []
  return canonicalHost(host)
}
