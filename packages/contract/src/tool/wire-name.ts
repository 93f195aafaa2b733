// Model APIs allow no dots and at most 64 characters in a tool's name: `fs.read` is sent as `fs__read`.

import { fingerprint } from '../fingerprint.ts'

const longest = 64
const plain = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*(?:\.[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)*$/

export interface WireNames {
  /** The name a model sees for one of these tools. */
  toWire(tool: string): string | undefined
  /** The tool that a model called; undefined if it invented the name. */
  fromWire(wire: string): string | undefined
}

/** Names for one request's tools, one to one in both directions. */
export function wireNames(tools: readonly string[]): WireNames {
  const toWire = new Map<string, string>()
  const fromWire = new Map<string, string>()
  for (const tool of [...new Set(tools)]) {
    let wire = encode(tool)
    for (let round = 1; fromWire.has(wire); round += 1) wire = hashed(tool, `${tool} ${round}`)
    toWire.set(tool, wire)
    fromWire.set(wire, tool)
  }
  return { toWire: (tool) => toWire.get(tool), fromWire: (wire) => fromWire.get(wire) }
}

function encode(tool: string): string {
  const wire = tool.replaceAll('.', '__')
  return plain.test(tool) && wire.length <= longest ? wire : hashed(tool, tool)
}

/** A readable start and a fingerprint, for names that are too long or contain characters that model APIs refuse. */
function hashed(tool: string, seed: string): string {
  const readable = tool.replaceAll('.', '__').replace(/[^A-Za-z0-9_-]/g, '-')
  return `${readable.slice(0, longest - 16)}_h${fingerprint(seed)}`
}
