// Which entities are one node. The links are found from the whole set and made in a fixed order, so the order of the input does not matter;
// they are searched until there are none left, so a second pass finds nothing. Pure.
import { fullKeys, isShortFor, shortKey } from './names.ts'

export interface GroupNode {
  readonly id: string
  readonly ids: readonly string[]
  /** Only nodes of one scope can be one: the same agent and kind, and for some kinds the same conversation. */
  readonly scope: string
  /** Folded, each once. */
  readonly names: readonly string[]
  readonly conversations: readonly string[]
  /** Only the name of a person can be shortened. */
  readonly isPerson: boolean
  /** Ids and folded names from which the user split this node. */
  readonly apart: readonly string[]
  /** Ids that the user left together with this node. */
  readonly together: readonly string[]
}

interface Group extends GroupNode {
  readonly members: readonly number[]
}

type Link = readonly [Group, Group]
type GroupIndex = ReadonlyMap<string, readonly Group[]>

/** With more full names than this for one short form, it is ambiguous without looking at each. */
const mostCandidates = 1_000

/** The nodes by their index, in groups; each group and the list are ordered by id. */
export function grouped(nodes: readonly GroupNode[]): readonly (readonly number[])[] {
  const scopes = new Map<string, Group[]>()
  for (const [index, node] of nodes.entries()) append(scopes, node.scope, { ...node, members: [index] })
  const groups = [...scopes.values()].flatMap((list) => groupedInScope(list.sort(byId)))
  const idOf = (index: number) => nodes[index]?.id ?? ''
  return groups
    .sort(byId)
    .map(({ members }) => (members.length === 1 ? members : members.toSorted((left, right) => compare(idOf(left), idOf(right)))))
}

function groupedInScope(nodes: readonly Group[]): readonly Group[] {
  let groups = joined(nodes, togetherLinks(nodes))
  for (;;) {
    const before = groups.length
    for (let last = -1; last !== groups.length; ) {
      last = groups.length
      groups = joined(groups, nameLinks(groups))
    }
    groups = joined(groups, shortLinks(groups))
    if (groups.length === before) return groups
  }
}

/** The groups after all links that no split forbids. */
function joined(groups: readonly Group[], links: readonly Link[]): readonly Group[] {
  if (links.length === 0) return groups
  const into = new Map<Group, Group>()
  const parts = new Map<Group, Group[]>()
  const find = (group: Group): Group => {
    let root = group
    for (let next = into.get(root); next; next = into.get(root)) root = next
    if (root !== group) into.set(group, root)
    return root
  }
  for (const [left, right] of links) {
    const [one, other] = [find(left), find(right)]
    if (one === other) continue
    const [first, second] = one.id < other.id ? [one, other] : [other, one]
    const [firsts, seconds] = [parts.get(first) ?? [first], parts.get(second) ?? [second]]
    if (firsts.some((part) => seconds.some((another) => isSplit(part, another)))) continue
    into.set(second, first)
    for (const part of seconds) firsts.push(part)
    parts.set(first, firsts)
  }
  return groups.filter((group) => !into.has(group)).map((group) => union(parts.get(group)) ?? group)
}

function union(parts: readonly Group[] | undefined): Group | undefined {
  const [first] = parts ?? []
  if (!parts || !first) return undefined
  const all = (values: (part: Group) => readonly string[]) => {
    const set = new Set<string>()
    for (const part of parts) for (const value of values(part)) set.add(value)
    return [...set]
  }
  return {
    ...first,
    members: parts.flatMap(({ members }) => members),
    ids: all(({ ids }) => ids),
    names: all(({ names }) => names),
    conversations: all(({ conversations }) => conversations),
    apart: all(({ apart }) => apart),
  }
}

function isSplit(left: Group, right: Group): boolean {
  return isNamed(left.apart, right) || isNamed(right.apart, left)
}

function isNamed(apart: readonly string[], { ids, names }: Group): boolean {
  return apart.length > 0 && apart.some((one) => ids.includes(one) || names.includes(one))
}

function togetherLinks(groups: readonly Group[]): Link[] {
  if (groups.every(({ together }) => together.length === 0)) return []
  const byEntity = new Map(groups.flatMap((group) => group.ids.map((id) => [id, group] as const)))
  return groups.flatMap((group) =>
    group.together.toSorted(compare).flatMap((id): Link[] => {
      const other = byEntity.get(id)
      return other ? [[group, other]] : []
    }),
  )
}

/** Groups with the same name. A name that may mean several people, or whose bearers were split, counts only within a conversation. */
function nameLinks(groups: readonly Group[]): Link[] {
  const byName = new Map<string, Group[]>()
  for (const group of groups) for (const name of ownNames(group)) append(byName, name, group)
  let full: GroupIndex | undefined
  const isAmbiguous = (name: string, group: Group) => {
    if (!group.isPerson || name.includes(' ')) return false
    full ??= fullNames(groups)
    return candidates(group, name, full).length > 1
  }
  const links: Link[] = []
  for (const [name, list] of byName) {
    const [first] = list
    if (!first || list.length === 1) continue
    for (const sure of isAmbiguous(name, first) || hasSplit(list) ? byConversation(list) : [list]) {
      for (let index = 1; index < sure.length; index += 1) links.push([sure[index - 1] as Group, sure[index] as Group])
    }
  }
  return links
}

function hasSplit(list: readonly Group[]): boolean {
  return list.some((group) => group.apart.length > 0 && list.some((other) => other !== group && isSplit(group, other)))
}

function byConversation(list: readonly Group[]): Iterable<readonly Group[]> {
  const places = new Map<string, Group[]>()
  for (const group of list) for (const conversation of group.conversations) append(places, conversation, group)
  return places.values()
}

/** A first name, a surname or a name with initials, and the one full name that it can stand for: in its conversations, else anywhere. */
function shortLinks(groups: readonly Group[]): Link[] {
  const full = fullNames(groups)
  if (full.size === 0) return []
  const links: Link[] = []
  for (const group of groups) {
    if (!group.isPerson) continue
    for (const name of ownNames(group)) {
      const all = candidates(group, name, full)
      const near = all.filter(({ conversations }) => conversations.some((one) => group.conversations.includes(one)))
      const [only, ...others] = near.length > 0 ? near : all
      if (only && others.length === 0 && isCoveredBy(group, only)) links.push([group, only])
    }
  }
  // A full name that is itself short for a longer one is left to the next pass, when both are one group.
  const shorts = new Set(links.map(([short]) => short))
  return links.filter(([, long]) => !shorts.has(long))
}

/** The groups by each key under which a short form of one of their names looks for them. */
function fullNames(groups: readonly Group[]): GroupIndex {
  const index = new Map<string, Group[]>()
  for (const group of groups) {
    if (!group.isPerson) continue
    const keys = group.names.flatMap(fullKeys)
    for (const key of group.names.length > 1 ? new Set(keys) : keys) append(index, key, group)
  }
  return index
}

function candidates(group: Group, name: string, full: GroupIndex): readonly Group[] {
  const list = full.get(shortKey(name)) ?? []
  if (list.length > mostCandidates) return list
  return list.filter((other) => other !== group && other.names.some((long) => isShortFor(name, long)))
}

/** Every name of several words in `group` is short for one of `other`: otherwise it is a different person with the same first name. */
function isCoveredBy(group: Group, other: Group): boolean {
  return group.names.every((name) => !name.includes(' ') || other.names.some((long) => long === name || isShortFor(name, long)))
}

/** The names that are not just short for another name of the same group: "Ana" says nothing about who "Ana Reis" is. */
function ownNames({ names, isPerson }: Group): readonly string[] {
  return isPerson && names.length > 1 ? names.filter((name) => !names.some((long) => isShortFor(name, long))) : names
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function byId(left: GroupNode, right: GroupNode): number {
  return compare(left.id, right.id)
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
