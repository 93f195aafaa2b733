// The parts of a payload that may name no folder of a device: everything except texts, arguments and outputs, which are sent unchanged.

/** Fields that contain a text, arguments or an output. */
const texts = ['text', 'title', 'arguments', 'output', 'message', 'remedy', 'facts', 'warnings', 'args', 'globs']

/** Every string in the other fields. The backend stores a change as JSON text, which is parsed. */
export function pathFieldStrings(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith('{"entity_type":') ? pathFieldStrings(JSON.parse(value)) : [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => (texts.includes(name) ? [] : pathFieldStrings(one)))
}
