// The names of keys. A Redis may be shared: all our keys have the same prefix.

const prefix = 'tandem:'
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/

export interface KeyNames {
  key(name: string): string
  channel(name: string): string
  /** The channel of a message. */
  channelName(channel: string): string
  /** Indexes of `keys` that one command may read together. */
  together(keys: readonly string[]): number[][]
}

/** A Cluster stores keys with the same text in braces on one node: the id of their user, or else the whole key. */
export function keyNames({ cluster }: { cluster: boolean }): KeyNames {
  return {
    key: (name) => prefix + (cluster ? name.replace(uuid, '{$&}') : name),
    channel: (name) => prefix + name,
    channelName: (channel) => channel.slice(prefix.length),
    together(keys) {
      const positions = keys.map((_, index) => index)
      return cluster ? [...Map.groupBy(positions, (index) => tagOf(keys[index] ?? '')).values()] : [positions]
    },
  }
}

function tagOf(key: string): string {
  return /\{(.+?)\}/.exec(key)?.[1] ?? key
}
