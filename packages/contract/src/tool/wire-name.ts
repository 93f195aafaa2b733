// Model APIs allow no dots and at most 64 characters in a tool's name: `fs.read` travels as `fs__read`.

const longest = 64
const plain = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*(?:\.[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)*$/

export interface WireNames {
  /** The name a model sees for one of these tools. */
  toWire(tool: string): string | undefined
  /** The tool a model means; undefined when it made the name up. */
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

/** Readable start and a fingerprint, for names that are too long or hold letters a model API refuses. */
function hashed(tool: string, seed: string): string {
  const readable = tool.replaceAll('.', '__').replace(/[^A-Za-z0-9_-]/g, '-')
  return `${readable.slice(0, longest - 14)}_h${fingerprint(seed)}`
}

/** FNV-1a, 48 bits of it: short, and no crypto is needed where nobody is an adversary of the table above. */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const character of text) hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n)
  return BigInt.asUintN(48, hash).toString(16).padStart(12, '0')
}
